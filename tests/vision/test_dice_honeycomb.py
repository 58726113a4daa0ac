"""Faces printed on the spaces of a board, which lie in a honeycomb."""

from __future__ import annotations

import numpy as np
import pytest

from vision.dice.honeycomb import LEAST, in_honeycomb

SIDE = 20.0
"""px; of the printed faces."""
PITCH = 2.4 * SIDE


def board(rings: int = 3) -> np.ndarray:
    """Returns (N, 2) px: the middles of the spaces of a board, turned a little."""
    steps = np.array([[1, 0], [0.5, np.sqrt(3) / 2]]) * PITCH
    cells = [
        (u, v) for u in range(-rings, rings + 1) for v in range(-rings, rings + 1) if abs(u + v) <= rings
    ]
    turn = np.array([[np.cos(0.2), np.sin(0.2)], [-np.sin(0.2), np.cos(0.2)]])
    spots: np.ndarray = np.array(cells) @ steps @ turn + 300
    return spots


def printed(centres: np.ndarray, sides: np.ndarray | None = None) -> np.ndarray:
    sides = np.full(len(centres), SIDE) if sides is None else sides
    return in_honeycomb(centres, sides, np.arange(len(centres)))


def test_the_printed_faces_of_a_board_are_found() -> None:
    assert printed(board()).all()


def test_a_board_seen_at_an_angle_is_found() -> None:
    assert printed(board() * (1.0, 0.85)).all()


def test_faces_found_a_little_off_their_place_belong_to_the_board() -> None:
    off = np.random.default_rng(1).normal(0, 0.02 * PITCH, (37, 2))
    assert printed(board() + off).mean() > 0.9


def test_a_board_with_tiles_on_half_of_its_spaces_is_found() -> None:
    free = np.random.default_rng(2).permutation(board())[:20]
    assert printed(free).mean() > 0.8


def test_two_boards_are_found() -> None:
    assert printed(np.concatenate([board(), board() + np.array([900, 40])])).all()


def test_fewer_faces_may_lie_so_by_chance() -> None:
    assert not printed(board()[: LEAST - 1]).any()


def test_a_die_beside_the_board_or_between_its_spaces_is_none_of_it() -> None:
    spots = board()
    dice = np.array([spots[0] + (0.4 * PITCH, 0.3 * PITCH), spots.min(0) - 2.4 * PITCH])
    assert not printed(np.concatenate([dice, spots]))[:2].any()


def test_a_larger_die_on_a_space_is_none_of_the_print() -> None:
    sides = np.full(37, SIDE)
    sides[18] = 1.5 * SIDE
    assert np.flatnonzero(~printed(board(), sides)).tolist() == [18]


@pytest.mark.parametrize("seed", range(20))
def test_a_throw_of_many_dice_is_no_print(seed: int) -> None:
    spots: list[np.ndarray] = []
    for spot in np.random.default_rng(seed).uniform(0, 16 * SIDE, (200, 2)):
        if all(np.hypot(*(spot - other)) > 1.1 * SIDE for other in spots):
            spots.append(spot)
    assert not printed(np.array(spots[:40])).any()


@pytest.mark.parametrize("step", [1.0, 1.3, 1.7, 2.2])
def test_dice_in_rows_are_no_print(step: float) -> None:
    rows = np.stack(np.meshgrid(np.arange(6.0), np.arange(6.0)), -1).reshape(-1, 2)
    assert not printed(step * SIDE * rows).any()


def test_no_faces_are_no_print() -> None:
    assert printed(np.empty((0, 2))).shape == (0,)
