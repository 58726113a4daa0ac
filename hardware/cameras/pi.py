"""The Raspberry Pi camera through picamera2 (imported only when one is opened).

One configuration gives two streams of every picture: a small one for detecting motion, and the full one, which is only
copied once the table is still. A test checks every call made here against the source of picamera2.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from calibration.camera_settings import MAX_EXPOSURE_US, CameraSettings, steady_exposure

from .camera import Camera, CameraAbsent, CameraLost, Look
from .holders import in_use

PREVIEW_SIZE = (320, 180)
"""Width and height of the small stream."""
BUFFERS = 5
"""Pictures that libcamera owns at once: two held here, one waiting, two being taken."""
HELD = 2
"""Pictures not yet returned to libcamera, so that a full picture can be had while the next one is taken."""
WAIT_S = 1.5
"""Timeout of one picture."""
FOCUS_S = 8.0
"""Timeout of the autofocus."""
METERING_LOOKS = 50
"""Pictures after which the automatic modes are taken as settled."""
AT_REST = 5
"""Consecutive pictures that must agree."""
SAME = 0.02
"""Relative difference within which they agree."""
AF_MANUAL = 0
"""libcamera's AfModeManual."""
SETTING_CONTROLS = {
    "exposure": ("ExposureTime", "AnalogueGain"),
    "white_balance": ("ColourGains",),
    "focus": ("LensPosition",),
}
"""Name of a setting -> the controls that it consists of."""
TOLERANCE = {"ExposureTime": 0.02, "AnalogueGain": 0.06, "ColourGains": 0.02, "LensPosition": 0.05}
"""Relative difference between the requested and the actual value of a control: the sensor works in lines and steps."""


class PiCamera(Camera):
    """Represents a camera on the ribbon connector of a Raspberry Pi.

    *settings* fix it; without them it stays in automatic mode. *size* is the width and height of the pictures in
    pixels.
    """

    live = True

    def __init__(
        self, settings: CameraSettings | None = None, *, size: tuple[int, int] = (2304, 1296)
    ) -> None:
        self.name = "Raspberry Pi camera"
        self._settings = settings
        self._held: list[Any] = []
        self._lock = threading.Lock()
        self._stalled = False
        self._device = _open_device()
        try:
            self._device.configure(self._configuration(size))
            self._device.start()
        except Exception:
            self.close()
            raise

    def _configuration(self, size: tuple[int, int]) -> Any:
        swapped = self._settings is not None and self._settings.red_blue_swapped
        # NOTE: picamera2's "RGB888" is blue, green, red in memory, which is OpenCV's order.
        return self._device.create_still_configuration(
            main={"size": size, "format": "BGR888" if swapped else "RGB888"},
            lores={"size": PREVIEW_SIZE, "format": "YUV420"},
            buffer_count=BUFFERS,
            controls={
                "FrameDurationLimits": (round(MAX_EXPOSURE_US), round(MAX_EXPOSURE_US)),
                **self._controls(),
            },
        )

    def _controls(self) -> dict[str, Any]:
        """Returns the controls that fix the camera, as far as it has them: a lens without a motor has no position."""
        if self._settings is None:
            return {}
        fixed = self._settings
        controls: dict[str, Any] = {}
        if fixed.exposure_us and fixed.gain:
            controls |= {
                "AeEnable": False,
                "ExposureTime": round(fixed.exposure_us),
                "AnalogueGain": fixed.gain,
            }
        if fixed.colour_gains:
            controls |= {"AwbEnable": False, "ColourGains": fixed.colour_gains}
        if fixed.focus is not None:
            controls |= {"AfMode": AF_MANUAL, "LensPosition": fixed.focus}
        return {name: value for name, value in controls.items() if name in self._device.camera_controls}

    def read(self) -> np.ndarray:
        return self.look().full()

    def look(self) -> Look:
        try:
            request = self._device.capture_request(wait=WAIT_S)
        except (RuntimeError, TimeoutError) as error:
            self._stalled = True
            raise CameraLost(
                "the Raspberry Pi camera sends no more pictures; check its cable and start again"
            ) from error
        with self._lock:
            self._held.append(request)
            if len(self._held) > HELD:
                self._held.pop(0).release()
            width, height = PREVIEW_SIZE
            grey = request.make_array("lores")[:height, :width]  # the rows below hold the colours
        return Look(grey, partial(self._full, request))

    def _full(self, request: Any) -> np.ndarray:
        """Returns the picture of *request*, or the latest one if that request has been returned already."""
        with self._lock:
            if not self._held:
                raise CameraLost("the Raspberry Pi camera is closed; open it again")
            frame: np.ndarray = (request if request in self._held else self._held[-1]).make_array("main")
            return frame

    def lock(self, mains_hz: int) -> CameraSettings:
        """Lets the camera adjust itself to the light and the distance of the table, then fixes its settings.

        The camera must have been opened without settings, or with those that only say which colours are swapped.
        """
        focus = self._focused()
        metered = self._metered()
        least_gain = self._device.camera_controls["AnalogueGain"][0]
        exposure = steady_exposure(
            metered["ExposureTime"],
            metered["AnalogueGain"] * metered.get("DigitalGain", 1.0),
            mains_hz,
            least_gain,
        )
        red, blue = metered["ColourGains"]
        self._settings = CameraSettings(
            kind="pi",
            mains_hz=mains_hz,
            exposure_us=exposure.us,
            gain=exposure.gain,
            colour_gains=(red, blue),
            focus=focus,
            red_blue_swapped=self._settings is not None and self._settings.red_blue_swapped,
        )
        self._device.set_controls(self._controls())
        for _ in range(METERING_LOOKS):
            self.look()
            if not self.drifted_settings():
                break
        return self._settings

    def drifted_settings(self) -> tuple[str, ...]:
        expected, actual = self._controls(), self._metadata()
        return tuple(
            setting
            for setting, names in SETTING_CONTROLS.items()
            if any(
                n in expected and n in actual and not _near(expected[n], actual[n], TOLERANCE[n])
                for n in names
            )
        )

    def _focused(self) -> float | None:
        """Returns the lens position after autofocus; None for a lens without a motor."""
        if "AfMode" not in self._device.camera_controls:
            return None
        self._device.autofocus_cycle(wait=FOCUS_S)
        self.look()
        return float(self._metadata()["LensPosition"])

    def _metered(self) -> Mapping[str, Any]:
        """Returns the metadata of the automatic modes once they have settled."""
        last: Mapping[str, Any] = {}
        agreeing = 0
        for _ in range(METERING_LOOKS):
            self.look()
            now = self._metadata()
            names = SETTING_CONTROLS["exposure"] + SETTING_CONTROLS["white_balance"]
            alike = bool(last) and all(_near(last[name], now[name], SAME) for name in names)
            last, agreeing = now, agreeing + 1 if alike else 0
            if agreeing == AT_REST:
                break
        return last

    def _metadata(self) -> Mapping[str, Any]:
        """Returns the metadata of the latest picture; empty before the first."""
        with self._lock:
            return self._held[-1].get_metadata() if self._held else {}

    def close(self) -> None:
        with self._lock:
            held, self._held = self._held, []
        for request in held:
            request.release()
        if self._stalled:  # otherwise closing would wait for a picture that never comes
            self._device.cancel_all_and_flush()
        self._device.close()


def _open_device() -> Any:
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        if error.name == "libcamera":
            raise CameraAbsent(
                "picamera2 is installed but cannot find the system's libcamera; on a Raspberry Pi delete the folder "
                ".venv and start with ./run, which recreates it with access to the system's packages",
                "no_libcamera",
            ) from error
        raise CameraAbsent(
            "picamera2 is not installed; on a Raspberry Pi run: sudo apt install python3-picamera2",
            "no_picamera2",
        ) from error
    except ValueError as error:  # built against another NumPy
        raise CameraAbsent(
            f"picamera2 cannot be loaded ({error}); on a Raspberry Pi delete the folder .venv and start with ./run, "
            "which recreates it with packages that fit the system's",
            "picamera2_broken",
        ) from error
    if not Picamera2.global_camera_info():
        raise CameraAbsent(
            "no Raspberry Pi camera was found; check that its ribbon cable sits firmly at both ends",
            "no_ribbon",
        )
    try:
        return Picamera2()
    except RuntimeError as error:
        raise in_use("the Raspberry Pi camera", "/dev/media*") from error


def _near(expected: Any, actual: Any, share: float) -> bool:
    return bool(np.allclose(actual, expected, rtol=share, atol=0.02))
