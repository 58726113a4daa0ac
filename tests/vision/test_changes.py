"""Which places look otherwise than before: only those are read again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

from calibration.table_file import parse
from hardware.scene import Scene
from hardware.virtual_table import VirtualTable, sample_layout
from vision import reader as reader_module
from vision.accuracy.truth import load_truth
from vision.boards.reading import BoardPatches, SpaceReadings, read_spaces
from vision.changes import PlaceMemory
from vision.games.burgundy.accuracy.tables import table_of
from vision.patches import board_patches
from vision.pictures import load_image
from vision.reader import TableReader
from vision.sighting import EMPTY, PlaceReading

NAMES = [f"duchy:red:{i}" for i in range(37)]
PLACED = 12
Frames: TypeAlias = tuple[np.ndarray, np.ndarray, dict[str, Any]]


@pytest.fixture(scope="module")
def frames() -> Frames:
    """Returns a table before and after a ship is placed, and its table file."""
    layout = sample_layout(("red", "blue"))
    bare = [EMPTY] * 37
    placed = [*bare[:PLACED], "ship", *bare[PLACED + 1 :]]
    with VirtualTable(layout, seed=4) as table:
        table.show(Scene(places={"duchy:red": tuple(bare)}))
        before = table.read()
        table.show(Scene(places={"duchy:red": tuple(placed)}))
        return before, table.read(), table.table_file()


def patches(frame: np.ndarray, table: dict[str, Any]) -> np.ndarray:
    cut, _ = board_patches(frame, parse(table, "t"))
    assert cut is not None
    return cut.patches


def save_changes(frame: np.ndarray, table: dict[str, Any], confidence: float = 0.99) -> PlaceMemory:
    memory = PlaceMemory()
    memory.store(NAMES, patches(frame, table), {name: PlaceReading({EMPTY: confidence}) for name in NAMES})
    return memory


def test_a_placed_tile_is_the_only_change(frames: Frames) -> None:
    before, after, table = frames
    changed = save_changes(before, table).changed(NAMES, patches(after, table))
    assert np.flatnonzero(changed).tolist() == [PLACED]


def test_new_places_have_changed(frames: Frames) -> None:
    assert PlaceMemory().changed(NAMES, patches(frames[0], frames[2])).all()


@pytest.mark.parametrize(
    "light",
    [(0.5, 0.5, 0.5), (1.25, 1.25, 1.25), (0.6, 0.85, 1.1)],
    ids=["darker", "brighter", "warmer"],
)
def test_other_light_is_no_change(frames: Frames, light: tuple[float, float, float]) -> None:
    before, _, table = frames
    slope = np.linspace(0.8, 1.0, before.shape[1])[None, :, None]
    relit = np.clip(before * np.array(light) * slope, 0, 255).astype(np.uint8)
    assert not save_changes(before, table).changed(NAMES, patches(relit, table)).any()


def test_a_hand_is_a_change_until_it_has_left(frames: Frames) -> None:
    before, _, table = frames
    memory, seen = save_changes(before, table), patches(before, table)
    assert memory.changed(NAMES, np.full_like(seen, (120, 150, 200))).all()
    assert not memory.changed(NAMES, seen).any()


def test_uncertain_readings_are_repeated(frames: Frames) -> None:
    before, _, table = frames
    assert save_changes(before, table, confidence=0.9).stale(NAMES, patches(before, table)).all()
    assert not save_changes(before, table).stale(NAMES, patches(before, table)).any()


def test_a_table_on_which_nothing_changed_is_not_read_again(
    frames: Frames, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after, table = frames
    asked: list[BoardPatches] = []

    def counted(board: BoardPatches) -> SpaceReadings:
        asked.append(board)
        return read_spaces(board)

    monkeypatch.setattr(reader_module, "read_spaces", counted)
    reader = TableReader(replace(parse(table, "t"), places=()))
    first, again, changed = reader.read(before), reader.read(before), reader.read(after)
    assert len(asked) == 3  # both duchies at first, then one of them
    assert again.places == first.places
    assert changed.places[f"duchy:red:{PLACED}"].best == "ship"


def test_changes_in_shared_sequences_are_found_and_nothing_else(shared: Path) -> None:
    found = placed = false = still = 0
    for sequence in range(3):
        memory = PlaceMemory()
        before: dict[str, str | None] = {}
        for turn in range(5):
            path = shared / "photos" / "rendered" / f"dev_seq{sequence}_{turn}.jpg"
            truth = load_truth(path)
            assert truth is not None
            cuts = board_patches(load_image(path), table_of(truth))
            for board, cut in zip(truth["boards"], cuts, strict=True):
                assert cut is not None
                names = [f"duchy:{board['player']}:{i}" for i in range(37)]
                tiles = {
                    n: s["tile"] and s["tile"]["type"] for n, s in zip(names, board["hexes"], strict=True)
                }
                seen = np.array([s["visible"] > 0.8 and s["blown_out"] < 0.3 for s in board["hexes"]])
                changed = memory.changed(names, cut.patches)
                if turn:
                    new = np.array([tiles[n] != before[n] for n in names])
                    found, placed = (
                        found + int((new & changed & seen).sum()),
                        placed + int((new & seen).sum()),
                    )
                    false, still = (
                        false + int((changed & ~new & seen).sum()),
                        still + int((~new & seen).sum()),
                    )
                hidden = {
                    n: PlaceReading({EMPTY: 1.0}, hidden=not s) for n, s in zip(names, seen, strict=True)
                }
                memory.store(names, cut.patches, hidden)
                before |= tiles
    assert found == placed > 10
    assert false <= 0.002 * still
