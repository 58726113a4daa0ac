"""The watchdog: the service manager hears that all is well only as long as it is."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from .notify import Notify, notifier, watchdog_interval

STARTING_INTERVAL_S = 0.2
"""Between two looks until all is well for the first time."""
DEFAULT_INTERVAL_S = 20.0
"""Between two looks where the manager does not ask for them."""

IsAlive = Callable[[], bool]
"""Says whether a part is alive; it may take some seconds about it, and may raise OSError for no."""


class Watchdog:
    """Represents what looks at the companion's vital parts, and tells the manager.

    While nothing is being watched it is silent: nobody knows then whether all is well.
    """

    def __init__(self, notify: Notify | None = None, interval_s: float | None = None) -> None:
        """*interval_s* is in seconds; None: signs of life are told every :data:`DEFAULT_INTERVAL_S`."""
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
        """Watches a part while the block runs."""
        with self._lock:
            self._parts[part] = is_alive
        try:
            yield
        finally:
            with self._lock:
                del self._parts[part]

    def check(self) -> bool:
        """Looks once; tells the manager, and returns, whether there are parts and all of them are well."""
        with self._lock:
            parts = list(self._parts.values())
        if not parts or not all(map(_is_alive, parts)):
            return False
        self._tell("WATCHDOG=1" if self._ready else "READY=1")
        self._ready = True
        return True

    def set_status(self, line: str) -> None:
        """A line for who asks the manager how it is."""
        self._tell(f"STATUS={line}")

    def close(self) -> None:
        """Tells that the companion ends."""
        self._ended.set()
        self._tell("STOPPING=1")

    def _watch(self) -> None:
        while not self._ended.wait(self._interval_s if self._ready else STARTING_INTERVAL_S):
            self.check()

    def _tell(self, assignment: str) -> None:
        if self._notify is not None:
            with suppress(OSError):  # see notifier()
                self._notify(assignment)


def watchdog() -> Watchdog:
    """The watchdog of this process: an idle one where no manager listens."""
    return Watchdog(notifier(), watchdog_interval())


def is_progressing(count: Callable[[], int]) -> IsAlive:
    """Says whether *count* has gone on since it was asked last: that a loop still runs."""
    last = -1

    def well() -> bool:
        nonlocal last
        before, last = last, count()
        return last != before

    return well


def _is_alive(part: IsAlive) -> bool:
    try:
        return part()
    except OSError:
        return False
