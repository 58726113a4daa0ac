"""Made-up shapes of boards: the standard one, grown on a honeycomb, in rows, and islands that share no lattice."""

from __future__ import annotations

import numpy as np

from calibration.board_shape import PITCH_MM, STANDARD, BoardShape

from ....geometry import order_in_rows
from ....training.colours import Generator
from ....training.grounds import pick

MAX_SPACES = 73
MIN_SPACES = 7
STANDARD_SHARE = 0.55
"""Share of the boards that have the standard shape."""
REACH = 5
"""Steps from the middle within which shapes are grown."""
MAX_ROW = 9
ISLANDS = 4
GAP = 0.1, 0.4
"""How far islands are pushed from the middle, by their distance from it."""
ROW = 0.4
"""Pitches within which spaces are in one row."""


def any_shape(rng: Generator) -> BoardShape:
    """Returns the shape of a board of up to MAX_SPACES."""
    if rng.random() < STANDARD_SHARE:
        return STANDARD
    centres = pick(rng, (_grown, _in_rows, _islands, _large))(rng)
    centres = centres[order_in_rows(centres, ROW)]
    centres = centres - (centres.min(axis=0) + centres.max(axis=0)) / 2
    places = [(float(x), float(y)) for x, y in centres * PITCH_MM]
    return BoardShape.at([f"s{i}" for i in range(len(places))], places, (0, 1, 2, 3))


def _honeycomb() -> np.ndarray:
    """Returns (N, 2): spaces up to REACH steps from the middle one, in pitches."""
    cells = [
        (q, r) for q in range(-REACH, REACH + 1) for r in range(-REACH, REACH + 1) if abs(q + r) <= REACH
    ]
    return np.array([(q + r / 2, r * np.sqrt(3) / 2) for q, r in cells])


def _grown(rng: Generator, least: int = MIN_SPACES, most: int = 50) -> np.ndarray:
    """Returns connected spaces, round or ragged."""
    grid, ragged = _honeycomb(), rng.uniform(0.2, 3.0)
    noisy = np.hypot(*grid.T) + rng.uniform(0, ragged, len(grid))
    taken, count = [int(np.hypot(*grid.T).argmin())], int(rng.integers(least, most + 1))
    while len(taken) < count:
        beside = np.hypot(*(grid[:, None] - grid[taken][None]).transpose(2, 0, 1)).min(axis=1)
        free = np.flatnonzero((beside > 0.5) & (beside < 1.1))
        taken.append(int(free[noisy[free].argmin()]))
    return grid[taken]


def _large(rng: Generator) -> np.ndarray:
    return _grown(rng, 55, MAX_SPACES)


def _in_rows(rng: Generator) -> np.ndarray:
    """Returns centred rows, each one longer or shorter than the one before."""
    lengths = [int(rng.integers(2, 8))]
    for step in rng.choice([-1, 1], int(rng.integers(2, 8))):
        lengths.append(_next_length(lengths[-1], int(step)))
    rows = [
        ((column - (length - 1) / 2), row * np.sqrt(3) / 2)
        for row, length in enumerate(lengths)
        for column in range(length)
    ]
    return np.array(rows)[:MAX_SPACES]


def _next_length(length: int, step: int) -> int:
    return length + step if 0 < length + step <= MAX_ROW else length - step


def _islands(rng: Generator) -> np.ndarray:
    """Returns spaces in several groups, which lie apart by no whole number of spaces."""
    grid = _grown(rng, 12, 50)
    seeds = grid[rng.permutation(len(grid))[: int(rng.integers(2, ISLANDS + 1))]]
    island = np.hypot(*(grid[:, None] - seeds[None]).transpose(2, 0, 1)).argmin(axis=1)
    apart: np.ndarray = grid + rng.uniform(*GAP) * seeds[island]  # so no two of them meet
    return apart
