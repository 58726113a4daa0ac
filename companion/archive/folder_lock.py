"""Who may change a folder of games as a whole: many may bring games in, or one may delete them all."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from calibration.errors import CompanionError

WAIT_S = 30.0
"""How long a deletion waits for games that are being brought in: in this process the next line ends that."""
EVERY_S = 0.05


class FolderBusyError(CompanionError, OSError):
    """The folder cannot be emptied, or filled, at this moment."""


class FolderEmptiedError(FolderBusyError):
    """All games of the folder are being deleted, or were while some were brought in."""


class FolderLock:
    """Represents the lock of one folder, shared by all processes (flock(2)). Safe to use from several threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._emptied = 0
        """How often this process has begun to empty it."""
        self.is_deleting_all = False
        """Whether this process is emptying it, or waits to do so."""

    @contextmanager
    def adding_games(self) -> Iterator[Callable[[], None]]:
        """Within it games may be added. Gives what raises :exc:`FolderEmptiedError` once they must not be any more.

        :raises FolderEmptiedError: when they are being deleted.
        """
        before = self._emptied
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            if not _locked(handle, fcntl.LOCK_SH):
                raise FolderEmptiedError(
                    f"all games in {self._folder} are being deleted: bring others in afterwards"
                )

            def check() -> None:
                if self._emptied != before:
                    raise FolderEmptiedError(
                        f"all games in {self._folder} were deleted meanwhile: bring these in again"
                    )

            yield check
        finally:
            os.close(handle)  # which unlocks

    @contextmanager
    def deleting_all(self, wait_s: float = WAIT_S) -> Iterator[None]:
        """Within it nobody adds games; whoever does so in this process is stopped, others are waited for.

        :raises FolderBusyError: when another process goes on adding games.
        """
        self._emptied += 1
        self.is_deleting_all = True
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            end = time.monotonic() + wait_s
            while not _locked(handle, fcntl.LOCK_EX):
                if time.monotonic() > end:
                    raise FolderBusyError(
                        f"games are being brought into {self._folder}: delete them when that has ended"
                    )
                time.sleep(EVERY_S)
            yield
        finally:
            self.is_deleting_all = False
            os.close(handle)


def _locked(handle: int, kind: int) -> bool:
    """Whether the lock of that *kind* was free, and is held now."""
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
