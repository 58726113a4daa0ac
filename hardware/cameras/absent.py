"""The absence of a camera: everything is entered by hand."""

from __future__ import annotations

import numpy as np

from .camera import Camera, CameraEnded


class NoCamera(Camera):
    """Represents a table without a camera: it never gives a picture."""

    name = "no camera"

    def read(self) -> np.ndarray:
        raise CameraEnded("there is no camera; enter the moves by hand")

    def close(self) -> None:
        """Does nothing: there is no device to release."""
