"""Tiles lying loose on the table, in rows, for enrolment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.table_file import TableFile

from ..changes import have_changed
from ..geometry import PATCH_PX, Plane, PlaneError, order_in_rows, radius
from ..view import TableView
from .groups import TOUCHING, lattice_turn, sizes_on
from .networks import shipped_finder

SAME_SIZE = 1.5
"""Factor within which a detection has the size of a board's space; the size of a single tile is less certain."""
ON_BOARD = 0.9
"""Pitches beyond the outermost space of a board within which a place is part of its card."""
APART = 1.2
"""Minimum distance of separate tiles in pitches."""
ROW = 0.5
"""Pitches within which tiles are in one row."""


@dataclass(frozen=True, slots=True)
class LooseTiles:
    """Tiles beside boards and places, row by row from the top left."""

    patches: np.ndarray
    """(N, PATCH_PX, PATCH_PX, 3) uint8 BGR, each with a corner of the tile up."""
    framed: np.ndarray
    """(N,) share of each patch inside the frame."""


NO_TILES = LooseTiles(np.empty((0, PATCH_PX, PATCH_PX, 3), np.uint8), np.empty(0))


@dataclass(frozen=True, slots=True)
class BareTable:
    """A picture of the table before tiles were placed beside the boards."""

    frame: np.ndarray
    """(H, W, 3) uint8 BGR."""
    plane: Plane
    """The table's, from mm."""


def loose_tiles(frame: np.ndarray, table: TableFile, view: TableView, bare: BareTable) -> LooseTiles:
    """Returns the tiles beside boards and places in *frame*; what has not changed since the *bare* table is print.

    :raises PlaneError: when the table plane is not known in this frame.
    """
    plane = view.table
    if plane is None:
        raise PlaneError("the position of the table is not known: uncover its markers, or calibrate it")
    pitch = pitch_mm(table, view)
    spaces = shipped_finder().find_spaces(frame)
    if not len(spaces.heats):
        return NO_TILES
    at = plane.from_frame(spaces.centres)
    sizes = sizes_on(plane, spaces) / pitch
    loose = np.abs(np.log(sizes)) < np.log(SAME_SIZE)
    for board in table.boards:
        place = view.plane_of(board)
        if place is not None:
            loose &= np.hypot(*place.from_frame(spaces.centres).T) > radius(board.shape) + ON_BOARD
    for group in table.places:  # tiles on places are not loose
        away = np.hypot(*(at[:, None] - np.array(group.centres_mm)[None]).transpose(2, 0, 1))
        loose &= away.min(axis=1) > pitch * TOUCHING / 2
    at = at[loose]
    if len(at):
        now, before = (
            one.patches(seen, at, pitch)[0] for one, seen in ((plane, frame), (bare.plane, bare.frame))
        )
        at = _apart(at[have_changed(before, now)], APART * pitch)
    cut = [
        plane.patches(frame, one[None], pitch, turn=lattice_turn(one[None], spaces, plane))
        for one in at[order_in_rows(at, ROW * pitch)]
    ]
    return LooseTiles(*map(np.concatenate, zip(*cut, strict=True))) if cut else NO_TILES


def _apart(at: np.ndarray, reach: float) -> np.ndarray:
    """Returns those of the tiles *at* (N, 2), likeliest first, that have no likelier one within *reach*."""
    rows: list[int] = []
    for i, point in enumerate(at):
        if all(np.hypot(*(at[j] - point)) >= reach for j in rows):
            rows.append(i)
    return at[rows]


def pitch_mm(table: TableFile, view: TableView) -> float:
    """Returns the pitch in mm of the first board that can be located; raises :exc:`PlaneError` when none can."""
    for board in table.boards:
        place = view.plane_of(board)
        if place is not None and view.table is not None:
            here, there = view.table.from_frame(place.to_frame(np.array([(-0.5, 0.0), (0.5, 0.0)])))
            pitch = float(np.hypot(*(there - here)))
            if 0 < pitch < np.inf:
                return pitch
    raise PlaneError("the table file locates no board, which gives the size of tiles: calibrate the table")
