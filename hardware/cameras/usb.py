"""A USB camera through OpenCV."""

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
"""Frames in the queue of the driver, older than the request."""
_V4L2_MANUAL = 1
_V4L2_AUTOMATIC = 3
"""V4L2_EXPOSURE_MANUAL and V4L2_EXPOSURE_APERTURE_PRIORITY."""
_EXPOSURE_US = 100.0
"""Unit of V4L2 exposure values."""
_METERING_LOOKS = 30
"""Pictures in which the automatic modes settle."""
_TAKES_EFFECT = 6
"""Pictures until a new setting takes effect."""
_SAME_LIGHT = 1.3
"""Factor by which a fixed picture may be brighter or darker than the automatic one."""
_EXPOSURE_TRIES = 5
_GAMMA = 2.0
"""Grey levels are about the square root of the light."""
_AUTOMATIC = {
    cv2.CAP_PROP_EXPOSURE: (cv2.CAP_PROP_AUTO_EXPOSURE, _V4L2_MANUAL),
    cv2.CAP_PROP_WB_TEMPERATURE: (cv2.CAP_PROP_AUTO_WB, 0),
    cv2.CAP_PROP_FOCUS: (cv2.CAP_PROP_AUTOFOCUS, 0),
}
"""Setting -> the automatic mode to switch off first, and the value that does so."""
_SETTING_NAMES = {
    cv2.CAP_PROP_EXPOSURE: "exposure",
    cv2.CAP_PROP_GAIN: "exposure",
    cv2.CAP_PROP_WB_TEMPERATURE: "white_balance",
    cv2.CAP_PROP_FOCUS: "focus",
}
"""Setting -> its name in messages."""


class UsbCamera(Camera):
    """Represents a USB camera.

    *which* identifies it, for example by its number (the first is 0); *settings* fix it as far as its driver allows;
    *size* is the requested width and height, the camera uses the nearest it has.
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
            # Decoding a small preview of a JPEG costs a fraction of decoding the picture.
            self._capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)
        self._fixed_values = _driver_values(settings) if settings else {}
        for setting, value in self._fixed_values.items():
            self._fix(setting, value)

    def read(self) -> np.ndarray:
        return self.look().full()

    def look(self) -> Look:
        for _ in range(_STALE_FRAMES):
            self._capture.grab()
        good, frame = self._capture.read()
        if not good:
            raise CameraLost(f"{self.name} sends no more pictures; check its cable and start again")
        if frame.ndim == 3 and frame.shape[2] == 3:
            return Look(frame, lambda: frame)
        return look_at_jpeg(frame.ravel().copy())

    def lock(self, mains_hz: int) -> CameraSettings:
        """Lets the camera adjust itself to the light and the distance of the table, then fixes the settings that its
        driver allows."""
        brightness = self._brightness(_METERING_LOOKS)
        fixable = self._capture.getBackendName() == "V4L2"  # the units of other back ends are unknown
        exposure_us = self._fixed_exposure(brightness, mains_hz) if fixable else None
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
        self._fixed_values = _driver_values(settings)
        return settings

    def drifted_settings(self) -> tuple[str, ...]:
        drifted = [
            _SETTING_NAMES[setting]
            for setting, value in self._fixed_values.items()
            if self._capture.get(setting) != value
        ]
        return tuple(dict.fromkeys(drifted))

    def _fixed(self, setting: int) -> float | None:
        """Fixes *setting* at its current value and returns it; None if the driver does not allow it."""
        value = self._capture.get(setting)
        return value if value >= 0 and self._fix(setting, value) else None

    def _fix(self, setting: int, value: float) -> bool:
        """Sets *setting* to *value* with its automatic mode off; returns whether the driver accepts it."""
        if setting in _AUTOMATIC and not self._capture.set(*_AUTOMATIC[setting]):
            return False
        return bool(self._capture.set(setting, value)) and self._capture.get(setting) == value

    def _fixed_exposure(self, brightness: float, mains_hz: int) -> float | None:
        """Fixes and returns a flicker-free exposure of about the same *brightness*; None if the driver allows none.

        Drivers often report exposures that they do not use, so the brightness of the pictures is measured instead.
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
        """Returns the mean grey level of the last of so many *looks*."""
        for _ in range(looks - 1):
            self.look()
        return float(self.look().preview.mean())

    def close(self) -> None:
        self._capture.release()


def look_at_jpeg(jpeg: np.ndarray) -> Look:
    """Returns a look at the picture *jpeg*, (N,) uint8; raises CameraLost when it is not a JPEG."""
    return Look(_decoded(jpeg, cv2.IMREAD_REDUCED_GRAYSCALE_8), lambda: _decoded(jpeg, cv2.IMREAD_COLOR))


def _decoded(jpeg: np.ndarray, flags: int) -> np.ndarray:
    picture = cv2.imdecode(jpeg, flags) if len(jpeg) else None
    if picture is None:
        raise CameraLost("the camera sends pictures that are not JPEG; unplug it and plug it in again")
    return picture


def _opened(which: UsbName) -> cv2.VideoCapture:
    """Returns the device; raises CameraAbsent or CameraBusy.

    OpenCV is only asked for a device that exists, because it would fill the log.
    """
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
    """Returns *settings* in the driver's units."""
    exposure = None if settings.exposure_us is None else float(round(settings.exposure_us / _EXPOSURE_US))
    values = {
        cv2.CAP_PROP_EXPOSURE: exposure,
        cv2.CAP_PROP_GAIN: settings.gain,
        cv2.CAP_PROP_WB_TEMPERATURE: settings.temperature_k,
        cv2.CAP_PROP_FOCUS: settings.focus,
    }
    return {setting: value for setting, value in values.items() if value is not None}
