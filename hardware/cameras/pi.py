"""The Raspberry Pi's own camera, through picamera2 (which is only imported when one is opened).

One configuration gives two streams of every picture: a small one, on which motion is watched, and the whole one, which
is only copied when the table has come to rest. A test holds every call made here against picamera2's own source.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from calibration.camera_settings import LONGEST_EXPOSURE_US, CameraSettings, steady_exposure

from .camera import Camera, CameraAbsent, CameraLost, Look
from .holders import in_use

PREVIEW_SIZE = (320, 180)
"""Width and height of the small stream."""
BUFFERS = 5
"""Pictures that libcamera owns at once: two that are held here, one that waits, two that are being taken."""
HELD = 2
"""Pictures that are not given back yet, so that a look can be had in full while the next one is taken."""
WAIT_S = 1.5
"""How long a picture is waited for."""
FOCUS_S = 8.0
"""How long the lens may seek."""
METERING_LOOKS = 50
"""Pictures after which the automatic should have come to rest, whether it has or not."""
AT_REST = 5
"""Pictures that must agree before it counts as such."""
SAME = 0.02
"""By which share they may differ."""
AF_MANUAL = 0
"""libcamera's AfModeManual."""
KEPT = {
    "exposure": ("ExposureTime", "AnalogueGain"),
    "white_balance": ("ColourGains",),
    "focus": ("LensPosition",),
}
"""What is told of a setting that is not kept -> the controls that it consists of."""
TOLERANCE = {"ExposureTime": 0.02, "AnalogueGain": 0.06, "ColourGains": 0.02, "LensPosition": 0.05}
"""Share by which what the sensor does may differ from what it was told: it counts in lines and steps."""


class PiCamera(Camera):
    """Represents a camera on the Raspberry Pi's ribbon connector.

    *settings* are what it is fixed to; without any it adjusts itself. *size* is the width and height of the pictures in
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
                "FrameDurationLimits": (round(LONGEST_EXPOSURE_US), round(LONGEST_EXPOSURE_US)),
                **self._controls(),
            },
        )

    def _controls(self) -> dict[str, Any]:
        """What fixes the camera, as far as this one has it: a lens without a motor has no position."""
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
                "the Raspberry Pi camera gives no more pictures; check its cable and start again"
            ) from error
        with self._lock:
            self._held.append(request)
            if len(self._held) > HELD:
                self._held.pop(0).release()
            width, height = PREVIEW_SIZE
            grey = request.make_array("lores")[:height, :width]  # below are the colours
        return Look(grey, partial(self._full, request))

    def _full(self, request: Any) -> np.ndarray:
        """The picture of *request*; of the latest one when that was given back meanwhile."""
        with self._lock:
            if not self._held:
                raise CameraLost("the Raspberry Pi camera is closed; open it again")
            frame: np.ndarray = (request if request in self._held else self._held[-1]).make_array("main")
            return frame

    def lock(self, mains_hz: int) -> CameraSettings:
        """Lets it adjust itself to the light and to the table's distance, and fixes it to that.

        To be asked of a camera that was opened without settings, or with those that only say which colours are swapped.
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
        wanted, done = self._controls(), self._metadata()
        return tuple(
            setting
            for setting, names in KEPT.items()
            if any(n in wanted and n in done and not _near(wanted[n], done[n], TOLERANCE[n]) for n in names)
        )

    def _focused(self) -> float | None:
        """Where the lens stands once the table is sharp; None when it has no motor."""
        if "AfMode" not in self._device.camera_controls:
            return None
        self._device.autofocus_cycle(wait=FOCUS_S)
        self.look()
        return float(self._metadata()["LensPosition"])

    def _metered(self) -> Mapping[str, Any]:
        """What the automatic chose, once it has come to rest."""
        last: Mapping[str, Any] = {}
        agreeing = 0
        for _ in range(METERING_LOOKS):
            self.look()
            now = self._metadata()
            names = KEPT["exposure"] + KEPT["white_balance"]
            alike = bool(last) and all(_near(last[name], now[name], SAME) for name in names)
            last, agreeing = now, agreeing + 1 if alike else 0
            if agreeing == AT_REST:
                break
        return last

    def _metadata(self) -> Mapping[str, Any]:
        """What the sensor did for the picture that was looked at last; empty before the first."""
        with self._lock:
            return self._held[-1].get_metadata() if self._held else {}

    def close(self) -> None:
        with self._lock:
            held, self._held = self._held, []
        for request in held:
            request.release()
        if self._stalled:  # else the end would wait for the picture that never came
            self._device.cancel_all_and_flush()
        self._device.close()


def _open_device() -> Any:
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        if error.name == "libcamera":
            raise CameraAbsent(
                "picamera2 is there but the system's libcamera is not seen; on a Raspberry Pi delete the folder .venv "
                "and start with ./run, which makes it anew with the system's packages in sight",
                "no_libcamera",
            ) from error
        raise CameraAbsent(
            "picamera2 is not installed; on a Raspberry Pi run: sudo apt install python3-picamera2",
            "no_picamera2",
        ) from error
    except ValueError as error:  # a part of it was built against another NumPy
        raise CameraAbsent(
            f"picamera2 cannot be loaded ({error}); on a Raspberry Pi delete the folder .venv and start with ./run, "
            "which makes it anew with packages that fit the system's",
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


def _near(wanted: Any, done: Any, share: float) -> bool:
    return bool(np.allclose(done, wanted, rtol=share, atol=0.02))
