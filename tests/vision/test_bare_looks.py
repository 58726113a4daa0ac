"""The look of an empty space is learnt, and makes tiles and empty spaces on the owner's print more certain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.table_file import TableFile, parse
from hardware.scene import Scene
from hardware.virtual_table import VirtualTable, sample_layout
from hardware.virtual_table.games.burgundy.sprites import TILE_LABELS
from vision import table_dice
from vision.accuracy.truth import labelled_tables
from vision.bare_looks import BareLooks
from vision.boards.reading import BoardPatches, SpaceReadings, read_spaces
from vision.games.burgundy.accuracy.tables import table_of
from vision.geometry import PATCH_PX
from vision.pictures import load_image
from vision.reader import TableReader
from vision.sighting import EMPTY, PlaceReading

PLAYERS = ("red", "blue")
DOUBT = 0.9
"""Probability of what lies there below which a reading is doubtful."""


@pytest.fixture(autouse=True)
def _no_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice have tests of their own."""
    monkeypatch.setattr(table_dice, "read_dice", lambda frame, **_: ())


def patches(count: int, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    coarse = rng.integers(60, 200, (count, 6, 6, 3), np.uint8)
    return coarse.repeat(PATCH_PX // 6, axis=1).repeat(PATCH_PX // 6, axis=2)


def test_a_space_that_looks_as_when_it_was_empty_is_more_likely_empty_even_in_dimmer_light() -> None:
    looks, seen = BareLooks(), patches(2)
    looks.learn(["a", "b"], seen)
    dim = (seen * 0.6).astype(np.uint8)
    assert (looks.weigh(["a", "b"], dim, np.array([0.5, 0.2])) > [0.9, 0.7]).all()


def test_a_space_that_looks_different_is_less_likely_empty() -> None:
    looks = BareLooks()
    looks.learn(["a"], patches(1))
    assert looks.weigh(["a"], patches(1, seed=2), np.array([0.5]))[0] < 0.25


def test_spaces_that_were_not_seen_empty_are_left_as_they_were_read() -> None:
    looks, seen = BareLooks(), patches(3)
    empty = np.array([0.3, 0.999, 0.6])
    assert looks.weigh(["a", "b", "c"], seen, empty).tolist() == empty.tolist()
    looks.learn(["b"], seen[1:2])
    weighed = looks.weigh(["a", "b", "c"], seen, empty)
    assert weighed[0] == 0.3 and weighed[2] == 0.6


@pytest.fixture(scope="module")
def photos() -> tuple[np.ndarray, np.ndarray, TableFile, dict[str, str]]:
    """Returns a table without tiles, the same with tiles on half of the spaces, and what lies there."""
    layout, rng = sample_layout(PLAYERS), np.random.default_rng(4)
    labels = {}
    for board in layout.boards:
        for i, (tile_type, _) in enumerate(board.spaces):
            fitting = [label for label in TILE_LABELS if label.split("/")[0] == tile_type]
            labels[f"duchy:{board.player}:{i}"] = str(rng.choice(fitting)) if rng.random() < 0.5 else EMPTY
    tiles = defaultdict[str, list[str]](list)
    for place, label in labels.items():
        tiles[place.rpartition(":")[0]].append(label)
    with VirtualTable(layout, seed=6) as table:
        table.show(Scene())
        empty = table.read()
        table.show(Scene(places={group: tuple(on) for group, on in tiles.items()}))
        return empty, table.read(), parse(table.table_file(), "virtual"), labels


def chance(places: Mapping[str, PlaceReading], place: str, label: str) -> float:
    """Returns the probability that a tile lies there, or that none does, whichever is true."""
    empty = places[place].probability(EMPTY)
    return empty if label == EMPTY else 1 - empty


def test_what_lies_on_spaces_seen_empty_is_told_where_the_print_leaves_it_open(
    photos: tuple[np.ndarray, np.ndarray, TableFile, dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_minded(board: BoardPatches) -> SpaceReadings:
        read = read_spaces(board)
        return replace(read, empty=np.full_like(read.empty, 0.5))

    empty, later, table, labels = photos
    reader = TableReader(table)
    reader.read(empty)
    reader.learn_bare(empty, dict.fromkeys(labels, EMPTY))
    monkeypatch.setattr("vision.reader.read_spaces", open_minded)
    places = reader.read((later * 0.5).astype(np.uint8)).places
    assert all(chance(places, *each) > 0.7 for each in labels.items() if each[1] == EMPTY)
    tiles = [chance(places, *each) for each in labels.items() if each[1] != EMPTY]
    assert np.mean(tiles) > 0.7  # some are drawn much like their space


def test_where_a_tile_is_certainly_seen_nothing_is_learnt(
    photos: tuple[np.ndarray, np.ndarray, TableFile, dict[str, str]],
) -> None:
    _, later, table, labels = photos
    plain, learnt = TableReader(table), TableReader(table)
    learnt.read(later)
    tiles = [place for place, label in labels.items() if label != EMPTY]
    learnt.learn_bare(later, dict.fromkeys(tiles, EMPTY))
    group = {f"duchy:{player}" for player in PLAYERS}
    assert learnt.read(later, group).places == plain.read(later, group).places


def test_real_prints_are_read_with_more_certainty_from_the_second_picture_on(shared: Path) -> None:
    chances: dict[str, list[float]] = {"learnt": [], "plain": []}
    readers: dict[object, dict[str, TableReader]] = {}
    for path, truth in labelled_tables(shared / "photos" / "realart"):
        if not truth.get("sequence"):
            continue
        frame, table = load_image(path), table_of(truth)
        true = {
            f"duchy:{board['player']}:{i}": EMPTY if space["tile"] is None else space["tile"]["type"]
            for board in truth["boards"]
            for i, space in enumerate(board["hexes"])
            if space["visible"] > 0.8
        }
        sequence = truth["sequence"]["id"]
        is_first = sequence not in readers
        pair = readers.setdefault(sequence, {name: TableReader(table) for name in chances})
        for name, reader in pair.items():
            reader.table = table
            places = reader.read_places(frame)
            if is_first:
                if name == "learnt":
                    reader.learn_bare(frame, true)
            else:
                reader._memory.forget()
                chances[name] += [chance(places, *each) for each in true.items()]
    assert len(readers) == 2
    assert min(chances["learnt"]) > DOUBT
    assert np.log(chances["learnt"]).sum() > np.log(chances["plain"]).sum()
