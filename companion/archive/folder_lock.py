"""Lock of a folder of games: several processes may import games at a time, or one may delete all of them."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from calibration.errors import CompanionError

WAIT_S = 30.0
"""How long a deletion waits for an import in another process; an import in this process stops at its next line."""
POLL_S = 0.05


class FolderBusyError(CompanionError, OSError):
    """Games cannot be deleted, or imported, at this moment."""


class FolderEmptiedError(FolderBusyError):
    """All games of the folder are being deleted, or were deleted during an import."""


class FolderLock:
    """Represents the lock of one folder, shared by all processes (flock(2)). Safe to use from several threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._deletions = 0
        """How often this process has begun to delete all games."""
        self.is_deleting_all = False
        """Whether this process deletes all games, or waits to do so."""

    @contextmanager
    def adding_games(self) -> Iterator[Callable[[], None]]:
        """Allows adding games within the block. Yields a function that raises :exc:`FolderEmptiedError` once all games
        have been deleted.

        :raises FolderEmptiedError: when they are being deleted.
        """
        before = self._deletions
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            if not _locked(handle, fcntl.LOCK_SH):
                raise FolderEmptiedError(
                    f"all games in {self._folder} are being deleted: import others afterwards"
                )

            def check() -> None:
                if self._deletions != before:
                    raise FolderEmptiedError(
                        f"all games in {self._folder} were deleted meanwhile: import these again"
                    )

            yield check
        finally:
            os.close(handle)  # which unlocks

    @contextmanager
    def deleting_all(self, wait_s: float = WAIT_S) -> Iterator[None]:
        """Prevents adding games within the block: stops imports of this process, waits for those of others.

        :raises FolderBusyError: when another process goes on adding games.
        """
        self._deletions += 1
        self.is_deleting_all = True
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            end = time.monotonic() + wait_s
            while not _locked(handle, fcntl.LOCK_EX):
                if time.monotonic() > end:
                    raise FolderBusyError(
                        f"games are being imported into {self._folder}: delete them when that has ended"
                    )
                time.sleep(POLL_S)
            yield
        finally:
            self.is_deleting_all = False
            os.close(handle)


def _locked(handle: int, kind: int) -> bool:
    """Takes the lock of that *kind* if it is free; returns whether it is held now."""
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
