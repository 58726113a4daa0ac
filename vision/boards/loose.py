"""Tiles lying loose on the table, in rows, as they are shown to be learnt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.table_file import TableFile

from ..changes import look_otherwise
from ..geometry import PATCH_PX, Plane, PlaneError, order_in_rows
from ..view import TableView
from .groups import ON_DUCHY, TOUCHING, lattice_turn, sizes_on
from .networks import shipped_networks

SAME_SIZE = 1.5
"""Tiles are found as large as the spaces of a duchy but for this factor; a tile alone is of a less certain size."""
APART = 1.2
"""Pitches between tiles that lie apart from each other."""
ROW = 0.5
"""Pitches within which tiles are of one row."""


@dataclass(frozen=True, slots=True)
class LooseTiles:
    """Tiles that lie beside boards and places, row by row from the top left."""

    patches: np.ndarray
    """(N, PATCH_PX, PATCH_PX, 3) uint8 BGR, each with a corner of the tile up."""
    framed: np.ndarray
    """(N,) share of each patch inside the frame."""


NO_TILES = LooseTiles(np.empty((0, PATCH_PX, PATCH_PX, 3), np.uint8), np.empty(0))


@dataclass(frozen=True, slots=True)
class BareTable:
    """A picture of the table before tiles were laid beside the boards."""

    frame: np.ndarray
    """(H, W, 3) uint8 BGR."""
    plane: Plane
    """The table's, from mm."""


def loose_tiles(frame: np.ndarray, table: TableFile, view: TableView, bare: BareTable) -> LooseTiles:
    """The tiles that lie beside boards and places in *frame*; what looks as it did on the *bare* table is print.

    :raises ValueError: when the table's plane is not known in this frame.
    """
    plane = view.table
    if plane is None:
        raise ValueError("the table is not found: uncover its markers, or calibrate it")
    pitch = pitch_mm(table, view)
    spaces = shipped_networks().find_spaces(frame)
    if not len(spaces.heats):
        return NO_TILES
    at = plane.from_frame(spaces.centres)
    sizes = sizes_on(plane, spaces) / pitch
    kept = np.abs(np.log(sizes)) < np.log(SAME_SIZE)
    for board in table.boards:
        duchy = view.duchy(board)
        if duchy is not None:
            kept &= np.hypot(*duchy.from_frame(spaces.centres).T) > ON_DUCHY
    for group in table.places:  # what lies on them is for another time
        away = np.hypot(*(at[:, None] - np.array(group.centres_mm)[None]).transpose(2, 0, 1))
        kept &= away.min(axis=1) > pitch * TOUCHING / 2
    at = at[kept]
    if len(at):
        now, before = (
            one.patches(seen, at, pitch)[0] for one, seen in ((plane, frame), (bare.plane, bare.frame))
        )
        at = _apart(at[look_otherwise(before, now)], APART * pitch)
    cut = [
        plane.patches(frame, one[None], pitch, turn=lattice_turn(one[None], spaces, plane))
        for one in at[order_in_rows(at, ROW * pitch)]
    ]
    return LooseTiles(*map(np.concatenate, zip(*cut, strict=True))) if cut else NO_TILES


def _apart(at: np.ndarray, reach: float) -> np.ndarray:
    """Of the tiles *at* (N, 2), the likeliest first, those that no likelier one is nearer to than *reach*."""
    rows: list[int] = []
    for i, point in enumerate(at):
        if all(np.hypot(*(at[j] - point)) >= reach for j in rows):
            rows.append(i)
    return at[rows]


def pitch_mm(table: TableFile, view: TableView) -> float:
    """Mm between neighbouring spaces of the first duchy that can be placed; :exc:`PlaneError` when none can."""
    for board in table.boards:
        duchy = view.duchy(board)
        if duchy is not None and view.table is not None:
            here, there = view.table.from_frame(duchy.to_frame(np.array([(-0.5, 0.0), (0.5, 0.0)])))
            pitch = float(np.hypot(*(there - here)))
            if 0 < pitch < np.inf:
                return pitch
    raise PlaneError(
        "the table file places no duchy, by which the size of tiles is known: calibrate the table"
    )
