"""No camera at all: everything is entered by taps."""

from __future__ import annotations

import numpy as np

from .camera import Camera, CameraEnded


class NoCamera(Camera):
    """Represents a table without a camera: there never was a picture, and none will come."""

    name = "no camera"

    def read(self) -> np.ndarray:
        raise CameraEnded("there is no camera; enter the game by taps")

    def close(self) -> None:
        """There is nothing to let go of."""
