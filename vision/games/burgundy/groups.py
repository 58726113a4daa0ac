"""Groups places outside the duchies: the storage beside each duchy, the depots, and the black depot among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...boards.groups import TOUCHING, FoundGroup, sizes_on, touching
from ...boards.lattice import FoundSpaces
from ...geometry import Plane, order_in_rows

CLEAR_HEAT = 0.5
"""Heat of places; weaker detections may only complete a storage."""
SAME_SIZE = 1.2
"""Factor within which places have the size of a duchy's spaces."""
ON_DUCHY, BESIDE_DUCHY = 3.9, 6.5
"""Pitches from the centre of a duchy within which a place is part of its card, and within which its storage lies."""
STORAGE = 3
"""Places of a storage; two of them are enough to find it."""
OFF_ROW = 0.3
"""Pitches that a place of a storage may be off its row."""
ROW = 0.5
"""Neighbour distances within which places are in one row."""
DEPOTS = 6
DEPOT = range(2, 6)
"""Number of visible places of a depot, and ..."""
BLACK = range(6, 12)
"""... of the black one."""
RING, MIDST = 5, 0.4
"""Number of groups from which one may be central, and its maximum distance from their centre relative to theirs."""


def find_groups(
    spaces: FoundSpaces, table: Plane, anchors_mm: Sequence[np.ndarray], pitch_mm: float
) -> list[FoundGroup]:
    """Groups the *spaces* that belong to no duchy.

    *anchors_mm* are those of the duchies, (4, 2) each. Depots are numbered clockwise from the top of the picture. A
    storage that is not visible is assumed beside its duchy where those of the others are.
    """
    duchies = [_DuchyFrame(np.asarray(anchors), pitch_mm) for anchors in anchors_mm]
    at, heats = _places(spaces, table, duchies, pitch_mm)
    clear = heats >= CLEAR_HEAT
    storages: dict[int, np.ndarray] = {}
    others: list[np.ndarray] = []
    # The likeliest first: false hexagons have less heat.
    rows = touching(at[clear], TOUCHING * pitch_mm)
    for group in sorted(rows, key=lambda group: -heats[clear][group].mean()):
        places = at[clear][group]
        away = [duchy.away(places.mean(axis=0)) for duchy in duchies]
        owner = int(np.argmin(away))
        row = _row(places, at, pitch_mm) if away[owner] < BESIDE_DUCHY and owner not in storages else None
        if row is not None:
            storages[owner] = row
        else:
            others.append(places)
    storages = _completed(storages, duchies)
    found = [FoundGroup(f"storage:{owner}", _in_a_row(row)) for owner, row in sorted(storages.items())]
    return found + _depots(others)


@dataclass(frozen=True, slots=True)
class _DuchyFrame:
    """Coordinates relative to one duchy, as its player sees them."""

    anchors: np.ndarray
    pitch: float
    """mm"""

    @property
    def middle(self) -> np.ndarray:
        middle: np.ndarray = self.anchors.mean(axis=0)
        return middle

    @property
    def axes(self) -> np.ndarray:
        """Returns the unit vectors to the right and down, (2, 2)."""
        x, y = self.anchors[1] - self.anchors[0]
        axes: np.ndarray = np.array([(x, y), (-y, x)]) / np.hypot(x, y)
        return axes

    def away(self, at: np.ndarray) -> float:
        """Returns the distance from the centre in pitches."""
        return float(np.hypot(*(at - self.middle))) / self.pitch

    def seen_by_player(self, at: np.ndarray) -> np.ndarray:
        """Converts mm on the table to pitches from the centre."""
        pitches: np.ndarray = (at - self.middle) @ self.axes.T / self.pitch
        return pitches

    def on_table(self, at: np.ndarray) -> np.ndarray:
        """Converts pitches from the centre to mm on the table."""
        mm: np.ndarray = at @ self.axes * self.pitch + self.middle
        return mm


def _places(
    spaces: FoundSpaces, table: Plane, duchies: Sequence[_DuchyFrame], pitch_mm: float
) -> tuple[np.ndarray, np.ndarray]:
    """Returns (N, 2) mm and (N,) heats of the *spaces* that have the right size and are on no duchy."""
    if not len(spaces.heats):
        return np.empty((0, 2)), np.empty(0)
    at = table.from_frame(spaces.centres)
    sizes = sizes_on(table, spaces) / pitch_mm
    off = np.array([min(duchy.away(one) for duchy in duchies) > ON_DUCHY for one in at])
    places = (np.abs(np.log(sizes)) < np.log(SAME_SIZE)) & off
    return at[places], spaces.heats[places]


def _row(group: np.ndarray, everything: np.ndarray, pitch_mm: float) -> np.ndarray | None:
    """Returns *group* if it is a storage, completed from *everything* if it has only two places; None if it is not
    one."""
    if len(group) == STORAGE:
        middle = _in_a_row(group)[1]
        return group if np.hypot(*(middle - group.mean(axis=0))) < OFF_ROW * pitch_mm else None
    if len(group) != STORAGE - 1:
        return None
    step = group[1] - group[0]
    expected = np.array([group[1] + step, group[0] - step, group.mean(axis=0)])
    if np.hypot(*step) < TOUCHING * pitch_mm:
        expected = expected[:2]
    off = np.hypot(*(everything[:, None] - expected[None]).transpose(2, 0, 1)).min(axis=1)
    nearest = int(off.argmin())
    return np.vstack([group, everything[nearest]]) if off[nearest] < OFF_ROW * pitch_mm else group


def _completed(storages: dict[int, np.ndarray], duchies: Sequence[_DuchyFrame]) -> dict[int, np.ndarray]:
    """Returns *storages* with missing ones, and missing places, at the usual position in the view of their players."""
    complete = [duchies[owner].seen_by_player(row) for owner, row in storages.items() if len(row) == STORAGE]
    if not complete:
        return storages
    usual = _in_a_row(np.median([_in_a_row(row) for row in complete], axis=0))
    completed = dict(storages)
    for owner, duchy in enumerate(duchies):
        row = storages.get(owner)
        if row is None:
            completed[owner] = duchy.on_table(usual)
        elif len(row) < STORAGE:
            off = duchy.seen_by_player(row)[:, None] - usual[None]
            nearest = np.hypot(*off.transpose(2, 0, 1)).argmin(axis=1)
            completed[owner] = duchy.on_table(usual + off[np.arange(len(row)), nearest].mean(axis=0))
    return completed


def _in_a_row(group: np.ndarray) -> np.ndarray:
    """Returns the places of a storage from the left, or from the top."""
    along = np.linalg.svd(group - group.mean(axis=0))[2][0]
    along = along * np.sign(along[np.abs(along).argmax()])
    return group[np.argsort(group @ along)]


def _depots(groups: list[np.ndarray]) -> list[FoundGroup]:
    depots = [g for g in groups if len(g) in DEPOT]
    black = _black_depot_among([g for g in groups if len(g) in BLACK], depots[:DEPOTS])
    if black is None:
        black, depots = _central_group(depots)
    found = [] if black is None else [FoundGroup("black", _row_by_row(black))]
    depots = depots[:DEPOTS]
    if not depots:
        return found
    middles = np.array([group.mean(axis=0) for group in depots])
    centre = middles.mean(axis=0) if black is None else black.mean(axis=0)
    x, y = (middles - centre).T
    clockwise = np.argsort((np.arctan2(x, -y) + np.pi / len(depots)) % (2 * np.pi))
    return [
        FoundGroup(f"depot:{number}", _row_by_row(depots[i])) for number, i in enumerate(clockwise, start=1)
    ] + found


def _black_depot_among(groups: list[np.ndarray], depots: list[np.ndarray]) -> np.ndarray | None:
    """Returns the largest of *groups* that lies between the *depots*: an inventory has as many places as the black
    depot."""
    if len(depots) >= RING:
        middles = np.array([depot.mean(axis=0) for depot in depots])
        middle = middles.mean(axis=0)
        reach = MIDST * float(np.median(np.hypot(*(middles - middle).T)))
        groups = [group for group in groups if np.hypot(*(group.mean(axis=0) - middle)) < reach]
    return max(groups, key=len, default=None)


def _central_group(groups: list[np.ndarray]) -> tuple[np.ndarray | None, list[np.ndarray]]:
    """Returns the central places, the black depot with few slots in use, and the groups around it; None if there is
    none."""
    if len(groups) < RING:
        return None, groups
    middles = np.array([group.mean(axis=0) for group in groups])
    away = np.hypot(*(middles - middles.mean(axis=0)).T)
    amidst = away < MIDST * float(np.median(away))
    if not amidst.any():
        return None, groups
    black = np.concatenate([group for group, inside in zip(groups, amidst, strict=True) if inside])
    return black, [group for group, inside in zip(groups, amidst, strict=True) if not inside]


def _row_by_row(group: np.ndarray) -> np.ndarray:
    """Returns places row by row from the top, each row from the left."""
    nearest = np.median([np.sort(np.hypot(*(group - at).T))[1] for at in group])
    ordered: np.ndarray = group[order_in_rows(group, ROW * float(nearest))]
    return ordered
