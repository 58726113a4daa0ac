"""Places off the duchies, grouped: the storage beside each duchy, the depots, and the black depot among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.boards.lattice import FoundSpaces
from vision.geometry import Plane, order_in_rows

MIN_HEAT = 0.5
SAME_SIZE = 1.15
"""Places are as large as the spaces of the duchies but for this factor."""
TOUCHING = 1.25
"""Pitches between places of one group."""
ON_DUCHY, BESIDE_DUCHY = 3.9, 6.5
"""Pitches from the middle of a duchy within which a place is a part of its card, and within which a storage lies."""
STORAGE = range(2, 5)
"""Places that may be seen of a storage, which has three."""
ROW = 0.5
"""Distances of neighbours within which places are of one row."""
DEPOTS = 6
DEPOT = range(2, 6)
"""Places that may be seen of a depot, and ..."""
BLACK = range(6, 12)
"""... of the black one."""
RING, MIDST = 5, 0.4
"""Groups from which one may stand amidst the others, and how near to their middle, beside where these stand."""


@dataclass(frozen=True, slots=True)
class FoundGroup:
    """Places that belong together."""

    name: str
    """``storage:0`` for the storage of the first duchy, ``depot:1``, ``black``."""
    centres: np.ndarray
    """(N, 2) on the table, mm."""


def find_groups(
    spaces: FoundSpaces, table: Plane, middles: Sequence[np.ndarray], pitch_mm: float
) -> list[FoundGroup]:
    """Groups the *spaces* that belong to no duchy.

    *middles* are those of the duchies in mm. Depots are numbered clockwise from the one at the top of the picture.
    """
    at, heats = _places(spaces, table, np.array(middles), pitch_mm)
    rows = touching(at, TOUCHING * pitch_mm)
    # The likeliest first: what is taken for a hexagon and is none is less like one.
    groups = [at[group] for group in sorted(rows, key=lambda group: -heats[group].mean())]
    found: list[FoundGroup] = []
    others: list[np.ndarray] = []
    for group in groups:
        middle = group.mean(axis=0)
        away = np.hypot(*(np.array(middles) - middle).T)
        owner = int(away.argmin())
        taken = any(one.name == f"storage:{owner}" for one in found)
        if len(group) in STORAGE and away[owner] < BESIDE_DUCHY * pitch_mm and not taken:
            found.append(FoundGroup(f"storage:{owner}", _in_a_row(group)))
        else:
            others.append(group)
    return found + _depots(others)


def _places(
    spaces: FoundSpaces, table: Plane, middles: np.ndarray, pitch_mm: float
) -> tuple[np.ndarray, np.ndarray]:
    """(N, 2) mm and (N,) heats: those of *spaces* that are of the right size and lie on no duchy."""
    kept = spaces[spaces.heats >= MIN_HEAT]
    if not len(kept.heats):
        return np.empty((0, 2)), np.empty(0)
    at = table.from_frame(kept.centres)
    sizes = sizes_on(table, kept) / pitch_mm
    off = np.hypot(*(at[:, None] - middles[None]).transpose(2, 0, 1)).min(axis=1) > ON_DUCHY * pitch_mm
    places = (np.abs(np.log(sizes)) < np.log(SAME_SIZE)) & off
    return at[places], kept.heats[places]


def sizes_on(table: Plane, spaces: FoundSpaces) -> np.ndarray:
    """(N,) mm that the pitches of *spaces* are where they lie."""
    at = table.from_frame(spaces.centres)
    steps = [
        table.from_frame(spaces.centres + spaces.pitches[:, None] * step) - at for step in ((1, 0), (0, 1))
    ]
    return np.sqrt(np.hypot(*steps[0].T) * np.hypot(*steps[1].T))


def lattice_turn(centres: np.ndarray, spaces: FoundSpaces, table: Plane) -> float:
    """Radians, up to sixths, by which hexagons at *centres* (N, 2) mm lie turned: as much as the nearest *spaces*."""
    at = table.from_frame(spaces.centres)
    ahead = np.stack([np.cos(spaces.turns), np.sin(spaces.turns)], axis=1) * spaces.pitches[:, None]
    x, y = (table.from_frame(spaces.centres + ahead) - at).T
    nearest = np.hypot(*(centres[:, None] - at[None]).transpose(2, 0, 1)).argmin(axis=1)
    return float(np.angle(np.exp(6j * np.arctan2(y, x)[nearest]).mean()) / 6)


def touching(at: np.ndarray, reach: float) -> list[np.ndarray]:
    """Rows of the points *at* (N, 2) in sets, in each of which a point is nearer than *reach* to another."""
    left, groups = list(range(len(at))), []
    while left:
        group = [left.pop(0)]
        for member in group:
            near = [i for i in left if np.hypot(*(at[i] - at[member])) < reach]
            group += near
            left = [i for i in left if i not in near]
        groups.append(np.array(group))
    return groups


def _in_a_row(group: np.ndarray) -> np.ndarray:
    """The places of a storage from the left, or from the top."""
    along = np.linalg.svd(group - group.mean(axis=0))[2][0]
    along = along * np.sign(along[np.abs(along).argmax()])
    return group[np.argsort(group @ along)]


def _depots(groups: list[np.ndarray]) -> list[FoundGroup]:
    black = max((g for g in groups if len(g) in BLACK), key=len, default=None)
    if black is None:
        black = _in_the_midst([g for g in groups if len(g) in DEPOT])
    found = [] if black is None else [FoundGroup("black", _row_by_row(black))]
    depots = [g for g in groups if g is not black and len(g) in DEPOT][:DEPOTS]
    if not depots:
        return found
    middles = np.array([group.mean(axis=0) for group in depots])
    centre = middles.mean(axis=0) if black is None else black.mean(axis=0)
    x, y = (middles - centre).T
    clockwise = np.argsort((np.arctan2(x, -y) + np.pi / len(depots)) % (2 * np.pi))
    return [
        FoundGroup(f"depot:{number}", _row_by_row(depots[i])) for number, i in enumerate(clockwise, start=1)
    ] + found


def _in_the_midst(groups: list[np.ndarray]) -> np.ndarray | None:
    """The group around which all others stand: the black depot, of which few places may be in use."""
    if len(groups) < RING:
        return None
    middles = np.array([group.mean(axis=0) for group in groups])
    away = np.hypot(*(middles - middles.mean(axis=0)).T)
    nearest = int(away.argmin())
    return groups[nearest] if away[nearest] < MIDST * float(np.median(away)) else None


def _row_by_row(group: np.ndarray) -> np.ndarray:
    """Places from the top, each row from the left."""
    nearest = np.median([np.sort(np.hypot(*(group - at).T))[1] for at in group])
    return group[order_in_rows(group, ROW * float(nearest))]
