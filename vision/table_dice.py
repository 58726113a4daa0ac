"""The dice in the declared areas of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.table_file import Colour, Polygon, TableFile

from .dice import measure_dice, read_dice
from .geometry import hexgrid, within_reach
from .sighting import DieReading
from .view import TableView

DICE_COLOURS = ("red", "blue", "green", "black", "yellow", "white")
"""Body colours of the dice in the box: one per player, and the white die."""
PRINTED_FACE_REACH = 0.25
"""Hex pitches from the centre of a space within which a die face may be the printed one."""
OVEREXPOSED = 250
"""Level from which a channel is overexposed."""


def dice_areas(table: TableFile, view: TableView) -> dict[str, Polygon]:
    """Returns the named dice areas in frame px."""
    if view.table is None:
        return {}
    return {
        name: tuple((float(x), float(y)) for x, y in view.table.to_frame(np.array(area)))
        for name, area in table.dice_areas_mm.items()
    }


def dice_polygons(table: TableFile, view: TableView) -> tuple[Polygon, ...]:
    """Returns all declared dice areas in frame px; none means that dice may lie anywhere."""
    drawn = (tuple(map(tuple, within_reach(np.array(area)).tolist())) for area in table.dice_areas)
    return (*drawn, *dice_areas(table, view).values())


def white_in(frame: np.ndarray, table: TableFile, view: TableView) -> tuple[float, ...] | None:
    """Returns BGR 0..255 of the white area in *frame*; None if there is none, or it is not visible or overexposed."""
    if table.white_area_mm and view.table:
        area = view.table.to_frame(np.array(table.white_area_mm))
    elif table.white_area:
        area = within_reach(np.array(table.white_area))
    else:
        return None
    inside = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.round(area).astype(np.int32)], 255)
    if not inside.any():
        return None
    white = np.median(frame[inside > 0], axis=0)
    return tuple(white.tolist()) if white.max() < OVEREXPOSED else None


def dice_on(
    frame: np.ndarray,
    table: TableFile,
    view: TableView,
    colours: Sequence[str] | None,
    awaited: Mapping[str, int] | None = None,
) -> tuple[DieReading, ...]:
    """Returns the dice in *frame*, of the table's image size, in the areas of *table*; *colours* apply if it defines
    none.

    A die in the area of a colour gets that colour, whatever the light. *awaited* is how many dice of each colour must
    be there; for those that are not certain it looks again.
    """
    dice = read_dice(
        frame,
        areas=dice_polygons(table, view) or None,
        colours=table.dice_colours or colours,
        white=white_in(frame, table, view),
        awaited=_awaited_in_areas(table, view, awaited or {}),
    )
    owners = dice_areas(table, view)
    return tuple(replace(die, colour=_owner(die, owners) or die.colour) for die in dice)


def space_centres_at(die: DieReading, table: TableFile, view: TableView) -> list[str]:
    """Returns the places of the boards in whose middle *die* was read, where a die may be printed."""
    x, y, width, height = die.box
    middle = np.array([[x + width / 2, y + height / 2]])
    names = []
    for board in table.boards:
        plane = view.plane_of(board)
        if plane is not None:
            distances = np.linalg.norm(hexgrid(board.shape) - plane.from_frame(middle), axis=1)
            if distances.min() < PRINTED_FACE_REACH:
                names.append(board.places[int(distances.argmin())])
    return names


def _awaited_in_areas(table: TableFile, view: TableView, awaited: Mapping[str, int]) -> list[int]:
    """Returns the number of *awaited* dice in each of the polygons of :func:`dice_polygons`, or in the frame.

    Dice without an area of their colour are only counted if there is one place where they can lie.
    """
    names = [*[""] * len(table.dice_areas), *dice_areas(table, view)]
    shared = [name for name in names if name not in DICE_COLOURS]
    others = sum(count for colour, count in awaited.items() if colour not in names)
    in_shared = others if len(shared) == 1 else 0
    return [in_shared if name in shared else awaited.get(name, 0) for name in names] or [others]


def measure_dice_on(frame: np.ndarray, table: TableFile, view: TableView) -> list[tuple[str | None, Colour]]:
    """Returns for each die, row by row: the colour of its area, and its body colour normalised to white = 255."""
    measured = measure_dice(
        frame, areas=dice_polygons(table, view) or None, white=white_in(frame, table, view)
    )
    owners = dice_areas(table, view)
    return [(_owner(die, owners), body) for die, body in measured]


def _owner(die: DieReading, areas: Mapping[str, Polygon]) -> str | None:
    """Returns the dice colour whose area contains the centre of *die*; None if there is none."""
    x, y, width, height = die.box
    middle = (x + width / 2, y + height / 2)
    for name, area in areas.items():
        if name in DICE_COLOURS and cv2.pointPolygonTest(np.array(area, np.float32), middle, False) >= 0:
            return name
    return None
