"""Lock of a folder of games: at a time, one process imports games there, or deletes all of them."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from calibration.errors import CompanionError

WAIT_S = 30.0
"""How long an import or a deletion waits for one that has begun; a deletion stops an import of the same process at its
next line."""
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
    def adding_games(self, wait_s: float = WAIT_S) -> Iterator[Callable[[], None]]:
        """Allows adding games within the block, once other imports have ended: each must see what the others added.

        Yields a function that raises :exc:`FolderEmptiedError` once all games have been deleted.

        :raises FolderEmptiedError: when this process is deleting them.
        :raises FolderBusyError: when the others go on for longer than *wait_s* seconds.
        """
        before = self._deletions

        def check() -> None:
            if self.is_deleting_all or self._deletions != before:
                raise FolderEmptiedError(
                    f"all games in {self._folder} are being deleted: import these when that has ended"
                )

        with self._locked(wait_s, "import these", check):
            yield check

    @contextmanager
    def deleting_all(self, wait_s: float = WAIT_S) -> Iterator[None]:
        """Prevents adding games within the block: stops imports of this process, waits for those of others.

        :raises FolderBusyError: when others go on for longer than *wait_s* seconds.
        """
        self._deletions += 1
        self.is_deleting_all = True
        try:
            with self._locked(wait_s, "delete them"):
                yield
        finally:
            self.is_deleting_all = False

    @contextmanager
    def _locked(self, wait_s: float, then: str, check: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Holds the lock; *then* says what is to be done later if it stays taken, *check* may end the waiting."""
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            end = time.monotonic() + wait_s
            while not _took(handle):
                check()
                if time.monotonic() > end:
                    raise FolderBusyError(
                        f"games are being imported into {self._folder}, or deleted there: {then} when that has ended"
                    )
                time.sleep(POLL_S)
            check()
            yield
        finally:
            os.close(handle)  # which unlocks


def _took(handle: int) -> bool:
    """Takes the lock if it is free; returns whether it is held now."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
