"""Saves, beside the game, what a journal holds in memory alone, as soon as the disk allows it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

from hardware.closeable import Closeable

from .file import Journal
from .record import JournalError

EVERY_S = 3.0
"""How often it is tried, and looked whether the file still lies where it was."""


class AutoSave(Closeable):
    """Keeps the *journal*'s file as the journal is, while nobody confirms anything: see :meth:`Journal.save`."""

    def __init__(self, journal: Journal, say: Callable[[str], None], every_s: float = EVERY_S) -> None:
        """*say* is told when what was held is saved, and when the file had to be written anew."""
        self._journal = journal
        self._say = say
        self._every_s = every_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="saving", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        told = None
        while not self._stop.wait(self._every_s):
            held = self._journal.unsaved
            with suppress(JournalError):  # it is tried again; whoever confirms is told why it is not possible
                self._journal.save()
                if held:
                    self._say(f"journal: saved, with {held} records that were held in memory")
            if (restored := self._journal.restored) is not told:
                told = restored
                self._say(
                    f"journal: {self._journal.path} was removed or changed while it was played; written anew"
                )
