"""A camera that is watched: what goes wrong with it is told, and it is opened again by itself.

::

    with SupervisedCamera(partial(open_camera, "usb:0"), "USB camera 0") as camera:
        camera.run_in_background(time.monotonic)
        look = camera.look(time.monotonic())     # None: nothing new
        camera.error                             # what is wrong, until pictures come again
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

FIRST_RETRY_S, LONGEST_RETRY_S = 0.5, 8.0
"""Time before a lost camera is opened again; it doubles with each try, up to the longest."""
SILENT_S = 1.8
"""How long a driver may let who looks wait for a picture."""
OPENING_S = 8.0
"""How long it may take to open a device: libcamera needs two seconds on a Raspberry Pi 4."""
PERIOD_S = 0.1
"""Time between two looks in the background, unless who looks wants another."""
SETTINGS_S = 3.0
"""Time after which the settings of a camera that was just opened must have taken effect."""
CHECK_S = 30.0
"""Time between two looks at whether it keeps them."""
CLOSING_S = 2.0
"""How long an end waits for a driver that hangs."""
SENTENCES = {
    "black": "the {name} sees nothing but black: take off its cap, or switch on the lamp",
    "overexposed": "the {name} is dazzled: turn the lamp away, or measure the light again",
    "frozen": "the {name} shows the same picture again and again; it is being started anew",
    "silent": "the {name} does not answer: check its cable",
    "unread": "the pictures of the {name} could not be read; it is being started anew",
}
"""What is wrong by its code, where no camera says it itself."""


log = logging.getLogger(__name__)


class SupervisedCamera(Closeable):
    """Represents a camera that may fail at any time.

    A camera that is lost or frozen is closed and opened again, ever more patiently; one that is black or over-exposed
    is looked at on. An error counts until a picture proves that the camera works. Reading the device may be left to a
    thread of its own, so that a driver that hangs holds up nobody.
    """

    def __init__(self, open_device: Callable[[], Camera] | None, name: str) -> None:
        """*open_device* raises :exc:`CameraError` while the camera is not there; None: there is none, nor will be."""
        self.name = name
        self.error: CameraError | None = None
        """What is wrong now."""
        self.drifted_settings: tuple[str, ...] = ()
        """Which of its settings it does not keep: ``exposure``, ``white_balance``, ``focus``."""
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
        """Until when the driver must answer the thread."""
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def run_in_background(self, clock: Callable[[], float]) -> None:
        """Leaves the device to a thread until ``close``; *clock* is the one of those who look."""

        def run() -> None:
            while not self._stop.is_set():
                now = clock()
                self._due = now + (OPENING_S if self._device is None else SILENT_S)
                self._step(now)
                self._due = None
                self._stop.wait(self.period)
            self._let_go()

        self._thread = threading.Thread(target=run, name="camera", daemon=True)
        self._thread.start()

    def look(self, now: float) -> Look | None:
        """What has been seen since the last time, at most once; None when there is nothing new, or something is wrong.

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
            self._let_go()
        else:  # which lets go of the device itself: a driver that hangs must not be closed by another thread
            self._thread.join(CLOSING_S)

    def _step(self, now: float) -> None:
        """Opens the device when it is time to, or looks through it."""
        if self.ended or self._open_device is None:
            return
        if self._device is None and self._retry_at is not None and now < self._retry_at:
            return
        try:
            if self._device is None:
                self._device = self._open_device()
                self._health = PictureHealth(live=self._device.live)
                self._check_at = now + SETTINGS_S
            self._see(self._device, now)
        except CameraEnded:
            self.ended = True
        except CameraError as error:
            self._fail(error, now)
        except (
            Exception
        ):  # what a library says of a picture or a device it cannot use; it must not end the thread
            if self.error is None or self.error.code != "unread":
                log.exception("the %s failed", self.name)
            self._fail(self._lost("unread"), now)

    def _see(self, device: Camera, now: float) -> None:
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
        """Takes note of *error*, and closes the device to open it again later."""
        with self._lock:
            self.error, self._latest = error, None
        self._let_go()
        self._retry_at = now + self._retry_s
        self._retry_s = min(2 * self._retry_s, LONGEST_RETRY_S)

    def _let_go(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            device.close()

    def _lost(self, code: str) -> CameraLost:
        return CameraLost(SENTENCES[code].format(name=self.name), code)


def supervised(camera: Camera | SupervisedCamera) -> SupervisedCamera:
    """*camera*, watched; one that is open already stays its owner's to close."""
    if isinstance(camera, SupervisedCamera):
        return camera
    return SupervisedCamera(None if isinstance(camera, NoCamera) else lambda: _Borrowed(camera), camera.name)


class _Borrowed(Camera):
    """A camera that somebody else will close."""

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
        """Nothing to let go of."""
