"""Writes, in the background, the records that a journal holds only in memory, as soon as the disk allows it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

from calibration.counting import counted
from hardware.closeable import Closeable

from .file import Journal
from .record import JournalError

EVERY_S = 3.0
"""Seconds between two tries, each of which also checks that the file is still in its place."""


class AutoSave(Closeable):
    """Calls :meth:`Journal.save` of *journal* regularly, as nobody may confirm anything for a while."""

    def __init__(self, journal: Journal, log: Callable[[str], None], every_s: float = EVERY_S) -> None:
        """*log* gets a line when held records were saved, and when the file was written again."""
        self._journal = journal
        self._log = log
        self._every_s = every_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="autosave", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        logged = None
        while not self._stop.wait(self._every_s):
            unsaved = self._journal.unsaved
            with suppress(JournalError):  # it is tried again; the next confirmation reports why it fails
                self._journal.save()
                if unsaved:
                    held = counted(unsaved, "record that was", "records that were")
                    self._log(f"journal: saved, with {held} held in memory")
            if (restored := self._journal.restored) is not logged:
                logged = restored
                self._log(
                    f"journal: {self._journal.path} was removed or changed during the game; written again"
                )
