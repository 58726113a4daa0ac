"""Groups of places beside the boards: which touch, how large they are and how they are turned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..geometry import Plane
from .lattice import FoundSpaces

TOUCHING = 1.25
"""Maximum distance of neighbours in one group, in pitches."""


@dataclass(frozen=True, slots=True)
class FoundGroup:
    """Places that belong together."""

    name: str
    """As in a table file, but with the number of a board for a player: ``GROUP:0``."""
    centres: np.ndarray
    """(N, 2) on the table, mm."""


def sizes_on(table: Plane, spaces: FoundSpaces) -> np.ndarray:
    """Returns (N,) mm: the pitches of *spaces* on the table."""
    at = table.from_frame(spaces.centres)
    steps = [
        table.from_frame(spaces.centres + spaces.pitches[:, None] * step) - at for step in ((1, 0), (0, 1))
    ]
    sizes: np.ndarray = np.sqrt(np.hypot(*steps[0].T) * np.hypot(*steps[1].T))
    return sizes


def lattice_turn(centres: np.ndarray, spaces: FoundSpaces, table: Plane) -> float:
    """Returns the rotation, modulo sixths, of hexagons at *centres* (N, 2) mm, radians: that of the nearest
    *spaces*."""
    at = table.from_frame(spaces.centres)
    ahead = np.stack([np.cos(spaces.turns), np.sin(spaces.turns)], axis=1) * spaces.pitches[:, None]
    x, y = (table.from_frame(spaces.centres + ahead) - at).T
    nearest = np.hypot(*(centres[:, None] - at[None]).transpose(2, 0, 1)).argmin(axis=1)
    return float(np.angle(np.exp(6j * np.arctan2(y, x)[nearest]).mean()) / 6)


def touching(at: np.ndarray, reach: float) -> list[np.ndarray]:
    """Returns connected components of the points *at* (N, 2), as rows: neighbours are closer than *reach*."""
    left, groups = list(range(len(at))), []
    while left:
        group = [left.pop(0)]
        for member in group:
            near = [i for i in left if np.hypot(*(at[i] - at[member])) < reach]
            group += near
            left = [i for i in left if i not in near]
        groups.append(np.array(group))
    return groups
