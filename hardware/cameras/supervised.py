"""Supervises a camera: reports its faults and reopens it.

::

    with SupervisedCamera(partial(open_camera, "usb:0"), "USB camera 0") as camera:
        camera.run_in_background(time.monotonic)
        look = camera.look(time.monotonic())     # None: nothing new
        camera.error                             # the current fault, until pictures come again
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import numpy as np

from ..closeable import Closeable
from .absent import NoCamera
from .camera import Camera, CameraEnded, CameraError, CameraLost, Look
from .health import PictureHealth

FIRST_RETRY_S, MAX_RETRY_S = 0.5, 8.0
"""Delay before reopening a lost camera; it doubles with each attempt, up to the longest."""
SILENT_S = 1.8
"""How long a driver may block."""
OPENING_S = 8.0
"""How long opening may take: libcamera needs two seconds on a Raspberry Pi 4."""
PERIOD_S = 0.1
"""Default interval between two looks in the background."""
SETTINGS_S = 3.0
"""Time after opening when the settings must have taken effect."""
CHECK_S = 30.0
"""Interval between two checks of the settings."""
CLOSING_S = 2.0
"""How long closing waits for a driver that hangs."""
MESSAGES = {
    "black": "the {name} sees only black: take off its cap, or switch on the lamp",
    "overexposed": "the {name} is overexposed: turn the lamp away, or measure the light again",
    "frozen": "the {name} shows the same picture again and again; it is being restarted",
    "silent": "the {name} does not answer: check its cable",
    "unread": "the pictures of the {name} could not be read; it is being restarted",
}
"""Fault code -> message, for faults that the camera does not report itself."""


log = logging.getLogger(__name__)


class SupervisedCamera(Closeable):
    """Represents a camera that may fail at any time.

    A lost or frozen camera is closed and reopened, with growing delays; a black or overexposed one is still read. An
    error lasts until a picture proves that the camera works. A thread may read the device, so that a driver that hangs
    blocks no caller.
    """

    def __init__(self, open_device: Callable[[], Camera] | None, name: str) -> None:
        """*open_device* raises :exc:`CameraError` while the camera is not available; None: there is no camera."""
        self.name = name
        self.error: CameraError | None = None
        """The current fault."""
        self.drifted_settings: tuple[str, ...] = ()
        """Settings that have drifted: ``exposure``, ``white_balance``, ``focus``."""
        self.period = PERIOD_S
        """Seconds between two looks in the background; may be set at any time."""
        self.absent = open_device is None
        """Whether there is no camera at all."""
        self.ended = self.absent
        """Whether no more pictures will come: the last one of a folder or video was read."""
        self._open_device = open_device
        self._device: Camera | None = None
        self._health = PictureHealth(live=False)
        self._retry_at: float | None = None
        self._check_at = 0.0
        self._retry_s = FIRST_RETRY_S
        self._latest: Look | None = None
        self._due: float | None = None
        """Deadline of the driver's answer to the thread."""
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def run_in_background(self, clock: Callable[[], float]) -> None:
        """Reads the device in a thread until ``close``; *clock* is the caller's clock."""

        def run() -> None:
            while not self._stop.is_set():
                now = clock()
                self._due = now + (OPENING_S if self._device is None else SILENT_S)
                self._step(now)
                self._due = None
                self._stop.wait(self.period)
            self._release()

        self._thread = threading.Thread(target=run, name="camera", daemon=True)
        self._thread.start()

    def look(self, now: float) -> Look | None:
        """Returns the latest look, each only once; None if there is nothing new, or there is an error.

        *now* is in seconds, from any origin.
        """
        if self._thread is None:
            self._step(now)
        with self._lock:
            if self._due is not None and now > self._due and self.error is None:
                self.error = self._lost("silent")
            look, self._latest = self._latest, None
            return None if self.error else look

    def close(self) -> None:
        self._stop.set()
        if self._thread is None:
            self._release()
        else:  # it releases the device itself: a hanging driver must not be closed by another thread
            self._thread.join(CLOSING_S)

    def _step(self, now: float) -> None:
        """Opens the device when it is time to, or reads it."""
        if self.ended or self._open_device is None:
            return
        if self._device is None and self._retry_at is not None and now < self._retry_at:
            return
        try:
            if self._device is None:
                self._device = self._open_device()
                self._health = PictureHealth(live=self._device.live)
                self._check_at = now + SETTINGS_S
            self._inspect(self._device, now)
        except CameraEnded:
            self.ended = True
        except CameraError as error:
            self._fail(error, now)
        except Exception:  # an exception of a library about a picture or a device; it must not end the thread
            if self.error is None or self.error.code != "unread":
                log.exception("the %s failed", self.name)
            self._fail(self._lost("unread"), now)

    def _inspect(self, device: Camera, now: float) -> None:
        look = device.look()
        assessment = self._health.assess(look.preview, now)
        if assessment.fault == "frozen":
            raise self._lost("frozen")
        if now >= self._check_at:
            self.drifted_settings = device.drifted_settings()
            self._check_at = now + CHECK_S
        with self._lock:
            if assessment.fault:
                self.error = self._lost(assessment.fault)
            elif assessment.usable and assessment.alive:
                self.error, self._retry_s = None, FIRST_RETRY_S
            self._latest = look if assessment.usable else None

    def _fail(self, error: CameraError, now: float) -> None:
        """Records *error* and closes the device, to reopen it later."""
        with self._lock:
            self.error, self._latest = error, None
        self._release()
        self._retry_at = now + self._retry_s
        self._retry_s = min(2 * self._retry_s, MAX_RETRY_S)

    def _release(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            device.close()

    def _lost(self, code: str) -> CameraLost:
        return CameraLost(MESSAGES[code].format(name=self.name), code)


def supervised(camera: Camera | SupervisedCamera) -> SupervisedCamera:
    """Returns *camera* supervised; a camera that is open already stays for its owner to close."""
    if isinstance(camera, SupervisedCamera):
        return camera
    return SupervisedCamera(None if isinstance(camera, NoCamera) else lambda: _Borrowed(camera), camera.name)


class _Borrowed(Camera):
    """A camera that its owner closes."""

    def __init__(self, camera: Camera) -> None:
        self.name, self.live = camera.name, camera.live
        self._camera = camera

    def read(self) -> np.ndarray:
        return self._camera.read()

    def look(self) -> Look:
        return self._camera.look()

    def drifted_settings(self) -> tuple[str, ...]:
        return self._camera.drifted_settings()

    def close(self) -> None:
        """Does nothing: there is no device to release."""
