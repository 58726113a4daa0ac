"""Where things lie in one frame: the table file, and the markers that the frame shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.table_file import BoardPlan, TableFile
from vision.geometry import Lens, MarkerView, Plane, duchy_plane, find_markers


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
        """The board's plane; None when it depends on markers that are not seen."""
        if board.anchors is not None:
            return duchy_plane(board.anchors, self.lens)
        if self.table is None:
            return None
        return duchy_plane(self.table.to_frame(np.array(board.anchors_mm)), self.lens)


def view_of(frame: np.ndarray, table: TableFile) -> TableView:
    lens = Lens.of(table.camera) if table.camera else None
    fixed = Plane.fit(table.plane.mm, table.plane.pixels, lens) if table.plane else None
    return TableView(lens, find_markers(frame, table.markers, lens) if table.markers else None, fixed)
