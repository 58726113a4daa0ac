"""Which spaces hold which tiles: on the virtual table, whose print nothing was fitted to, and on shared pictures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.facts import COLOURS
from calibration.table_file import parse
from hardware.scene import Scene
from hardware.virtual_table import VirtualTable, sample_layout
from vision.accuracy.boards import Tally, score_boards
from vision.accuracy.fit_looks import fit_looks, fit_weights, lesson
from vision.accuracy.tables import load_truth, table_of
from vision.geometry import PATCH_PX, hexgrid
from vision.pictures import load_image
from vision.printed_die import agreement, grey_patches, own_face, pip_scores
from vision.reader import board_patches
from vision.spaces import BoardPatches, SpaceReadings, read_spaces

PLAYERS = ("red", "blue", "green", "black")
TILES = {
    "castle": "castle",
    "mine": "mine",
    "ship": "ship",
    "livestock": "livestock/pig_3",
    "building": "building/church",
    "monastery": "monastery/9",
}
TAUGHT = ("dev_board_01", "dev_board_02", "dev_board_06", "dev_board_08", "dev_board_14", "dev_seq2_0")
"""Pictures of three printings that teach; a fourth printing is read."""
UNSEEN_PRINTING = ("dev_board_07", "dev_board_10", "dev_board_13", "dev_board_16")


def scene(layout, share: float, rng: np.random.Generator) -> Scene:
    places = {}
    for board in layout.boards:
        tiles = [TILES[colour] if rng.random() < share else "empty" for colour, _ in board.spaces]
        tiles[20] = "ship" if board.spaces[20][0] != "ship" else "mine"  # against the rules, and to be seen
        places[f"duchy:{board.player}"] = tuple(tiles)
    return Scene(places=places)


@pytest.fixture(scope="module", params=[0.2, 0.7], ids=["early", "late"])
def seen(request) -> tuple[Scene, list[BoardPatches]]:
    """A scene with few or with many tiles, and its duchies as the camera sees them."""
    layout = sample_layout(PLAYERS)
    shown = scene(layout, request.param, np.random.default_rng(7))
    with VirtualTable(layout, seed=11) as table:
        table.show(shown)
        return shown, board_patches(table.read(), parse(table.table_file(), "virtual"))


def labels(shown: Scene, player: str) -> list[str]:
    return [label.split("/")[0] for label in shown.places[f"duchy:{player}"]]


def told(reading: SpaceReadings) -> list[str]:
    best = [COLOURS[i] for i in reading.types.argmax(axis=1)]
    return ["empty" if p > 0.5 else tile for p, tile in zip(reading.empty, best, strict=True)]


def test_every_space_of_four_duchies_is_read_right(seen):
    shown, boards = seen
    for player, reading in zip(PLAYERS, read_spaces(boards), strict=True):
        assert told(reading) == labels(shown, player)
        assert not reading.hidden.any()


def test_duchies_that_are_not_known_beforehand_are_recognised(seen):
    shown, boards = seen
    readings = read_spaces([replace(board, spaces=None) for board in boards])
    right = [
        np.mean([a == b for a, b in zip(told(r), labels(shown, p), strict=True)])
        for p, r in zip(PLAYERS, readings, strict=True)
    ]
    assert min(right) >= 35 / 37


def test_a_space_outside_the_frame_is_hidden(seen):
    _, boards = seen
    framed = boards[0].framed.copy()
    framed[3] = 0.2
    (reading,) = read_spaces([replace(boards[0], framed=framed)])
    assert np.flatnonzero(reading.hidden).tolist() == [3]


def test_a_space_burnt_out_by_glare_is_hidden(seen):
    _, boards = seen
    patches = boards[0].patches.copy()
    patches[5, : PATCH_PX * 2 // 3] = 255
    (reading,) = read_spaces([replace(boards[0], patches=patches)])
    assert reading.hidden[5]


def test_no_boards_read_to_nothing():
    assert read_spaces([]) == []


def printed_face(number: int, ground: int = 140, face: int = 230, step: float = 4.0) -> np.ndarray:
    """A flat space with a light square and dark pips in its middle."""
    patch = np.full((PATCH_PX, PATCH_PX, 3), ground, np.uint8)
    y, x = np.indices((PATCH_PX, PATCH_PX)) - (PATCH_PX - 1) / 2
    patch[np.maximum(abs(x), abs(y)) < 2 * step] = face
    columns = {1: "....o....", 2: "o.......o", 3: "o...o...o", 4: "o.o...o.o", 5: "o.o.o.o.o", 6: "o.oo.oo.o"}
    for i, cell in enumerate(columns[number]):
        if cell == "o":
            patch[np.hypot(x - (i % 3 - 1) * step, y - (i // 3 - 1) * step) < step / 3] = 20
    return patch


def test_a_printed_face_is_told_from_the_other_numbers():
    numbers = np.arange(1, 7)
    scores = pip_scores(grey_patches(np.array([printed_face(n) for n in numbers])))
    own, margin = own_face(scores, numbers)
    assert own.min() > 0.5 and margin.min() > 0.05
    _, wrong = own_face(scores, np.roll(numbers, 1))
    assert (wrong < margin).all()


def test_a_flat_space_shows_no_face():
    flat = grey_patches(np.full((1, PATCH_PX, PATCH_PX, 3), 140, np.uint8))
    assert np.abs(pip_scores(flat)).max() < 0.01


def test_empty_spaces_agree_with_each_other_and_a_tile_does_not():
    numbers = np.array([4, 4, 4, 4])
    patches = np.array([printed_face(4, ground) for ground in (90, 140, 180)] + [printed_face(1, 60, 40, 6)])
    agrees, teachers = agreement(grey_patches(patches), numbers, np.array([1.0, 1, 1, 0]))
    assert agrees[:3].min() > 0.8 > 0.5 > agrees[3]
    assert teachers.tolist() == [2, 2, 2, 3]


def boards_json(readings: list[SpaceReadings], truth: dict) -> list[dict]:
    boards = []
    for board, reading in zip(truth["boards"], readings, strict=True):
        tiles = [None if t == "empty" else {"type": t, "variant": None} for t in told(reading)]
        spaces = [
            {"row": h["row"], "col": h["col"], "tile": t} for h, t in zip(board["hexes"], tiles, strict=True)
        ]
        boards.append({"player": board["player"], "spaces": spaces})
    return boards


def rendered_tally(folder: Path, names: tuple[str, ...], **model) -> Tally:
    tally = Tally()
    for name in names:
        truth = load_truth(folder / f"{name}.jpg")
        cut = board_patches(load_image(folder / f"{name}.jpg"), table_of(truth))
        tally.update(score_boards(truth, boards_json(read_spaces(cut, **model), truth)))
    return tally


def test_a_printing_never_seen_before_is_read(shared):
    """Fitted to three printings of the shared set, read on the fourth."""
    folder = shared / "photos" / "rendered"
    taught = [lesson(folder / f"{name}.jpg", load_truth(folder / f"{name}.jpg")) for name in TAUGHT]
    looks = fit_looks(taught)
    tally = rendered_tally(folder, UNSEEN_PRINTING, looks=looks, weights=fit_weights(taught, looks))
    assert tally.rate("occupancy") >= 0.96
    assert tally.rate("type") >= 0.94


def test_shared_pictures_are_read(shared):
    """With the shipped fit, which has seen these printings; the test above is the honest one."""
    tally = rendered_tally(shared / "photos" / "rendered", (*TAUGHT, *UNSEEN_PRINTING))
    assert tally.rate("occupancy") >= 0.97
    assert tally.rate("type") >= 0.96


def test_the_grid_of_a_board_has_a_reading_for_every_space(seen):
    _, boards = seen
    (reading,) = read_spaces(boards[:1])
    assert len(reading.empty) == len(reading.types) == len(reading.hidden) == len(hexgrid())
    assert reading.types.sum(axis=1) == pytest.approx(1)
