"""Which known board is seen, and which way round, by its types and dice together."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.board_kind import Spaces
from calibration.games.burgundy import BOARDS
from vision.boards.empty_board import _turned_places
from vision.boards.identity import best_match, clear_turn, identify_board, print_indices
from vision.boards.networks import FACES, TYPES, PlacePredictions

SURE = 0.95
"""Probability of what a space shows in these readings."""
BUILDING = BOARDS.types.index("building")


def readings(spaces: Spaces, *, tiles: int = 0, sure: float = SURE) -> PlacePredictions:
    """Returns the readings of a board of which the first *tiles* spaces have a tile of their type."""
    types, faces = print_indices(spaces, BOARDS)
    seen = _likely(types, TYPES, sure)
    empty = np.where(np.arange(len(spaces)) < tiles, 1 - sure, sure)
    return PlacePredictions(empty, seen, seen, _likely(faces - 1, FACES, sure), np.zeros(len(spaces)))


def _likely(values: np.ndarray, count: int, sure: float) -> np.ndarray:
    likely = np.full((len(values), count), (1 - sure) / (count - 1))
    likely[np.arange(len(values)), values] = sure
    return likely


@cache
def shuffled(seed: int, *, usual_dice: bool) -> Spaces:
    """Returns an unknown board: a known one with its types in another order, and perhaps its dice."""
    rng = np.random.default_rng(seed)
    spaces = BOARDS.known["se-1"]
    types = rng.permutation([tile_type for tile_type, _ in spaces]).tolist()
    dice = [die for _, die in spaces] if usual_dice else rng.integers(1, 7, len(spaces)).tolist()
    return tuple(zip(types, dice, strict=True))


def rotations(seen: PlacePredictions, first: int = 0) -> list[PlacePredictions]:
    """Returns *seen* in every rotation; the board's own is at the index -*first*, modulo six."""
    places = _turned_places()
    return [seen[places[(turn + first) % len(places)]] for turn in range(len(places))]


def with_illegible_dice(seen: PlacePredictions) -> PlacePredictions:
    """Returns *seen* with every face misread as the next one."""
    return replace(seen, faces=np.roll(seen.faces, 1, axis=1))


def with_other_tiles(seen: PlacePredictions, count: int) -> PlacePredictions:
    """Returns *seen* with building tiles on the first *count* spaces, whatever their type."""
    tile_types, empty = seen.tile_types.copy(), seen.empty.copy()
    tile_types[:count] = _likely(np.full(count, BUILDING), TYPES, SURE)
    empty[:count] = 1 - SURE
    return replace(seen, tile_types=tile_types, empty=empty)


@pytest.mark.parametrize("name", BOARDS.known)
def test_types_alone_tell_the_rotation_when_the_dice_are_misread(name: str) -> None:
    seen = with_illegible_dice(readings(BOARDS.known[name]))
    for first in range(6):
        assert clear_turn(rotations(seen, first), BOARDS) == -first % 6


@pytest.mark.parametrize("name", BOARDS.known)
def test_a_full_board_is_known_by_its_tiles(name: str) -> None:
    seen = readings(BOARDS.known[name], tiles=37)
    named = identify_board(seen, BOARDS)
    assert named is not None and BOARDS.known[named] == BOARDS.known[name]


def test_a_few_tiles_of_other_types_hide_neither_name_nor_rotation() -> None:
    seen = with_other_tiles(readings(BOARDS.known["se-4"]), 4)
    assert identify_board(seen, BOARDS) == "se-4" and clear_turn(rotations(seen), BOARDS) == 0


@pytest.mark.parametrize("usual_dice", [True, False])
@pytest.mark.parametrize("seed", range(20))
def test_a_board_of_other_types_is_none_of_the_known_ones(seed: int, usual_dice: bool) -> None:
    seen = readings(shuffled(seed, usual_dice=usual_dice))
    assert identify_board(seen, BOARDS) is None and clear_turn(rotations(seen), BOARDS) is None


def test_the_types_of_too_few_visible_spaces_are_no_proof() -> None:
    seen = readings(BOARDS.known["se-3"])
    hidden = replace(seen, hidden=np.where(np.arange(37) < 9, 0.0, 1.0))
    assert identify_board(hidden, BOARDS) is None


def test_two_boards_that_differ_only_where_nothing_is_visible_are_not_told_apart() -> None:
    one, other = BOARDS.known["se-8"], BOARDS.known["2011-8"]
    same = np.array([a == b for a, b in zip(one, other, strict=True)])
    assert not same.all()
    seen = replace(readings(one), hidden=np.where(same, 0.0, 1.0))
    assert identify_board(seen, BOARDS) is None


def test_a_board_with_a_few_types_changed_by_hand_is_no_known_one_but_lies_the_same_way() -> None:
    spaces = list(BOARDS.known["se-5"])
    others = iter(("mine", "ship", "castle") * 2)
    for i in range(0, 36, 6):
        spaces[i] = (next(kind for kind in others if kind != spaces[i][0]), spaces[i][1])
    seen = readings(tuple(spaces))
    assert identify_board(seen, BOARDS) is None
    assert clear_turn(rotations(seen, 2), BOARDS) == 4


def test_without_known_boards_nothing_is_compared() -> None:
    kind = replace(BOARDS, load_known=dict)
    seen = readings(BOARDS.known["se-1"])
    assert best_match(seen, kind) is None and clear_turn(rotations(seen), kind) is None
