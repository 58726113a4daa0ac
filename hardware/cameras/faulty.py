"""A camera that fails on command, for tests and benchmarks.

::

    faulty = FaultyCamera(VirtualTable(layout, seed=1))
    with SupervisedCamera(faulty.open, faulty.name) as camera:
        faulty.fault = Fault.UNPLUGGED     # the open device is lost and cannot be reopened
        faulty.fault = None                # plugged in again: it can be opened
"""

from __future__ import annotations

import threading
from enum import StrEnum

import numpy as np

from .camera import Camera, CameraAbsent, CameraBusy, CameraLost, Look

HANG_S = 10.0
"""How long a hanging driver blocks its caller, as OpenCV's does for USB cameras."""


class Fault(StrEnum):
    """Faults of a camera."""

    UNPLUGGED = "unplugged"
    """No pictures; cannot be opened."""
    BUSY = "busy"
    """No pictures; another program holds it."""
    HUNG = "hung"
    """Every request for a picture blocks."""
    FROZEN = "frozen"
    """The same picture again and again."""
    BLACK = "black"
    OVEREXPOSED = "overexposed"


GONE = frozenset({Fault.UNPLUGGED, Fault.BUSY})
"""Faults after which the device must be reopened."""


class FaultyCamera:
    """Wraps *camera* and simulates faults.

    It stays usable when an opened device is closed. *live* says whether its pictures count as those of a sensor.
    """

    def __init__(self, camera: Camera, *, live: bool = True) -> None:
        self.camera = camera
        self.name = camera.name
        self.live = live
        self.opened = 0
        """How often it was opened."""
        self._fault: Fault | None = None
        self._changed = threading.Condition()

    @property
    def fault(self) -> Fault | None:
        """Returns the current fault; it may be set from any thread."""
        return self._fault

    @fault.setter
    def fault(self, fault: Fault | None) -> None:
        with self._changed:
            self._fault = fault
            self._changed.notify_all()

    def open(self) -> Camera:
        """Opens the device, as often as needed; raises CameraAbsent or CameraBusy according to the fault."""
        if self.fault is Fault.UNPLUGGED:
            raise CameraAbsent(f"the {self.name} is unplugged: plug it in")
        if self.fault is Fault.BUSY:
            raise CameraBusy(f"the {self.name} is in use: close the other program")
        self.opened += 1
        return _Opened(self)

    def wait_while_hung(self) -> None:
        """Blocks while the camera hangs; raises CameraLost after HANG_S."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._fault is not Fault.HUNG, HANG_S):
                raise CameraLost(f"the {self.name} does not answer: check its cable")


class _Opened(Camera):
    """An open handle of a faulty camera: once lost, it stays lost."""

    def __init__(self, faulty: FaultyCamera) -> None:
        self.name, self.live = faulty.name, faulty.live
        self._faulty = faulty
        self._lost = False
        self._last: np.ndarray | None = None

    def read(self) -> np.ndarray:
        return self.look().full()

    def look(self) -> Look:
        self._faulty.wait_while_hung()
        fault = self._faulty.fault
        self._lost = self._lost or fault in GONE
        if self._lost:
            raise CameraLost(f"the {self.name} sends no more pictures: check its cable")
        if fault is not Fault.FROZEN or self._last is None:
            self._last = self._faulty.camera.read()
        frame = self._last.copy()
        if fault is Fault.BLACK:
            frame[:] = 0
        elif fault is Fault.OVEREXPOSED:
            frame[:] = 255
        return Look(frame, lambda: frame)

    def close(self) -> None:
        self._lost = True
