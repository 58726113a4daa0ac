"""The watchdog: notifies the service manager as long as all vital parts are alive."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from .notify import Notify, notifier, watchdog_interval

STARTING_INTERVAL_S = 0.2
"""Between two checks until all parts are alive for the first time."""
DEFAULT_INTERVAL_S = 20.0
"""Between two checks if the manager does not set an interval."""

IsAlive = Callable[[], bool]
"""Returns whether a part is alive; may take some seconds, and may raise OSError if it is not."""


class Watchdog:
    """Checks the companion's vital parts, and notifies the manager.

    Sends nothing while nothing is being watched, as it is unknown then whether the companion works.
    """

    def __init__(self, notify: Notify | None = None, interval_s: float | None = None) -> None:
        """*interval_s* is the time between notifications; `None` for :data:`DEFAULT_INTERVAL_S`."""
        self._notify = notify
        self._interval_s = interval_s or DEFAULT_INTERVAL_S
        self._parts: dict[str, IsAlive] = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._ready = False
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
        if notify is not None:
            self._thread.start()

    @contextmanager
    def watching(self, part: str, is_alive: IsAlive) -> Iterator[None]:
        """Returns a context in which *part* is watched."""
        with self._lock:
            self._parts[part] = is_alive
        try:
            yield
        finally:
            with self._lock:
                del self._parts[part]

    def check(self) -> bool:
        """Checks all parts once; if there are any and all are alive, notifies the manager and returns True."""
        with self._lock:
            parts = list(self._parts.values())
        if not parts or not all(map(_is_alive, parts)):
            return False
        self._send("WATCHDOG=1" if self._ready else "READY=1")
        self._ready = True
        return True

    def set_status(self, line: str) -> None:
        """Sets the status line that the manager shows."""
        self._send(f"STATUS={line}")

    def close(self) -> None:
        """Notifies the manager that the companion is stopping."""
        self._ended.set()
        self._send("STOPPING=1")

    def _watch(self) -> None:
        while not self._ended.wait(self._interval_s if self._ready else STARTING_INTERVAL_S):
            self.check()

    def _send(self, assignment: str) -> None:
        if self._notify is not None:
            with suppress(OSError):  # see notifier()
                self._notify(assignment)


def watchdog() -> Watchdog:
    """Returns the watchdog of this process; it does nothing if no manager listens."""
    return Watchdog(notifier(), watchdog_interval())


def is_progressing(count: Callable[[], int]) -> IsAlive:
    """Returns a check whether *count* has changed since the last call, which shows that a loop still runs."""
    last = -1

    def is_alive() -> bool:
        nonlocal last
        before, last = last, count()
        return last != before

    return is_alive


def _is_alive(part: IsAlive) -> bool:
    try:
        return part()
    except OSError:
        return False
