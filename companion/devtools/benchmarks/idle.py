"""The cost of watching a table on which nothing moves, by the format of the camera's pictures."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from typing import TYPE_CHECKING

from companion.games.registry import rules_of
from companion.journal import Journal
from companion.runtime.table_loop import REST_AFTER_S
from companion.runtime.wiring import open_table
from companion.session import TableSession
from companion.virtual.demo import demo_setup, layout_for
from hardware.cameras.camera import Camera, Look
from hardware.cameras.supervised import SupervisedCamera
from vision.sighting import DieReading, Sighting

if TYPE_CHECKING:
    import numpy as np

AIM_PERCENT = 15.0
"""Of a core of a Raspberry Pi 4, with everything on."""
PI_4_FACTOR = 5.0
"""How much slower one of its cores is assumed to be than one of the measuring machine."""
FRAMES = 6
"""Number of pictures that differ only by noise, shown in a loop."""
REDUCED = 8
"""Approximate scale of a preview stream."""


@dataclass(frozen=True, slots=True)
class IdleCost:
    """Processor time of the companion while nothing moves."""

    pictures: str
    """Their format: ``preview stream``, ``JPEG``, ``whole``."""
    looks: int
    cpu_percent: float
    """Of one core of this machine."""

    @property
    def pi_4_percent(self) -> float:
        return PI_4_FACTOR * self.cpu_percent


def measure(seconds: float) -> list[IdleCost]:
    """Returns the cost of each format, measured for *seconds* each, in real time with all threads."""
    import cv2

    from hardware.cameras.usb import look_at_jpeg

    frames = _still_table()
    small = [cv2.cvtColor(frame[::REDUCED, ::REDUCED], cv2.COLOR_BGR2GRAY) for frame in frames]
    jpegs = [cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].ravel() for frame in frames]
    kinds: dict[str, list[Callable[[], Look]]] = {
        "preview stream": [partial(_copied, *pair) for pair in zip(small, frames, strict=True)],
        "JPEG": [partial(look_at_jpeg, jpeg) for jpeg in jpegs],
        "whole": [partial(_copied, frame, frame) for frame in frames],
    }
    return [_measured(kind, looks, seconds) for kind, looks in kinds.items()]


def _copied(preview: np.ndarray, frame: np.ndarray) -> Look:
    """Returns a copied picture, as a driver does."""
    return Look(preview.copy(), lambda: frame)


class _PreparedCamera(Camera):
    """A camera that shows prepared pictures in turn."""

    name = "prepared camera"
    live = True

    def __init__(self, looks: list[Callable[[], Look]]) -> None:
        self._looks = cycle(looks)
        self.shown = 0

    def read(self) -> np.ndarray:
        return self.look().full()

    def look(self) -> Look:
        self.shown += 1
        return next(self._looks)()

    def close(self) -> None:
        """Does nothing: no device is open."""


class _Reader:
    """A reader that sees nothing: a still table is read only once."""

    def read(
        self,
        frame: np.ndarray,
        only: Collection[str] | None = None,
        dice: Sequence[DieReading] | None = None,
    ) -> Sighting:
        return Sighting({}, ())

    def pictures(self, frame: np.ndarray, places: Collection[str]) -> Mapping[str, np.ndarray]:
        return {}


def _still_table() -> list[np.ndarray]:
    """Returns a few pictures of a virtual table."""
    from hardware.virtual_table import VirtualTable

    with VirtualTable(layout_for(demo_setup(4, 1)), seed=1) as camera:
        return [camera.read() for _ in range(FRAMES)]


def _measured(kind: str, looks: list[Callable[[], Look]], seconds: float) -> IdleCost:
    from hardware.panel import open_panel

    journal, setup = Journal(":memory:"), demo_setup(4, 1)
    session = TableSession(rules_of(setup), journal, setup)
    shown, stop = _PreparedCamera(looks), threading.Event()
    with (
        open_panel(simulate=True) as panel,
        SupervisedCamera(lambda: shown, shown.name) as camera,
        open_table(session, camera, _Reader(), panel, stores_pictures=False) as table,
    ):
        camera.run_in_background(time.monotonic)
        loop = threading.Thread(target=table.loop.run, args=(time.monotonic, stop), daemon=True)
        loop.start()
        time.sleep(REST_AFTER_S + 1.0)  # until it has settled and was read, and is watched at rest
        before, started = shown.shown, time.monotonic()
        busy = time.process_time()
        time.sleep(seconds)
        busy = time.process_time() - busy
        elapsed = time.monotonic() - started
        stop.set()
        loop.join()
    journal.close()
    return IdleCost(kind, shown.shown - before, 100 * busy / elapsed)
