"""Pictures for the doctor from a camera that a game is using."""

from __future__ import annotations

from collections.abc import Callable

from companion.doctor.machine import Shot
from companion.session.last_frame import LastFrame
from hardware.cameras.camera import CameraError

from .table_loop import TableLoop


def latest_shot(
    table: TableLoop, last_frame: LastFrame, live: bool, is_automatic: bool
) -> Callable[[], Shot | None]:
    """Returns a function that returns the latest frame of *table*, whose game is using the camera."""

    def look() -> Shot | None:
        if (error := table.error) is not None:
            raise CameraError(str(error), error.code, **error.data)
        if last_frame.frame is None:
            return None
        return Shot(table.camera.name, last_frame.frame, live, is_automatic, table.camera.drifted_settings)

    return look
