"""Tiles lying loose on the table, in rows, as they are shown to be learnt."""

from __future__ import annotations

import numpy as np

from calibration.table_file import TableFile
from vision.boards.groups import ON_DUCHY, TOUCHING
from vision.boards.networks import shipped_networks
from vision.geometry import Plane, order_in_rows
from vision.view import TableView

SAME_SIZE = 1.5
"""Tiles are found as large as the spaces of a duchy but for this factor; a tile alone is of a less certain size."""
APART = 1.2
"""Pitches between tiles that lie apart from each other."""
SAME_SPOT = 0.4
"""Pitches within which two pictures show the same thing."""
ROW = 0.5
"""Pitches within which tiles are of one row."""


def loose_tiles(frame: np.ndarray, table: TableFile, view: TableView) -> tuple[np.ndarray, float]:
    """Middles of the tiles that lie beside boards and places, (N, 2) mm, row by row from the top left; and their width.

    :raises ValueError: when the table's plane is not known in this frame.
    """
    plane = view.table
    if plane is None:
        raise ValueError("where the table lies cannot be told: uncover its markers, or calibrate it")
    pitch = pitch_mm(table, view)
    spaces = shipped_networks().find_spaces(frame)
    if not len(spaces.heats):
        return np.empty((0, 2)), pitch
    at = plane.from_frame(spaces.centres)
    sizes = _sizes(plane, spaces.centres, spaces.pitches) / pitch
    kept = np.abs(np.log(sizes)) < np.log(SAME_SIZE)
    for board in table.boards:
        duchy = view.duchy(board)
        if duchy is not None:
            kept &= np.hypot(*duchy.from_frame(spaces.centres).T) > ON_DUCHY
    for group in table.places:
        away = np.hypot(*(at[:, None] - np.array(group.centres_mm)[None]).transpose(2, 0, 1))
        kept &= away.min(axis=1) > pitch * TOUCHING / 2
    at = _apart(at[kept], APART * pitch)
    return at[order_in_rows(at, ROW * pitch)], pitch


def _apart(at: np.ndarray, reach: float) -> np.ndarray:
    """Of the tiles *at* (N, 2), the likeliest first, those that no likelier one is nearer to than *reach*."""
    rows: list[int] = []
    for i, point in enumerate(at):
        if all(np.hypot(*(at[j] - point)) >= reach for j in rows):
            rows.append(i)
    return at[rows]


def laid_since(before: np.ndarray, now: np.ndarray, pitch: float) -> np.ndarray:
    """Those of the tiles *now* (N, 2) mm that did not lie there *before* (M, 2) mm; what is printed stays."""
    if not len(before):
        return now
    away = np.hypot(*(now[:, None] - before[None]).transpose(2, 0, 1)).min(axis=1)
    return now[away > SAME_SPOT * pitch]


def pitch_mm(table: TableFile, view: TableView) -> float:
    """Mm between neighbouring spaces of the first duchy that can be placed; :exc:`ValueError` when none can."""
    for board in table.boards:
        duchy = view.duchy(board)
        if duchy is not None and view.table is not None:
            here, there = view.table.from_frame(duchy.to_frame(np.array([(-0.5, 0.0), (0.5, 0.0)])))
            return float(np.hypot(*(there - here)))
    raise ValueError(
        "the table file places no duchy, by which the size of tiles is known: calibrate the table"
    )


def _sizes(plane: Plane, centres: np.ndarray, pitches: np.ndarray) -> np.ndarray:
    """(N,) mm that *pitches* (N,) px are at *centres* (N, 2) px."""
    at = plane.from_frame(centres)
    steps = [plane.from_frame(centres + pitches[:, None] * step) - at for step in ((1, 0), (0, 1))]
    return np.sqrt(np.hypot(*steps[0].T) * np.hypot(*steps[1].T))
