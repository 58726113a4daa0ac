"""Faces of dice in a honeycomb: those printed on the spaces of a board, which no throw of dice resembles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

NEIGHBOUR = 1.6, 3.4
"""Distance of neighbouring faces, in their sides. A face is printed about two fifths of its space wide."""
ALIKE = 0.25
"""Difference of the log sides of two faces up to which they may be of one print ..."""
SAME = 0.2
"""... and of each from the median of all: the sides of small ones are known to a tenth."""
SKEWED = 1.25
"""Longest by shortest side of the triangles of neighbours, up to which they may be equilateral and seen at an angle.
Those of a square grid have 1.41."""
OFF = 0.12
"""Pitches; how far a face may be from its place in the grid."""
RINGS = 3
"""Rings of spaces around one, of which a grid is made first."""
REFINED = 3
"""Times that the grid is fitted to the faces found in it, which then reaches twice as far."""
LEAST = 8
"""Faces in one grid, from which it is a print: that many do not lie so by chance ..."""
SHARE = 0.5
"""... if so many of all alike faces around them do. Of dice packed in rows, every fourth lies in what is nearly a
honeycomb."""
GAP = 2
"""Steps between two faces of a grid that belong together: a tile may lie between them."""


@dataclass(frozen=True, slots=True)
class _Grid:
    """A plane of cells, each of which has six neighbours."""

    origin: np.ndarray
    """(2,) px."""
    axes: np.ndarray
    """(2, 2) px: the steps to two neighbouring cells, 60 degrees apart."""

    def cells(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Returns the nearest cells (N, 2) int of *points* (N, 2) px, and how far these are off, (N,) pitches."""
        exact = (points - self.origin) @ np.linalg.inv(self.axes)
        cells = np.round(exact)
        pitch = np.sqrt(abs(np.linalg.det(self.axes)) * 2 / np.sqrt(3))
        return cells.astype(int), np.hypot(*((exact - cells) @ self.axes).T) / pitch


def in_honeycomb(centres: np.ndarray, sides: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Returns (N,) bool: the faces with *centres* (N, 2) px and *sides* (N,) px that lie in a honeycomb with one of the
    rows *asked* for, (M,)."""
    found = np.zeros(len(sides), bool)
    for row in asked:
        alike = np.flatnonzero(np.abs(np.log(sides / sides[row])) < ALIKE)
        if found[row] or len(alike) < LEAST:
            continue
        points = centres[alike]
        grid = _grid_about(centres[row], points, sides[row])
        if grid is not None:
            found[alike[_members(grid, points, sides[alike])]] = True
    return found


def _grid_about(origin: np.ndarray, points: np.ndarray, side: float) -> _Grid | None:
    """Returns the grid with a cell at *origin* (2,) that contains most of the *points* (N, 2) px near it, if enough."""
    steps = _steps(points - origin, side)
    if not len(steps):
        return None
    exact = (points - origin) @ np.linalg.inv(steps)
    cells = np.round(exact)
    off = np.linalg.norm((exact - cells) @ steps, axis=-1)
    fitting = (off < OFF * np.linalg.norm(steps[:, :1], axis=-1)) & (_rings(cells) <= RINGS)
    best = int(fitting.sum(1).argmax())
    grid, inside = _Grid(origin, steps[best]), fitting[best]
    for _ in range(REFINED):
        if inside.sum() < LEAST:
            return None
        nearest, _ = grid.cells(points)
        known = np.column_stack([nearest, np.ones(len(points))])
        *axes, start = np.linalg.lstsq(known[inside], points[inside], rcond=None)[0]
        grid = _Grid(start, np.array(axes))
        nearest, away = grid.cells(points)
        inside = (away < OFF) & (_rings(nearest) <= 2 * RINGS)
    return grid


def _steps(away: np.ndarray, side: float) -> np.ndarray:
    """Returns (K, 2, 2) px: pairs of steps among those *away* (N, 2) px that make triangles about equilateral."""
    distance = np.hypot(*away.T) / side
    near = away[(distance > NEIGHBOUR[0]) & (distance < NEIGHBOUR[1])]
    first, second = (near[rows] for rows in np.nonzero(~np.eye(len(near), dtype=bool)))
    lengths = np.linalg.norm([first, second, first - second], axis=-1)
    to_the_left = first[:, 0] * second[:, 1] > first[:, 1] * second[:, 0]  # each pair once
    fair = to_the_left & (lengths.max(0) < SKEWED * lengths.min(0))
    return np.stack([first[fair], second[fair]], 1)


def _rings(cells: np.ndarray) -> np.ndarray:
    """Returns the number of steps from the cell (0, 0) to each of *cells* (..., 2)."""
    reach: np.ndarray = np.maximum(np.abs(cells).max(-1), np.abs(cells.sum(-1)))
    return reach


def _members(grid: _Grid, points: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """Returns the rows of the *points* (N, 2) px that are printed in the *grid*; none if they may lie so by chance."""
    cells, off = grid.cells(points)
    inside = (off < OFF) & (_rings(cells) <= 2 * RINGS)
    same = np.abs(np.log(sides / np.median(sides[inside]))) < SAME if inside.any() else inside
    rows: np.ndarray = np.flatnonzero(inside & same)
    rows = rows[_together(cells[rows])]
    taken = len(np.unique(cells[rows], axis=0))
    others = int((~inside & (_rings(cells) <= RINGS)).sum())
    enough = taken >= max(LEAST, SHARE * (taken + others))
    return rows if enough else np.zeros(0, int)


def _together(cells: np.ndarray) -> np.ndarray:
    """Returns the rows of the largest group of *cells* (N, 2) that are no more than GAP steps apart."""
    close = _rings(cells[:, None] - cells) <= GAP
    largest, left = np.zeros(0, int), np.ones(len(cells), bool)
    while left.any():
        group = np.arange(len(cells)) == np.flatnonzero(left)[0]
        while (wider := close[group].any(0)).sum() > group.sum():
            group = wider
        left &= ~group
        if group.sum() > len(largest):
            largest = np.flatnonzero(group)
    return largest
