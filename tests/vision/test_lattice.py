"""Duchies among single spaces: hexagons found one by one become boards."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.board_shape import BoardShape
from vision.boards.lattice import FoundSpaces, find_boards, symmetries
from vision.geometry import Plane, hexgrid


def seen_plane(turn: float, tilt: float, at: tuple[float, float], pitch: float = 20.0) -> Plane:
    """Returns the plane, from pitches to px, of a board at *at*, rotated and seen *tilt* radians off the vertical."""
    c, s = np.cos(turn), np.sin(turn)
    spin = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), 0], [0, np.sin(tilt) / 40, 1]])
    return Plane(np.array([[pitch, 0, at[0]], [0, pitch, at[1]], [0, 0, 1]]) @ lean @ spin)


def spaces_of(plane: Plane, places: np.ndarray, rng: np.random.Generator, noise: float = 0.03) -> FoundSpaces:
    """*places* (in pitches) as a finder would report them: a little off, direction known up to a sixth of a turn."""
    at = plane.to_frame(places)
    step = plane.to_frame(np.add(places, (1, 0))) - at
    pitches = np.hypot(*step.T)
    turns = np.arctan2(step[:, 1], step[:, 0]) + rng.integers(0, 6, len(places)) * np.pi / 3
    off = rng.normal(0, noise, at.shape) * pitches[:, None]
    return FoundSpaces(at + off, pitches, turns + rng.normal(0, noise, len(turns)), np.full(len(turns), 0.9))


def worst(board: Plane, truth: Plane) -> float:
    """Returns the px by which the spaces of *board* are off those of *truth*, at the best sixth of a turn."""
    found, expected = board.to_frame(hexgrid()), truth.to_frame(hexgrid())
    return float(np.hypot(*(found[:, None] - expected[None]).transpose(2, 0, 1)).min(axis=1).max())


@pytest.mark.parametrize("turn", [0.0, 0.2, 1.4, 3.0])
@pytest.mark.parametrize("tilt", [0.0, 0.5])
def test_a_board_is_found_at_any_rotation(turn: float, tilt: float) -> None:
    plane = seen_plane(turn, tilt, (300, 200))
    boards = find_boards(spaces_of(plane, hexgrid(), np.random.default_rng(1)))
    assert len(boards) == 1
    assert len(boards[0].spaces) == 37
    assert worst(boards[0].plane, plane) < 1.0


def test_a_board_is_found_though_a_third_of_its_spaces_are_not() -> None:
    rng, plane = np.random.default_rng(2), seen_plane(0.3, 0.3, (300, 200))
    places = hexgrid()[rng.permutation(37)[:25]]
    (board,) = find_boards(spaces_of(plane, places, rng))
    assert worst(board.plane, plane) < 1.5


def test_tiles_beside_a_board_are_no_part_of_it() -> None:
    rng, plane = np.random.default_rng(3), seen_plane(0.0, 0.0, (300, 200))
    beside = np.array([(4.0, 0.0), (3.5, 0.87), (3.5, -0.87), (-2.0, -3.46)])
    (board,) = find_boards(spaces_of(plane, np.concatenate([hexgrid(), beside]), rng))
    assert sorted(board.spaces) == list(range(37))


def test_two_boards_side_by_side_are_two() -> None:
    rng, planes = np.random.default_rng(4), (seen_plane(0.1, 0, (200, 200)), seen_plane(2.0, 0, (400, 210)))
    boards = find_boards(sum((spaces_of(p, hexgrid(), rng) for p in planes), FoundSpaces.none()))
    assert {int(np.argmin([worst(b.plane, p) for p in planes])) for b in boards} == {0, 1}


@pytest.mark.parametrize("turn", [0.0, 1.4, 3.0, 4.1])
def test_a_board_of_another_shape_is_found_at_any_rotation(turn: float) -> None:
    shape = BoardShape.in_rows((4, 5, 6, 7, 8, 7))
    rng, plane = np.random.default_rng(6), seen_plane(turn, 0.3, (300, 200))
    (board,) = find_boards(spaces_of(plane, hexgrid(shape), rng), None, shape)
    assert np.abs(board.plane.to_frame(hexgrid(shape)) - plane.to_frame(hexgrid(shape))).max() < 1.5


@pytest.mark.parametrize(
    ("rows", "turns"), [((4, 5, 6, 7, 6, 5, 4), 6), ((3, 4, 3), 2), ((2, 3), 1), ((1, 2), 3)]
)
def test_the_rotations_that_map_a_shape_onto_itself_are_known(rows: tuple[int, ...], turns: int) -> None:
    shape = BoardShape.in_rows(rows)
    middle = np.mean(shape.centres_mm, axis=0)
    around_middle = BoardShape.at(
        shape.names, [(x - middle[0], y - middle[1]) for x, y in shape.centres_mm], shape.anchors
    )
    assert len(symmetries(around_middle)) == turns


def test_a_handful_of_tiles_is_no_board() -> None:
    rng, plane = np.random.default_rng(5), seen_plane(0.0, 0.0, (300, 200))
    assert find_boards(spaces_of(plane, hexgrid()[:9], rng)) == []


def test_nothing_found_means_no_board() -> None:
    assert find_boards(FoundSpaces.none()) == []
