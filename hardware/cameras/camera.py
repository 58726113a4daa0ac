"""The camera protocol and its errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from calibration.camera_settings import CameraSettings
from calibration.errors import CompanionError

from ..closeable import Closeable


class CameraError(CompanionError):
    """Something is wrong with a camera; the message contains the cure.

    ``code`` and ``data`` identify the error for the page, which has a text for it in every language (``camera.CODE``).
    """

    code = "lost"

    def __init__(self, message: str, code: str | None = None, **data: Any) -> None:
        super().__init__(message)
        self.code = code or self.code
        self.data = data


class CameraAbsent(CameraError, FileNotFoundError):  # noqa: N818
    """There is no such camera, folder or video."""

    code = "absent"


class CameraBusy(CameraError, PermissionError):  # noqa: N818
    """Another program holds the camera."""

    code = "busy"


class CameraLost(CameraError, ConnectionError):  # noqa: N818
    """The camera stopped giving pictures, or its pictures do not show the table."""


class CameraEnded(CameraError, EOFError):  # noqa: N818
    """A folder or video has no more pictures."""


class UnknownCamera(CameraError, ValueError):  # noqa: N818
    """A camera spec that cannot be understood."""


@dataclass(frozen=True, slots=True)
class Look:
    """One frame as a preview; the full picture is only made on demand."""

    preview: np.ndarray
    """(H, W) grey or (H, W, 3) BGR uint8, large enough to detect motion. It may be the full picture."""
    full: Callable[[], np.ndarray]
    """Returns the full picture, (H, W, 3) uint8 BGR, as the caller's own copy; to be called before the next look."""


@runtime_checkable
class Camera(Closeable, Protocol):
    """Represents a source of pictures; use it in a ``with`` statement, or close it."""

    name: str
    """Name for players: ``USB camera 0``."""
    live: bool = False
    """Whether the pictures come from a sensor, whose noise makes each one different."""

    def read(self) -> np.ndarray:
        """Returns the next picture, (H, W, 3) uint8 BGR, as the caller's own copy.

        Raises CameraLost when no more pictures come, CameraEnded after the last one of a folder or video.
        """
        ...

    def look(self) -> Look:
        """Returns the next picture, starting with its preview; raises the errors of ``read``."""
        frame = self.read()
        return Look(frame, lambda: frame)

    def drifted_settings(self) -> tuple[str, ...]:
        """Returns the settings that have drifted from their fixed values: ``exposure``, ``white_balance``,
        ``focus``."""
        return ()

    def close(self) -> None:
        """Releases the device; may be called more than once."""
        ...


@runtime_checkable
class Adjustable(Camera, Protocol):
    """Represents a camera that can be fixed to the light and to the distance of the table."""

    def lock(self, mains_hz: int) -> CameraSettings:
        """Lets the camera adjust itself, then fixes and returns its settings; the exposure avoids flicker at
        *mains_hz*.

        Raises CameraLost when no pictures come.
        """
        ...
