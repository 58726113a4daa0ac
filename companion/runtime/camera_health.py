"""What the doctor sees of a camera while a game has it."""

from __future__ import annotations

from collections.abc import Callable

from companion.doctor.machine import Shot
from companion.session.last_frame import LastFrame
from hardware.cameras.camera import CameraError

from .table_loop import TableLoop


def latest_shot(
    table: TableLoop, last_frame: LastFrame, live: bool, is_automatic: bool
) -> Callable[[], Shot | None]:
    """Returns a function that looks at the frame read last by the game at *table*, which has the camera."""

    def look() -> Shot | None:
        if (error := table.error) is not None:
            raise CameraError(str(error), error.code, **error.data)
        if last_frame.frame is None:
            return None
        return Shot(table.camera.name, last_frame.frame, live, is_automatic, table.camera.drifted_settings)

    return look
