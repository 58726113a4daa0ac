"""Positions in one frame, from the table file and the markers visible in the frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.table_file import BoardPlan, FixedPlane, TableFile

from .geometry import Lens, MarkerView, Plane, PlaneError, board_plane, find_markers


@dataclass(frozen=True)
class TableView:
    """Positions in one frame."""

    lens: Lens | None
    markers: MarkerView | None
    """None if the table has no markers."""
    fixed: Plane | None = None
    """The table plane of a camera that does not move."""

    @property
    def table(self) -> Plane | None:
        """Returns the table's plane; None if markers define it and too few are visible."""
        return self.markers.plane if self.markers else self.fixed

    def plane_of(self, board: BoardPlan) -> Plane | None:
        """Returns the plane of the board; None if it depends on markers that are not visible, or its anchors are
        degenerate."""
        if board.anchors is not None:
            anchors = np.array(board.anchors)
        elif self.table is not None:
            anchors = self.table.to_frame(np.array(board.anchors_mm))
        else:
            return None
        try:
            return board_plane(anchors, self.lens, board.shape)
        except PlaneError:
            return None


def fixed_plane(plane: FixedPlane, lens: Lens | None) -> Plane | None:
    """Returns the table plane of a camera that does not move; None if the points of *plane*, or the lens, are
    degenerate."""
    try:
        return Plane.fit(np.array(plane.mm), np.array(plane.pixels), lens)
    except PlaneError:
        return None


def view_of(frame: np.ndarray, table: TableFile) -> TableView:
    lens = Lens.of(table.camera) if table.camera else None
    fixed = fixed_plane(table.plane, lens) if table.plane else None
    return TableView(lens, find_markers(frame, table.markers, lens) if table.markers else None, fixed)
