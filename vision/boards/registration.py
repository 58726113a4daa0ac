"""Checks whether boards still lie where the table file says, and follows boards and cameras that were nudged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from math import ceil

import cv2
import numpy as np

from calibration.board_shape import PITCH_MM, STANDARD, BoardShape
from calibration.table_file import BoardPlan, FixedPlane, Quad, TableFile

from ..geometry import Lens, Plane, anchor_points, find_homography, hexgrid, radius, transformed
from ..view import TableView, fixed_plane
from .finding import STANDARD_PRINT, read_candidate, turned
from .identity import print_indices
from .lattice import MIN_SPACES, FoundSpaces, find_boards, symmetries
from .networks import shipped_finder

NUDGED_MM = 3.0
"""Mean offset of the spaces of a board from which it is followed; single spaces are located within 1 mm."""
REACH = 0.4
"""Pitches around its expected position within which a space is matched."""
ENOUGH = 0.54
"""Share of the spaces of a board that must be visible to locate it; never less than MIN_SPACES."""
INLIER = 0.15
"""Pitches that a space may be off the others."""
MIN_OUTSIDE = 4
"""Spaces just outside the expected outline that mean that the board has moved by a whole space."""
SEARCHED = 6.0
"""Pitches beyond the outermost space of a board within which it is searched again."""
STEPS = np.array([(np.cos(a), np.sin(a)) for a in np.arange(6) * np.pi / 3])
"""To the six neighbours of a space."""


@dataclass(frozen=True, slots=True)
class Registered:
    """Result of checking the boards of a table."""

    table: TableFile
    """With the current positions of the boards."""
    nudged: Mapping[str, float] = field(default_factory=dict)
    """Player -> mm by which the board has moved."""
    lost: tuple[str, ...] = ()
    """Players whose board is in the picture, but neither where it was nor found elsewhere."""


def register(frame: np.ndarray, table: TableFile, view: TableView) -> Registered:
    """Compares the positions of the spaces of each board in *frame* with those in *table*.

    Boards with too few visible spaces are left unchanged. Without markers, a nudged camera has moved all boards alike;
    then the plane of the other places moves with them, and so do boards that have too few spaces to be located.
    """
    spaces = shipped_finder().find_spaces(frame)
    plans = {board.player: board for board in table.boards}
    before = {
        player: plane
        for player, board in plans.items()
        if _is_followed(board.shape) and (plane := view.plane_of(board)) is not None
    }
    after: dict[str, Plane] = {}
    nudged: dict[str, float] = {}
    lost: list[str] = []
    for player, plane in before.items():
        shape = plans[player].shape
        now = _matches_seen_again(plane, spaces, shape)
        if now is None:
            if _many_near(plane, spaces, shape):
                lost.append(player)
            continue
        moved = _distance(plane, now, shape)
        if moved * PITCH_MM >= NUDGED_MM:
            after[player] = _on_its_print(frame, now, plans[player])
            nudged[player] = round(_distance(plane, after[player], shape) * PITCH_MM, 1)
    if not after:
        return Registered(table, lost=tuple(lost))
    fixed, old = table.plane, view
    if (
        fixed is not None
        and len(after) == len(before)
        and (moved_plane := _moved_plane(fixed, before, after, plans))
    ):
        fixed = moved_plane
        view = replace(view, fixed=fixed_plane(fixed, view.lens))
    boards = tuple(
        _at(board, after[board.player], view) if board.player in after else _along(board, old, view)
        for board in table.boards
    )
    return Registered(replace(table, boards=boards, plane=fixed), nudged, tuple(lost))


def _is_followed(shape: BoardShape) -> bool:
    return len(shape.names) >= MIN_SPACES


def _enough(shape: BoardShape) -> int:
    """Returns how many spaces of a board must be visible to locate it."""
    return max(MIN_SPACES, ceil(ENOUGH * len(shape.names)))


def _matches_seen_again(plane: Plane, spaces: FoundSpaces, shape: BoardShape) -> Plane | None:
    """Returns the plane of the board at *plane* by its visible *spaces*; None if too few are visible."""
    rows, places = _matched(plane, spaces, shape)
    if len(rows) >= _enough(shape) and _outside(plane, spaces, shape) < MIN_OUTSIDE:
        return _fitted(spaces.centres[rows], hexgrid(shape)[places], plane.lens, _enough(shape))
    return _searched(plane, spaces, shape)


def _matched(plane: Plane, spaces: FoundSpaces, shape: BoardShape) -> tuple[np.ndarray, np.ndarray]:
    """Returns the rows of *spaces* that are spaces of the board, and their indices on the board."""
    if not len(spaces.heats):
        return np.empty(0, int), np.empty(0, int)
    at = plane.from_frame(spaces.centres)
    away = np.hypot(*(at[:, None] - hexgrid(shape)[None]).transpose(2, 0, 1))
    nearest = away.argmin(axis=1)
    matches: dict[int, int] = {}
    for row in np.argsort(away.min(axis=1)):
        if away[row, nearest[row]] < REACH:
            matches.setdefault(int(nearest[row]), int(row))
    return np.array(list(matches.values()), int), np.array(list(matches), int)


def _outside(plane: Plane, spaces: FoundSpaces, shape: BoardShape) -> int:
    """Returns the number of spaces where the board's lattice would continue beyond its outline."""
    return len(_around(plane, spaces, ring(shape)))


def _around(plane: Plane, spaces: FoundSpaces, places: np.ndarray) -> np.ndarray:
    if not len(spaces.heats):
        return np.empty(0, int)
    away = np.hypot(*(plane.from_frame(spaces.centres)[:, None] - places[None]).transpose(2, 0, 1))
    return np.flatnonzero(away.min(axis=1) < REACH)


def _many_near(plane: Plane, spaces: FoundSpaces, shape: BoardShape) -> bool:
    """Returns whether so many spaces are visible around the board that it must be there."""
    return len(_around(plane, spaces, np.concatenate([hexgrid(shape), ring(shape)]))) >= _enough(shape)


def _searched(plane: Plane, spaces: FoundSpaces, shape: BoardShape) -> Plane | None:
    """Returns the board near *plane* in any position, with the rotation nearest to its old one."""
    if not len(spaces.heats):
        return None
    near = spaces[np.hypot(*plane.from_frame(spaces.centres).T) < radius(shape) + SEARCHED]
    found = [board for board in find_boards(near, plane.lens, shape) if len(board.spaces) >= _enough(shape)]
    if not found:
        return None
    ways = [turned(board.plane, turn) for board in found for turn in symmetries(shape)]
    return min(ways, key=lambda way: _distance(plane, way, shape))


def _on_its_print(frame: np.ndarray, plane: Plane, board: BoardPlan) -> Plane:
    """Returns *plane*, or that plane shifted by one space if the printed faces say so: hidden spaces may mislead."""
    if (faces := _printed_faces(board)) is None:
        return plane
    shifts = np.concatenate([np.zeros((1, 2)), STEPS])
    planes = [Plane(plane.homography @ _shift(shift), plane.lens) for shift in shifts]
    looks = [read_candidate(frame, shifted, board.kind, board.shape) for shifted in planes]
    agreement = [look.agreement(faces) for look in looks]
    return looks[int(np.argmax(agreement))].plane if max(agreement) >= STANDARD_PRINT else plane


def _printed_faces(board: BoardPlan) -> np.ndarray | None:
    """Returns the printed faces of a board, 1 to 6; None if they are not known."""
    if board.spaces:
        return print_indices(board.spaces, board.kind)[1]
    usual = board.kind.usual_dice if board.shape == STANDARD else ()
    return np.array(usual) if usual else None


def _shift(by: np.ndarray) -> np.ndarray:
    return np.array([[1, 0, by[0]], [0, 1, by[1]], [0, 0, 1]])


def _fitted(points: np.ndarray, places: np.ndarray, lens: Lens | None, enough: int) -> Plane | None:
    """Returns the plane on which *places* (N, 2) are seen at *points* (N, 2); None if fewer than *enough* are."""
    ideal = lens.undistort(points) if lens else points
    back = find_homography(ideal, places, cv2.RANSAC, INLIER)
    if back is None or back[1].sum() < enough:
        return None
    fitted = find_homography(places[back[1]], ideal[back[1]])
    return None if fitted is None else Plane(fitted[0], lens)


def _distance(one: Plane, other: Plane, shape: BoardShape) -> float:
    """Returns the root mean square distance of the spaces of two boards of one shape, in pitches."""
    away = one.from_frame(other.to_frame(hexgrid(shape))) - hexgrid(shape)
    return float(np.sqrt((away**2).sum(axis=1).mean()))


def _moved_plane(
    fixed: FixedPlane,
    before: Mapping[str, Plane],
    after: Mapping[str, Plane],
    plans: Mapping[str, BoardPlan],
) -> FixedPlane | None:
    """Returns the table plane after the camera was nudged, from the movement of the boards; None if they do not
    determine it."""
    grids = {player: hexgrid(plans[player].shape) for player in after}
    old = np.concatenate([before[player].to_frame(grid) for player, grid in grids.items()])
    new = np.concatenate([after[player].to_frame(grid) for player, grid in grids.items()])
    camera = find_homography(old, new)
    return (
        None
        if camera is None
        else FixedPlane(_quad(transformed(np.array(fixed.pixels), camera[0])), fixed.mm)
    )


def _at(board: BoardPlan, plane: Plane, view: TableView) -> BoardPlan:
    """Returns *board* at *plane*, in mm if its anchors are."""
    pixels = plane.to_frame(anchor_points(board.shape))
    if board.anchors_mm is not None and view.table is not None:
        return replace(board, anchors_mm=_quad(view.table.from_frame(pixels)))
    return replace(board, anchors=_quad(pixels), anchors_mm=None)


def _along(board: BoardPlan, before: TableView, now: TableView) -> BoardPlan:
    """Returns *board*, if it has too few spaces to be located, where it is after the table's plane has moved."""
    if now is before or _is_followed(board.shape) or board.anchors is None:
        return board
    assert before.table is not None and now.table is not None  # it has moved
    return replace(board, anchors=_quad(now.table.to_frame(before.table.from_frame(np.array(board.anchors)))))


def _quad(points: np.ndarray) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


@cache
def ring(shape: BoardShape) -> np.ndarray:
    """Returns (N, 2) in pitches: the continuation of the lattice around the spaces of a board."""
    grid = hexgrid(shape)
    beyond = np.unique(np.round((grid[:, None] + STEPS[None]).reshape(-1, 2), 6), axis=0)
    away = np.hypot(*(beyond[:, None] - grid[None]).transpose(2, 0, 1)).min(axis=1)
    around: np.ndarray = beyond[away > 0.5]
    return around
