"""A bound on open live streams, for each occupies a thread of the server."""

from __future__ import annotations

import threading


class Streams:
    """Counts open streams, of which there may be *most*."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self.open = 0

    def take(self) -> bool:
        """Takes one; False when as many are open as there may be."""
        with self._lock:
            free = self.open < self._most
            self.open += free
            return free

    def release(self) -> None:
        with self._lock:
            self.open -= 1
