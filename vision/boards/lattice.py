"""Fits whole boards to single detected spaces: spaces are joined to lattices, and boards fitted to these.

The outline of the standard shape has sixfold symmetry, so that a lattice alone does not determine its orientation; its
print does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from calibration.board_shape import STANDARD, BoardShape

from ..geometry import Lens, Plane, find_homography, hexgrid, transformed
from ..rows import Rows

STEPS = np.array([(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)])
"""Axial steps to the six neighbours of a space, each 60 degrees after the previous one."""
AXES = np.array([(1.0, 0.0), (0.5, np.sqrt(3) / 2)])
"""The two axial steps in pitches."""
NEIGHBOUR_REACH = 0.3
"""Pitches by which a neighbour may be off its expected position."""
NEIGHBOUR_RATIO = 1.35
"""Factor within which the pitches of neighbours agree, and ..."""
NEIGHBOUR_TURN = np.radians(15)
"""... angle within which their directions do."""
MIN_GROWING = 6
"""Joined spaces from which a lattice can be extrapolated."""
MIN_SPACES = 14
"""Spaces of a board that must be found."""
TURNS = 6
"""Rotations of a honeycomb onto itself."""
SAME_POINT = 0.1
"""Pitches within which points of two lattices are the same."""
OUTSIDE_COST = 0.5
"""Penalty for a detected space beside the board, relative to one on it."""
INLIER = 0.2
"""Pitches that a space may be off the fitted board: curled cards bend."""


@dataclass(frozen=True, slots=True)
class FoundSpaces(Rows):
    """Hexagonal spaces and tiles detected in a picture."""

    centres: np.ndarray
    """(N, 2) px."""
    pitches: np.ndarray
    """(N,) px to a neighbour."""
    turns: np.ndarray
    """(N,) radians: direction of a neighbour, one of six."""
    heats: np.ndarray
    """(N,) 0..1."""

    @classmethod
    def none(cls) -> FoundSpaces:
        return cls(np.empty((0, 2)), *(np.empty(0) for _ in range(3)))


@dataclass(frozen=True, slots=True)
class FoundBoard:
    """The spaces of a board in a picture, up to a rotation that maps its shape onto itself."""

    plane: Plane
    """From pitches around the centre of the board to frame px."""
    spaces: np.ndarray
    """(M,) int: rows of its detected spaces."""
    error: float
    """Root mean square error in pitches."""


def find_boards(
    found: FoundSpaces, lens: Lens | None = None, shape: BoardShape = STANDARD
) -> list[FoundBoard]:
    """Returns the boards of that *shape* among *found*, those with the most spaces first."""
    boards = [_fitted_board(found, *lattice, lens, shape) for lattice in _lattices(found)]
    return sorted((b for b in boards if b is not None), key=lambda board: -len(board.spaces))


@cache
def symmetries(shape: BoardShape) -> tuple[int, ...]:
    """Returns the sixths of a turn that map a shape onto itself; 0 is one of them."""
    grid = hexgrid(shape)
    turned = [grid @ spin(turn).T for turn in range(TURNS)]
    away = [
        np.hypot(*(points[:, None] - grid[None]).transpose(2, 0, 1)).min(axis=1).max() for points in turned
    ]
    return tuple(turn for turn in range(TURNS) if away[turn] < SAME_POINT)


def spin(turn: int) -> np.ndarray:
    """Returns the rotation by *turn* sixths, clockwise as seen, (2, 2)."""
    angle = turn * 2 * np.pi / TURNS
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _lattices(found: FoundSpaces) -> list[tuple[np.ndarray, np.ndarray]]:
    """Returns sets of neighbouring spaces: their rows (M,) and axial coordinates (M, 2)."""
    neighbours, left, lattices = _neighbours(found), set(range(len(found.centres))), []
    while left:
        cells = _joined(max(left, key=lambda i: found.heats[i]), neighbours, left)
        left -= set(cells.values())
        if len(cells) >= MIN_GROWING:
            _grow(found, cells, left)
            left -= set(cells.values())
        if len(cells) >= MIN_SPACES:
            lattices.append((np.array(list(cells.values())), np.array(list(cells))))
    return lattices


def _joined(
    seed: int, neighbours: list[dict[int, tuple[int, int]]], left: set[int]
) -> dict[tuple[int, int], int]:
    """Returns axial cell -> row of the spaces in *left* that are connected to *seed*."""
    cells, queue = {(0, 0): seed}, deque([((0, 0), 0)])
    while queue:
        cell, phase = queue.popleft()
        for direction, (other, ahead) in neighbours[cells[cell]].items():
            step = STEPS[(direction + phase) % 6]
            there = (cell[0] + int(step[0]), cell[1] + int(step[1]))
            if other in left and there not in cells and other not in cells.values():
                cells[there] = other
                queue.append((there, (phase + ahead) % 6))
    return cells


def _grow(found: FoundSpaces, cells: dict[tuple[int, int], int], left: set[int]) -> None:
    """Adds the spaces in *left* where the lattice, seen in perspective, continues."""
    while True:
        rows, free = list(cells.values()), sorted(left)
        border = {(q + int(dq), r + int(dr)) for q, r in cells for dq, dr in STEPS} - set(cells)
        fitted = find_homography(np.array(list(cells)) @ AXES, found.centres[rows])
        if fitted is None or not free:
            return
        there = sorted(border)
        expected = transformed(np.array(there) @ AXES, fitted[0])
        apart = np.hypot(*(found.centres[free][None] - expected[:, None]).transpose(2, 0, 1))
        near = apart / np.median(found.pitches[rows])
        added = 0
        for row in np.argsort(near.min(axis=1)):
            column = int(near[row].argmin())
            if near[row, column] < NEIGHBOUR_REACH and free[column] in left:
                cells[there[row]] = free[column]
                left.discard(free[column])
                added += 1
        if not added:
            return


def _neighbours(found: FoundSpaces) -> list[dict[int, tuple[int, int]]]:
    """Returns for each space: direction 0..5 -> row of the neighbour, and by how many directions its first one is
    ahead."""
    joined: list[dict[int, tuple[int, int]]] = []
    for i, centre in enumerate(found.centres):
        own: dict[int, tuple[int, int]] = {}
        for direction in range(6):
            turn = found.turns[i] + direction * np.pi / 3
            expected = centre + found.pitches[i] * np.array([np.cos(turn), np.sin(turn)])
            distance = np.hypot(*(found.centres - expected).T)
            other = int(distance.argmin())
            alike = abs(np.log(found.pitches[other] / found.pitches[i])) < np.log(NEIGHBOUR_RATIO)
            lag = (found.turns[i] - found.turns[other]) / (np.pi / 3)
            straight = abs(lag - round(lag)) * np.pi / 3 < NEIGHBOUR_TURN
            if other != i and alike and straight and distance[other] < NEIGHBOUR_REACH * found.pitches[i]:
                own[direction] = other, -round(lag)
        joined.append(own)
    for i, own in enumerate(joined):  # neighbours must be mutual
        for direction in [
            d for d, (other, _) in own.items() if all(j != i for j, _ in joined[other].values())
        ]:
            del own[direction]
    return joined


def _fitted_board(
    found: FoundSpaces, rows: np.ndarray, cells: np.ndarray, lens: Lens | None, shape: BoardShape
) -> FoundBoard | None:
    """Returns the board that covers most of a lattice; None if it covers too few spaces."""
    best_score, best = 0.0, None
    for where in _ways_to_lie(cells @ AXES, shape):
        inside = np.abs(where[:, None] - hexgrid(shape)[None]).max(axis=2).min(axis=1) < SAME_POINT
        score = found.heats[rows[inside]].sum() - OUTSIDE_COST * found.heats[rows[~inside]].sum()
        if score > best_score:
            best_score, best = score, (where, inside)
    if best is None or best[1].sum() < MIN_SPACES:
        return None
    where, inside = best
    return _refitted(found, rows[inside], where[inside], lens)


def _ways_to_lie(lattice: np.ndarray, shape: BoardShape) -> Iterator[np.ndarray]:
    """Yields the points of a *lattice* (N, 2) in every position and rotation in which one lies on the board."""
    grid = hexgrid(shape)
    for turn in range(TURNS // len(symmetries(shape))):
        points = lattice @ spin(turn).T
        for shift in np.unique(np.round(grid[:, None] - points[None], 3).reshape(-1, 2), axis=0):
            yield points + shift


def _refitted(
    found: FoundSpaces, rows: np.ndarray, where: np.ndarray, lens: Lens | None
) -> FoundBoard | None:
    reach = INLIER * float(np.median(found.pitches[rows]))
    fitted = fit_plane(where, found.centres[rows], reach, lens)
    if fitted is None or fitted[1].sum() < MIN_SPACES:
        return None
    plane, inliers = fitted
    off = plane.from_frame(found.centres[rows[inliers]]) - where[inliers]
    return FoundBoard(plane, rows[inliers], float(np.sqrt((off**2).sum(axis=1).mean())))


def fit_plane(
    where: np.ndarray, seen: np.ndarray, reach: float, lens: Lens | None
) -> tuple[Plane, np.ndarray] | None:
    """Returns the plane on which the points *where* (N, 2), in pitches, are *seen* (N, 2) px, and its inliers, (N,)
    bool.

    Inliers are within *reach* px of it. None if there is no such plane.
    """
    ideal = seen if lens is None else lens.undistort(seen)
    found = find_homography(where, ideal, cv2.RANSAC, reach, confidence=0.999)
    if found is None:
        return None
    inliers = found[1]
    fitted = find_homography(where[inliers], ideal[inliers])
    return None if fitted is None else (Plane(fitted[0], lens), inliers)
