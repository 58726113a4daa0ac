"""A camera on a USB port, through OpenCV."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np

from calibration.camera_settings import CameraSettings, steady_exposure

from .camera import Camera, CameraLost, Look
from .holders import in_use
from .usb_devices import UsbName

_FOURCC = cv2.VideoWriter.fourcc(*"MJPG")
"""USB cameras give large pictures at a useful rate only as MJPEG."""
_STALE_FRAMES = 2
"""Frames that drivers keep in a queue: they are older than the moment of asking."""
_V4L2_MANUAL = 1
_V4L2_AUTOMATIC = 3
"""V4L2_EXPOSURE_MANUAL and V4L2_EXPOSURE_APERTURE_PRIORITY."""
_EXPOSURE_US = 100.0
"""V4L2 counts exposure in steps of so many microseconds."""
_METERING_LOOKS = 30
"""Pictures in which the automatic comes to rest."""
_TAKES_EFFECT = 6
"""Pictures after which a new setting shows."""
_SAME_LIGHT = 1.3
"""How much brighter or darker a fixed picture may be than the automatic's."""
_EXPOSURE_TRIES = 5
_GAMMA = 2.0
"""Light -> grey levels is about a square root."""
_AUTOMATIC = {
    cv2.CAP_PROP_EXPOSURE: (cv2.CAP_PROP_AUTO_EXPOSURE, _V4L2_MANUAL),
    cv2.CAP_PROP_WB_TEMPERATURE: (cv2.CAP_PROP_AUTO_WB, 0),
    cv2.CAP_PROP_FOCUS: (cv2.CAP_PROP_AUTOFOCUS, 0),
}
"""A setting -> the automatic that must be switched off before it holds, and how."""
_TOLD = {
    cv2.CAP_PROP_EXPOSURE: "exposure",
    cv2.CAP_PROP_GAIN: "exposure",
    cv2.CAP_PROP_WB_TEMPERATURE: "white_balance",
    cv2.CAP_PROP_FOCUS: "focus",
}
"""A setting -> what is told of it."""


class UsbCamera(Camera):
    """Represents a USB camera.

    *which* names it, as its number does (the first is 0); *settings* are what it is fixed to, as far as its driver lets
    it be; *size* is the width and height asked for, the camera gives the nearest it has.
    """

    live = True

    def __init__(
        self,
        which: UsbName | int = 0,
        settings: CameraSettings | None = None,
        *,
        size: tuple[int, int] = (2304, 1296),
    ) -> None:
        which = which if isinstance(which, UsbName) else UsbName(str(which))
        self.name = which.name
        self._capture = _opened(which)
        self._capture.set(cv2.CAP_PROP_FOURCC, _FOURCC)
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        if int(self._capture.get(cv2.CAP_PROP_FOURCC)) == _FOURCC:
            # The pictures come as JPEG: a small preview of one costs a fraction of decoding it.
            self._capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)
        self._wanted = _driver_values(settings) if settings else {}
        for setting, value in self._wanted.items():
            self._fix(setting, value)

    def read(self) -> np.ndarray:
        return self.look().full()

    def look(self) -> Look:
        for _ in range(_STALE_FRAMES):
            self._capture.grab()
        good, frame = self._capture.read()
        if not good:
            raise CameraLost(f"{self.name} gives no more pictures; check its cable and start again")
        if frame.ndim == 3 and frame.shape[2] == 3:
            return Look(frame, lambda: frame)
        return look_at_jpeg(frame.ravel().copy())

    def lock(self, mains_hz: int) -> CameraSettings:
        """Lets it adjust itself to the light and to the table's distance, and fixes what its driver lets be fixed."""
        wanted = self._brightness(_METERING_LOOKS)
        fixable = (
            self._capture.getBackendName() == "V4L2"
        )  # the numbers of other systems are of unknown units
        exposure_us = self._fixed_exposure(wanted, mains_hz) if fixable else None
        temperature = self._fixed(cv2.CAP_PROP_WB_TEMPERATURE) if fixable else None
        focus = self._fixed(cv2.CAP_PROP_FOCUS) if fixable else None
        settings = CameraSettings(
            kind="usb",
            mains_hz=mains_hz,
            exposure_us=exposure_us,
            gain=None if exposure_us is None else self._fixed(cv2.CAP_PROP_GAIN),
            temperature_k=temperature,
            focus=focus,
        )
        self._wanted = _driver_values(settings)
        return settings

    def drifted_settings(self) -> tuple[str, ...]:
        lost = [
            _TOLD[setting] for setting, value in self._wanted.items() if self._capture.get(setting) != value
        ]
        return tuple(dict.fromkeys(lost))

    def _fixed(self, setting: int) -> float | None:
        """The value that *setting* has now and keeps; None when the driver does not let it be fixed."""
        value = self._capture.get(setting)
        return value if value >= 0 and self._fix(setting, value) else None

    def _fix(self, setting: int, value: float) -> bool:
        """Whether the driver takes *value*, its automatic switched off."""
        if setting in _AUTOMATIC and not self._capture.set(*_AUTOMATIC[setting]):
            return False
        return bool(self._capture.set(setting, value)) and self._capture.get(setting) == value

    def _fixed_exposure(self, brightness: float, mains_hz: int) -> float | None:
        """An exposure of whole flickers that is about as bright; None when there is none, or the driver refuses.

        What drivers report of their automatic is often not what it does, so the pictures are the measure.
        """
        us = max(self._capture.get(cv2.CAP_PROP_EXPOSURE), 1.0) * _EXPOSURE_US
        for _ in range(_EXPOSURE_TRIES):
            us = steady_exposure(us, 1.0, mains_hz, least_gain=0.0).us
            if not self._fix(cv2.CAP_PROP_EXPOSURE, round(us / _EXPOSURE_US)):
                break
            off = max(brightness, 1.0) / max(self._brightness(_TAKES_EFFECT), 1.0)
            if 1 / _SAME_LIGHT <= off <= _SAME_LIGHT:
                return us
            us *= off**_GAMMA
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _V4L2_AUTOMATIC)
        return None

    def _brightness(self, looks: int) -> float:
        """Mean grey level of the last of so many *looks*."""
        for _ in range(looks - 1):
            self.look()
        return float(self.look().preview.mean())

    def close(self) -> None:
        self._capture.release()


def look_at_jpeg(jpeg: np.ndarray) -> Look:
    """A look at a picture that comes as *jpeg*, (N,) uint8; raises CameraLost when it is none."""
    return Look(_decoded(jpeg, cv2.IMREAD_REDUCED_GRAYSCALE_8), lambda: _decoded(jpeg, cv2.IMREAD_COLOR))


def _decoded(jpeg: np.ndarray, flags: int) -> np.ndarray:
    picture = cv2.imdecode(jpeg, flags) if len(jpeg) else None
    if picture is None:
        raise CameraLost("the camera sends pictures that are no JPEG; unplug it and plug it in again")
    return picture


def _opened(which: UsbName) -> cv2.VideoCapture:
    """The device; raises CameraAbsent or CameraBusy. OpenCV, which would fill the log of an evening, is only asked for
    one that is there."""
    linux, number = sys.platform == "linux", which.number()
    device = Path(f"/dev/video{number}")
    if not linux or device.exists():
        capture = cv2.VideoCapture(number, cv2.CAP_V4L2 if linux else cv2.CAP_ANY)
        if capture.isOpened():
            which.opened(number)
            return capture
        capture.release()
    if linux and device.exists():
        raise in_use(which.name, str(device))
    raise which.absent()


def _driver_values(settings: CameraSettings) -> dict[int, float]:
    """What the driver is told."""
    exposure = None if settings.exposure_us is None else float(round(settings.exposure_us / _EXPOSURE_US))
    values = {
        cv2.CAP_PROP_EXPOSURE: exposure,
        cv2.CAP_PROP_GAIN: settings.gain,
        cv2.CAP_PROP_WB_TEMPERATURE: settings.temperature_k,
        cv2.CAP_PROP_FOCUS: settings.focus,
    }
    return {setting: value for setting, value in values.items() if value is not None}
