"""Checks whether boards still lie where the table file says, and follows boards and cameras that were nudged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from calibration.board_kind import Spaces
from calibration.board_shape import PITCH_MM
from calibration.table_file import BoardPlan, FixedPlane, Quad, TableFile

from ..geometry import Lens, Plane, anchor_points, find_homography, hexgrid, transformed
from ..view import TableView, fixed_plane
from .finding import STANDARD_PRINT, TURNS, read_candidate, turned
from .lattice import FoundSpaces, find_boards
from .networks import can_read, shipped_networks
from .reading import print_indices, standard_dice

NUDGED_MM = 3.0
"""Mean offset of the spaces of a board from which it is followed; single spaces are located within 1 mm."""
REACH = 0.4
"""Pitches around its expected position within which a space is matched."""
ENOUGH = 20
"""Spaces of a board that must be visible to locate it."""
INLIER = 0.15
"""Pitches that a space may be off the others."""
MIN_OUTSIDE = 4
"""Spaces just outside the expected outline that mean that the board has moved by a whole space."""
SEARCHED = 9.0
"""Pitches around the centre of a board within which it is searched again."""
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
    then the plane of the depots moves with them, and so do boards of shapes that cannot be read.
    """
    spaces = shipped_networks().find_spaces(frame)
    before = {
        board.player: plane
        for board in table.boards
        if can_read(board.shape) and (plane := view.plane_of(board)) is not None
    }
    prints = {board.player: board.spaces for board in table.boards}
    after: dict[str, Plane] = {}
    nudged: dict[str, float] = {}
    lost: list[str] = []
    for player, plane in before.items():
        now = _matches_seen_again(plane, spaces)
        if now is None:
            if _many_near(plane, spaces):
                lost.append(player)
            continue
        moved = _distance(plane, now)
        if moved * PITCH_MM >= NUDGED_MM:
            after[player] = _on_its_print(frame, now, prints[player])
            nudged[player] = round(_distance(plane, after[player]) * PITCH_MM, 1)
    if not after:
        return Registered(table, lost=tuple(lost))
    fixed, old = table.plane, view
    if (
        fixed is not None
        and len(after) == len(before)
        and (moved_plane := _moved_plane(fixed, before, after))
    ):
        fixed = moved_plane
        view = replace(view, fixed=fixed_plane(fixed, view.lens))
    boards = tuple(
        _at(board, after[board.player], view) if board.player in after else _along(board, old, view)
        for board in table.boards
    )
    return Registered(replace(table, boards=boards, plane=fixed), nudged, tuple(lost))


def _matches_seen_again(plane: Plane, spaces: FoundSpaces) -> Plane | None:
    """Returns the plane of the board at *plane* by its visible *spaces*; None if too few are visible."""
    rows, places = _matched(plane, spaces)
    if len(rows) >= ENOUGH and _outside(plane, spaces) < MIN_OUTSIDE:
        return _fitted(spaces.centres[rows], hexgrid()[places], plane.lens)
    return _searched(plane, spaces)


def _matched(plane: Plane, spaces: FoundSpaces) -> tuple[np.ndarray, np.ndarray]:
    """Returns the rows of *spaces* that are spaces of the board, and their indices on the board."""
    if not len(spaces.heats):
        return np.empty(0, int), np.empty(0, int)
    at = plane.from_frame(spaces.centres)
    away = np.hypot(*(at[:, None] - hexgrid()[None]).transpose(2, 0, 1))
    nearest = away.argmin(axis=1)
    matches: dict[int, int] = {}
    for row in np.argsort(away.min(axis=1)):
        if away[row, nearest[row]] < REACH:
            matches.setdefault(int(nearest[row]), int(row))
    return np.array(list(matches.values()), int), np.array(list(matches), int)


def _outside(plane: Plane, spaces: FoundSpaces) -> int:
    """Returns the number of spaces where the board's lattice would continue beyond its outline."""
    return len(_around(plane, spaces, RING))


def _around(plane: Plane, spaces: FoundSpaces, places: np.ndarray) -> np.ndarray:
    if not len(spaces.heats):
        return np.empty(0, int)
    away = np.hypot(*(plane.from_frame(spaces.centres)[:, None] - places[None]).transpose(2, 0, 1))
    return np.flatnonzero(away.min(axis=1) < REACH)


def _many_near(plane: Plane, spaces: FoundSpaces) -> bool:
    """Returns whether so many spaces are visible around the board that it must be there."""
    return len(_around(plane, spaces, np.concatenate([hexgrid(), RING]))) >= ENOUGH


def _searched(plane: Plane, spaces: FoundSpaces) -> Plane | None:
    """Returns the board near *plane* in any position, with the rotation nearest to its old one."""
    if not len(spaces.heats):
        return None
    near = spaces[np.hypot(*plane.from_frame(spaces.centres).T) < SEARCHED]
    found = [board for board in find_boards(near, plane.lens) if len(board.spaces) >= ENOUGH]
    if not found:
        return None
    ways = [turned(board.plane, turn) for board in found for turn in range(TURNS)]
    return min(ways, key=lambda way: _distance(plane, way))


def _on_its_print(frame: np.ndarray, plane: Plane, spaces: Spaces | None) -> Plane:
    """Returns *plane*, or that plane shifted by one space if the printed faces say so: hidden spaces may mislead."""
    faces = print_indices(spaces)[1] if spaces else standard_dice()
    shifts = np.concatenate([np.zeros((1, 2)), STEPS])
    looks = [read_candidate(frame, Plane(plane.homography @ _shift(shift), plane.lens)) for shift in shifts]
    agreement = [look.agreement(faces) for look in looks]
    return looks[int(np.argmax(agreement))].plane if max(agreement) >= STANDARD_PRINT else plane


def _shift(by: np.ndarray) -> np.ndarray:
    return np.array([[1, 0, by[0]], [0, 1, by[1]], [0, 0, 1]])


def _fitted(points: np.ndarray, places: np.ndarray, lens: Lens | None) -> Plane | None:
    ideal = lens.undistort(points) if lens else points
    back = find_homography(ideal, places, cv2.RANSAC, INLIER)
    if back is None or back[1].sum() < ENOUGH:
        return None
    fitted = find_homography(places[back[1]], ideal[back[1]])
    return None if fitted is None else Plane(fitted[0], lens)


def _distance(one: Plane, other: Plane) -> float:
    """Returns the root mean square distance of the spaces of two boards, in pitches."""
    away = one.from_frame(other.to_frame(hexgrid())) - hexgrid()
    return float(np.sqrt((away**2).sum(axis=1).mean()))


def _moved_plane(
    fixed: FixedPlane, before: Mapping[str, Plane], after: Mapping[str, Plane]
) -> FixedPlane | None:
    """Returns the table plane after the camera was nudged, from the movement of the boards; None if they do not
    determine it."""
    grid = hexgrid()
    old = np.concatenate([before[player].to_frame(grid) for player in after])
    new = np.concatenate([after[player].to_frame(grid) for player in after])
    camera = find_homography(old, new)
    return (
        None
        if camera is None
        else FixedPlane(_quad(transformed(np.array(fixed.pixels), camera[0])), fixed.mm)
    )


def _at(board: BoardPlan, plane: Plane, view: TableView) -> BoardPlan:
    """Returns *board* at *plane*, in mm if its anchors are."""
    pixels = plane.to_frame(anchor_points())
    if board.anchors_mm is not None and view.table is not None:
        return replace(board, anchors_mm=_quad(view.table.from_frame(pixels)))
    return replace(board, anchors=_quad(pixels), anchors_mm=None)


def _along(board: BoardPlan, before: TableView, now: TableView) -> BoardPlan:
    """Returns *board*, if it cannot be read, where it is after the table's plane has moved."""
    if now is before or can_read(board.shape) or board.anchors is None:
        return board
    assert before.table is not None and now.table is not None  # it has moved
    return replace(board, anchors=_quad(now.table.to_frame(before.table.from_frame(np.array(board.anchors)))))


def _quad(points: np.ndarray) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


def _ring() -> np.ndarray:
    """Returns (24, 2) in pitches: the continuation of the lattice around the 37 spaces."""
    grid = hexgrid()
    beyond = np.unique(np.round((grid[:, None] + STEPS[None]).reshape(-1, 2), 6), axis=0)
    away = np.hypot(*(beyond[:, None] - grid[None]).transpose(2, 0, 1)).min(axis=1)
    ring: np.ndarray = beyond[away > 0.5]
    return ring


RING = _ring()
