"""What every camera can do, and what can go wrong with one."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from hardware.closing import Closing


class CameraError(Exception):
    """Something is wrong with a camera; the message says what to do."""


class CameraAbsent(CameraError, FileNotFoundError):  # noqa: N818
    """There is no such camera, folder or video."""


class CameraBusy(CameraError, PermissionError):  # noqa: N818
    """Another program holds the camera."""


class CameraLost(CameraError, ConnectionError):  # noqa: N818
    """The camera stopped giving pictures."""


class CameraEnded(CameraError, EOFError):  # noqa: N818
    """The last picture of a folder or video was read."""


class UnknownCamera(CameraError, ValueError):  # noqa: N818
    """The words that should name a camera do not."""


@runtime_checkable
class Camera(Closing, Protocol):
    """Represents a source of pictures; use it in a ``with`` statement, or close it."""

    name: str
    """What a player would call it: ``USB camera 0``."""

    def read(self) -> np.ndarray:
        """The next picture: (H, W, 3) uint8 BGR, the caller's own.

        Raises CameraLost when no more pictures come, CameraEnded after the last one of a folder or video.
        """
        ...

    def close(self) -> None:
        """Lets go of the device; closing twice does no harm."""
        ...
