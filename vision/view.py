"""Where things lie in one frame: the table file, and the markers that the frame shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.table_file import BoardPlan, FixedPlane, TableFile

from .geometry import Lens, MarkerView, Plane, PlaneError, duchy_plane, find_markers


@dataclass(frozen=True)
class TableView:
    """Where things lie in one frame."""

    lens: Lens | None
    markers: MarkerView | None
    """None when the table has no markers."""
    fixed: Plane | None = None
    """The table of a camera that does not move."""

    @property
    def table(self) -> Plane | None:
        """From mm; None when markers show it and too few are seen."""
        return self.markers.plane if self.markers else self.fixed

    def duchy(self, board: BoardPlan) -> Plane | None:
        """Returns the board's plane; None when it depends on markers that are not seen, or its anchors place it
        nowhere."""
        if board.anchors is not None:
            anchors = np.array(board.anchors)
        elif self.table is not None:
            anchors = self.table.to_frame(np.array(board.anchors_mm))
        else:
            return None
        try:
            return duchy_plane(anchors, self.lens)
        except PlaneError:
            return None


def fixed_plane(plane: FixedPlane, lens: Lens | None) -> Plane | None:
    """Returns the table of a camera that does not move; None when the *plane*'s points, or such a lens, place it
    nowhere."""
    try:
        return Plane.fit(np.array(plane.mm), np.array(plane.pixels), lens)
    except PlaneError:
        return None


def view_of(frame: np.ndarray, table: TableFile) -> TableView:
    lens = Lens.of(table.camera) if table.camera else None
    fixed = fixed_plane(table.plane, lens) if table.plane else None
    return TableView(lens, find_markers(frame, table.markers, lens) if table.markers else None, fixed)
