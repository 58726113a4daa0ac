"""A camera on a USB port, through OpenCV."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np

from hardware.cameras.camera import Camera, CameraAbsent, CameraBusy, CameraLost

_FOURCC = cv2.VideoWriter.fourcc(*"MJPG")
"""USB cameras give large pictures at a useful rate only as MJPEG."""
_STALE_FRAMES = 2
"""Frames that drivers keep in a queue: they are older than the moment of asking."""


class UsbCamera(Camera):
    """Represents a USB camera.

    *index* is its number (the first is 0); *size* is the width and height asked for, the camera gives the nearest
    it has.
    """

    def __init__(self, index: int = 0, *, size: tuple[int, int] = (2304, 1296)) -> None:
        self.name = f"USB camera {index}"
        self._device = Path(f"/dev/video{index}")
        self._capture = cv2.VideoCapture(index)
        if not self._capture.isOpened():
            self.close()
            raise self._why_closed()
        self._capture.set(cv2.CAP_PROP_FOURCC, _FOURCC)
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])

    def _why_closed(self) -> CameraAbsent | CameraBusy:
        if sys.platform == "linux" and self._device.exists():
            return CameraBusy(
                f"{self.name} is in use or not allowed; close other programs that use {self._device}"
            )
        return CameraAbsent(f"{self.name} was not found; plug it in, or try another number (usb:1)")

    def read(self) -> np.ndarray:
        for _ in range(_STALE_FRAMES):
            self._capture.grab()
        good, frame = self._capture.read()
        if not good:
            raise CameraLost(f"{self.name} gives no more pictures; check its cable and start again")
        return frame

    def close(self) -> None:
        self._capture.release()
