"""What every camera can do, and what can go wrong with one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from calibration.camera_settings import CameraSettings

from ..closeable import Closeable


class CameraError(Exception):
    """Something is wrong with a camera; the message says what to do.

    ``code`` and ``data`` say the same to the page, which has words for it in every language (``camera.CODE``).
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
    """The camera stopped giving pictures, or gives none that show the table."""


class CameraEnded(CameraError, EOFError):  # noqa: N818
    """The last picture of a folder or video was read."""


class UnknownCamera(CameraError, ValueError):  # noqa: N818
    """The words that should name a camera do not."""


@dataclass(frozen=True, slots=True)
class Look:
    """One moment before a camera; the picture in full is only made when somebody asks for it."""

    preview: np.ndarray
    """(H, W) grey or (H, W, 3) BGR uint8: enough to see what moves. It may be the picture in full."""
    full: Callable[[], np.ndarray]
    """The same moment, (H, W, 3) uint8 BGR and the caller's own; to be asked for before the next look."""


@runtime_checkable
class Camera(Closeable, Protocol):
    """Represents a source of pictures; use it in a ``with`` statement, or close it."""

    name: str
    """What a player would call it: ``USB camera 0``."""
    live: bool = False
    """Whether a sensor gives the pictures: its noise makes every one differ from the one before."""

    def read(self) -> np.ndarray:
        """The next picture: (H, W, 3) uint8 BGR, the caller's own.

        Raises CameraLost when no more pictures come, CameraEnded after the last one of a folder or video.
        """
        ...

    def look(self) -> Look:
        """The next picture, small at first; raises what ``read`` does."""
        frame = self.read()
        return Look(frame, lambda: frame)

    def drifted_settings(self) -> tuple[str, ...]:
        """Which of the settings that it was fixed to it does not keep: ``exposure``, ``white_balance``, ``focus``."""
        return ()

    def close(self) -> None:
        """Lets go of the device; closing twice does no harm."""
        ...


@runtime_checkable
class Adjustable(Camera, Protocol):
    """Represents a camera that can be fixed to the light and to the table's distance."""

    def lock(self, mains_hz: int) -> CameraSettings:
        """Lets it adjust itself and fixes it to that; what *mains_hz* lamps flicker by is kept out of the picture.

        Raises CameraLost when no pictures come.
        """
        ...
