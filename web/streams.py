"""A limit on open live streams, because each occupies a thread of the server."""

from __future__ import annotations

import threading
from collections import Counter

MAX_PER_CLIENT = 6
"""Open streams of one address, so that some are left for others; a browser opens one (see ``stream.js``)."""


class StreamLimit:
    """Counts open streams; at most *limit* may be open at once."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._open: Counter[str] = Counter()
        """Open streams by client."""

    @property
    def open(self) -> int:
        """Returns the number of open streams."""
        return self._open.total()

    def acquire(self, client: str) -> bool:
        """Opens a stream for *client*; returns False if the limit for all or for this client is reached."""
        with self._lock:
            if self.open >= self._limit or self._open[client] >= MAX_PER_CLIENT:
                return False
            self._open[client] += 1
            return True

    def release(self, client: str) -> None:
        """Closes a stream of *client*."""
        with self._lock:
            self._open[client] -= 1
            self._open += Counter()  # drops clients without open streams
