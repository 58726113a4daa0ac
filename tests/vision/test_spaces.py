"""Tiles on spaces of the virtual table and of shared pictures. The reader was trained on neither."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

from calibration.games.burgundy import BOARDS
from calibration.games.burgundy.facts import TILE_TYPES
from calibration.table_file import parse
from hardware.scene import Scene
from hardware.virtual_table import TableLayout, VirtualTable, sample_layout
from vision.accuracy.boards import BoardAccuracy, score_boards
from vision.accuracy.truth import labelled_tables, load_truth
from vision.boards import networks
from vision.boards.networks import PlaceReader, encode_known, reader_weights
from vision.boards.reading import BoardPatches, SpaceReadings, read_spaces
from vision.games.burgundy.accuracy.tables import table_of
from vision.geometry import PATCH_PX, hexgrid
from vision.patches import board_patches
from vision.pictures import load_image
from vision.places import space_places

PLAYERS = ("red", "blue", "green", "black")
Seen: TypeAlias = tuple[Scene, list[BoardPatches]]
TILES = {
    "castle": "castle",
    "mine": "mine",
    "ship": "ship",
    "livestock": "livestock/pig_3",
    "building": "building/church",
    "monastery": "monastery/9",
}
PICTURES = ("dev_board_01", "dev_board_02", "dev_board_06", "dev_board_07", "dev_board_08", "dev_board_10",
            "dev_board_13", "dev_board_14", "dev_board_16", "dev_seq2_0")  # fmt: skip
"""Of the four shared printings."""


def scene(layout: TableLayout, share: float, rng: np.random.Generator) -> Scene:
    places = {}
    for board in layout.boards:
        tiles = [TILES[colour] if rng.random() < share else "empty" for colour, _ in board.spaces]
        tiles[20] = "ship" if board.spaces[20][0] != "ship" else "mine"  # against the rules, and to be seen
        places[f"duchy:{board.player}"] = tuple(tiles)
    return Scene(places=places)


@pytest.fixture(scope="module", params=[0.2, 0.7], ids=["early", "late"])
def seen(request: pytest.FixtureRequest) -> Seen:
    """Returns a scene with few or many tiles, and its duchies as seen by the camera."""
    layout = sample_layout(PLAYERS)
    shown = scene(layout, request.param, np.random.default_rng(7))
    with VirtualTable(layout, seed=11) as table:
        table.show(shown)
        return shown, placed(board_patches(table.read(), parse(table.table_file(), "virtual")))


def placed(boards: list[BoardPatches | None]) -> list[BoardPatches]:
    """Returns all *boards*, each of which must be placed."""
    assert None not in boards
    return [board for board in boards if board is not None]


def labels(shown: Scene, player: str) -> list[str]:
    return [label.split("/")[0] for label in shown.places[f"duchy:{player}"]]


def labels_of(reading: SpaceReadings) -> list[str]:
    best = [TILE_TYPES[i] for i in reading.tile_types.argmax(axis=1)]
    return ["empty" if p > 0.5 else tile for p, tile in zip(reading.empty, best, strict=True)]


def test_every_space_of_four_duchies_is_read_right(seen: Seen) -> None:
    shown, boards = seen
    for player, reading in zip(PLAYERS, map(read_spaces, boards), strict=True):
        assert labels_of(reading) == labels(shown, player)
        assert not reading.hidden.any()


def test_duchies_that_are_not_known_beforehand_are_recognised(seen: Seen) -> None:
    shown, boards = seen
    readings = [read_spaces(replace(board, spaces=None)) for board in boards]
    right = [
        np.mean([a == b for a, b in zip(labels_of(r), labels(shown, p), strict=True)])
        for p, r in zip(PLAYERS, readings, strict=True)
    ]
    assert min(right) >= 35 / 37


def test_a_space_outside_the_frame_is_hidden(seen: Seen) -> None:
    _, boards = seen
    framed = boards[0].framed.copy()
    framed[3] = 0.2
    reading = read_spaces(replace(boards[0], framed=framed))
    assert np.flatnonzero(reading.hidden).tolist() == [3]


def test_a_space_clipped_by_glare_is_hidden(seen: Seen) -> None:
    _, boards = seen
    patches = boards[0].patches.copy()
    patches[5, : PATCH_PX * 2 // 3] = 255
    reading = read_spaces(replace(boards[0], patches=patches))
    assert reading.hidden[5]


def test_a_space_crossed_by_glare_is_never_read_with_certainty(seen: Seen) -> None:
    _, boards = seen
    patches = boards[0].patches.copy()
    patches[5, 10 : 10 + PATCH_PX // 3] = 255
    crossed = replace(boards[0], patches=patches)
    clear, burnt = (
        max(space_places(cut, read_spaces(cut), None, [5])[5].probabilities.values())
        for cut in (boards[0], crossed)
    )
    assert burnt < 0.95 < clear


def answers_of(patches: np.ndarray, tmp_path: Path) -> list[np.ndarray]:
    """Returns the log odds of being empty, by each reader alone and by both, without knowledge of the print; the second
    reader looks at mirrored patches."""
    answers = []
    mirrored = np.ascontiguousarray(patches[:, :, ::-1])
    for names, shown in (
        (["reader"], patches),
        (["reader-2"], mirrored),
        (["reader", "reader-2"], patches),
    ):
        folder = tmp_path / "-".join(names)
        folder.mkdir()
        for name in names:
            shutil.copy(reader_weights(BOARDS.game) / f"{name}.onnx", folder)
        known = encode_known(hexgrid(), *np.full((2, 37), -1))
        empty = PlaceReader(folder).read_places(shown, known).empty
        answers.append(np.log(empty / (1 - empty)))
    return answers


def test_an_uncertain_reading_is_combined_with_others(seen: Seen, tmp_path: Path) -> None:
    _, boards = seen
    hazy = boards[0].patches // 2 + boards[1].patches // 2
    one, other, both = answers_of(hazy, tmp_path)
    assert np.abs(one - other).max() > 0.5
    assert (np.minimum(one, other) - 0.1 < both).all() and (both < np.maximum(one, other) + 0.1).all()
    assert np.abs(both - one).max() > 0.2 < np.abs(both - other).max()


def test_a_certain_place_is_not_read_again(
    seen: Seen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, boards = seen
    monkeypatch.setattr(networks, "CERTAIN", 0.5)
    one, _, both = answers_of(boards[0].patches, tmp_path)
    assert np.array_equal(one, both)


@pytest.mark.parametrize(
    ("sure", "looks"),
    [
        (6.0, [("reader", False)]),
        (4.0, [("reader", False), ("reader-2", True)]),
        (1.0, [("reader", False), ("reader-2", True), ("reader", True), ("reader-2", False)]),
    ],
    ids=["certain", "clear", "doubtful"],
)
def test_each_reader_looks_at_patches_and_mirrored_ones_until_they_are_clear(
    sure: float, looks: list[tuple[str, bool]], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def look(
        _: PlaceReader, name: str, patches: np.ndarray, known: np.ndarray, *, mirrored: bool
    ) -> np.ndarray:
        asked.append((name, mirrored))
        return np.full((len(patches), networks.ANSWERS), sure)

    monkeypatch.setattr(PlaceReader, "_look", look)
    nothing = np.zeros((3, PATCH_PX, PATCH_PX, 3), np.uint8)
    PlaceReader(reader_weights(BOARDS.game)).read_places(nothing, np.zeros((3, networks.KNOWN)))
    assert asked == looks


def boards_json(readings: list[SpaceReadings], truth: Mapping[str, Any]) -> list[dict[str, Any]]:
    boards = []
    for board, reading in zip(truth["boards"], readings, strict=True):
        tiles = [None if t == "empty" else {"type": t, "variant": None} for t in labels_of(reading)]
        spaces = [
            {"row": h["row"], "col": h["col"], "tile": t} for h, t in zip(board["hexes"], tiles, strict=True)
        ]
        boards.append({"player": board["player"], "spaces": spaces})
    return boards


@pytest.mark.parametrize("with_duchy", [True, False], ids=["print known", "print unknown"])
def test_shared_pictures_are_read(shared: Path, with_duchy: bool) -> None:
    accuracy = BoardAccuracy()
    for name in PICTURES:
        path = shared / "photos" / "rendered" / f"{name}.jpg"
        truth = load_truth(path)
        assert truth is not None
        cut = placed(board_patches(load_image(path), table_of(truth, with_duchy=with_duchy)))
        accuracy.update(score_boards(truth, boards_json(list(map(read_spaces, cut)), truth)))
    assert accuracy.rate("occupancy") >= 0.99
    assert accuracy.rate("type") >= (0.985 if with_duchy else 0.97)


def test_prints_of_little_contrast_are_read_in_lamplight(shared: Path) -> None:
    accuracy = BoardAccuracy()
    for path, truth in labelled_tables(shared / "photos" / "realart"):
        cut = placed(board_patches(load_image(path), table_of(truth)))
        accuracy.update(score_boards(truth, boards_json(list(map(read_spaces, cut)), truth)))
    assert accuracy.rate("occupancy") >= 0.999
    assert accuracy.rate("exact boards") >= 0.96


def test_the_grid_of_a_board_has_a_reading_for_every_space(seen: Seen) -> None:
    _, boards = seen
    reading = read_spaces(boards[0])
    assert len(reading.empty) == len(reading.tile_types) == len(reading.hidden) == len(hexgrid())
    assert reading.tile_types.sum(axis=1) == pytest.approx(1)
