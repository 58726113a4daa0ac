"""How a command that serves a table is ended from outside."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def ending_cleanly() -> Iterator[None]:
    """SIGTERM (a service manager's, at shutdown) ends the program from within the block: all is closed, exit code 0."""
    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _end(number: int, frame: FrameType | None) -> None:
    sys.exit()
