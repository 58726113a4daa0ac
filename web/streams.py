"""A bound on open live streams, for each occupies a thread of the server."""

from __future__ import annotations

import threading
from collections import Counter

MOST_OF_ONE = 6
"""Of one address, which so leaves some to others; a browser opens one (see ``stream.js``)."""


class Streams:
    """Counts open streams, of which there may be *most*."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._of: Counter[str] = Counter()
        """Client -> its open streams."""

    @property
    def open(self) -> int:
        """How many are open."""
        return self._of.total()

    def take(self, client: str) -> bool:
        """Takes one; False when as many are open as there may be, of all or of this *client*."""
        with self._lock:
            if self.open >= self._most or self._of[client] >= MOST_OF_ONE:
                return False
            self._of[client] += 1
            return True

    def release(self, client: str) -> None:
        """Gives one of that *client* back."""
        with self._lock:
            self._of[client] -= 1
            self._of += Counter()  # forgets who has none
