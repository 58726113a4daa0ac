"""Copies of a journal in another folder: a USB stick, or a second disk."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from calibration.errors import Problem
from companion.service.file_errors import describe
from hardware.closeable import Closeable

from .database import write_lines
from .disk_errors import problem_of
from .file import Journal
from .files import first_free, numbered
from .reading import read_lines
from .record import JournalError

EVERY_S = 3.0
"""Seconds between two copies: a turn takes longer, and each copy wears a USB stick."""
CLOSING_S = 1.5
"""How long the last copy may take, in seconds: the companion has to end within two."""


class Backup(Closeable):
    """Keeps a copy of the journal in *folder* up to date, in the background.

    The copy is a journal of the same name, complete at every moment: restore it by copying it back.
    """

    def __init__(
        self,
        journal: Journal,
        folder: Path,
        every_s: float = EVERY_S,
        log: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        """*log* gets one line when copies fail, and one when they succeed again."""
        self.folder = folder
        self.problem: Problem | None = None
        """Why there is no copy now; ``None`` if there is. The copy is tried again."""
        self._journal = journal
        self._copied: int | None = None
        """Number of records in the copy; ``None`` before the first."""
        self._copy: tuple[int, ...] | None = None
        """Identity of the copy's file, which reveals another file in its place."""
        self._is_on_own_disk = False
        """Whether the copy is on another disk than the journal; the mount point of a removed stick is not."""
        self._every_s = every_s
        self._log = log
        self._stop = threading.Event()
        self._made = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="backup", daemon=True)
        self._thread.start()

    def wait_until_copied(self, timeout: float) -> bool:
        """Waits until the copy has all records that the journal has now; returns False after *timeout* seconds."""
        needed = len(self._journal.lines())
        with self._made:
            return self._made.wait_for(lambda: (self._copied or 0) >= needed, timeout)

    def close(self) -> None:
        """Makes a last copy, unless that takes too long."""
        self._stop.set()
        self._thread.join(CLOSING_S)

    def _run(self) -> None:
        while not self._stop.is_set():
            self._update()
            self._stop.wait(self._every_s)
        self._update()

    def _update(self) -> None:
        """Copies the journal if it has new records, or the copy is gone: the stick may be another one."""
        lines = self._journal.lines()
        copy = self.folder / Path(self._journal.path).name
        if self._copy is not None and _mark(copy) != self._copy:
            self._copied = self._copy = None
            self._journal.copied = 0
        if len(lines) == self._copied:
            return
        try:
            if not self.folder.is_dir() or (self._is_on_own_disk and not self._is_apart()):
                raise FileNotFoundError("it is not there")
            if self._copied is None:
                self._make_way(copy)
            write_lines(copy, lines)
        except (JournalError, OSError) as error:
            if self.problem is None:
                self._log(f"backup: none is made in {self.folder} ({_reason(error)}); it is tried again")
            self.problem = problem_of(error)
            return
        if self.problem is not None:
            self._log(f"backup: made again in {self.folder}")
        self._journal.copied = len(lines)
        self._copy, self._is_on_own_disk = _mark(copy), self._is_apart()
        with self._made:
            self._copied, self.problem = len(lines), None
            self._made.notify_all()

    def _is_apart(self) -> bool:
        """Whether the folder is on another disk than the journal."""
        return _disk(self.folder) != _disk(Path(self._journal.path).absolute().parent)

    def _make_way(self, copy: Path) -> None:
        """Renames a file at *copy* that is not the beginning of this game."""
        if not copy.exists():
            return
        try:
            there = read_lines(copy)
        except JournalError:
            there = None
        if there is None or there != self._journal.lines()[: len(there)]:
            copy.rename(first_free(numbered(copy.parent, f"{copy.stem}-before", copy.suffix, first=1)))


def _reason(error: Exception) -> str:
    return describe(error) if isinstance(error, OSError) else str(error)


def _mark(file: Path) -> tuple[int, ...] | None:
    """Returns values that change when the file is replaced or overwritten; ``None`` if there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _disk(folder: Path) -> int | None:
    """Returns the device number of the disk that *folder* is on; ``None`` if there is no such folder."""
    try:
        return folder.stat().st_dev
    except OSError:
        return None
