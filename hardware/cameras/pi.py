"""The Raspberry Pi's own camera, through picamera2 (which is only imported when one is opened)."""

from __future__ import annotations

import numpy as np

from hardware.cameras.camera import Camera, CameraAbsent, CameraBusy, CameraLost


class PiCamera(Camera):
    """Represents a camera on the Raspberry Pi's ribbon connector.

    *size* is the width and height of the pictures in pixels.
    """

    def __init__(self, *, size: tuple[int, int] = (2304, 1296)) -> None:
        self.name = "Raspberry Pi camera"
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise CameraAbsent(
                "picamera2 is not installed; on a Raspberry Pi run: sudo apt install python3-picamera2"
            ) from error
        if not Picamera2.global_camera_info():
            raise CameraAbsent(
                "no Raspberry Pi camera was found; check that its ribbon cable sits firmly at both ends"
            )
        try:
            self._device = Picamera2()
        except RuntimeError as error:
            raise CameraBusy(
                "the Raspberry Pi camera is in use; close the other program that uses it"
            ) from error
        try:
            # NOTE: picamera2's "RGB888" is blue, green, red in memory, which is OpenCV's order.
            self._device.configure(
                self._device.create_still_configuration({"size": size, "format": "RGB888"})
            )
            self._device.start()
        except Exception:
            self.close()
            raise

    def read(self) -> np.ndarray:
        try:
            return self._device.capture_array()
        except (RuntimeError, TimeoutError) as error:
            raise CameraLost(
                "the Raspberry Pi camera gives no more pictures; check its cable and start again"
            ) from error

    def close(self) -> None:
        self._device.close()
