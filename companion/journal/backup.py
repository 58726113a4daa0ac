"""Copies of a journal in another folder: a USB stick, or a second disk."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from hardware.closeable import Closeable

from .file import Journal, read_lines, write
from .files import first_free, numbered
from .record import JournalError

EVERY_S = 3.0
"""How often it is looked whether there is something new: a turn takes longer, and a stick wears by each copy."""
CLOSING_S = 1.5
"""How long the last copy may take: the companion ends within two seconds."""


class Backup(Closeable):
    """Keeps the journal's copy in *folder* up to date, beside the game: nothing waits for it.

    The copy is a journal of the same name, complete at every moment: to restore it is to copy it back.
    """

    def __init__(
        self,
        journal: Journal,
        folder: Path,
        every_s: float = EVERY_S,
        say: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        """*say* is told once when copies cannot be made any more, and once when they are made again."""
        self.folder = folder
        self.error: str | None = None
        """Why there is no copy now; it is made as soon as it can be."""
        self._journal = journal
        self._kept: int | None = None
        """How many records the copy holds; None before the first."""
        self._copy: tuple[int, ...] | None = None
        """What marks the file of the copy: another one in its place is not this copy."""
        self._is_on_own_disk = False
        """Whether the copy was made on another disk than the journal's; where a stick is mounted, a folder is left
        without it."""
        self._every_s = every_s
        self._say = say
        self._stop = threading.Event()
        self._made = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="backup", daemon=True)
        self._thread.start()

    def wait_until_copied(self, timeout: float) -> bool:
        """Waits until the copy holds all that the journal holds now; False when it does not after so many seconds."""
        wanted = len(self._journal.lines())
        with self._made:
            return self._made.wait_for(lambda: (self._kept or 0) >= wanted, timeout)

    def close(self) -> None:
        """Makes a last copy, if that does not take too long."""
        self._stop.set()
        self._thread.join(CLOSING_S)

    def _run(self) -> None:
        while not self._stop.is_set():
            self._keep()
            self._stop.wait(self._every_s)
        self._keep()

    def _keep(self) -> None:
        """Copies the journal if there is something new, or the copy is there no longer: another stick may be."""
        lines = self._journal.lines()
        copy = self.folder / Path(self._journal.path).name
        if self._copy is not None and _mark(copy) != self._copy:
            self._kept = self._copy = None
            self._journal.copied = 0
        if len(lines) == self._kept:
            return
        try:
            if not self.folder.is_dir() or (self._is_on_own_disk and not self._is_apart()):
                raise FileNotFoundError("it is not there")
            if self._kept is None:
                self._make_way(copy)
            write(copy, lines)
        except (JournalError, OSError) as error:
            if self.error is None:
                self._say(f"backup: none is made in {self.folder} ({error}); it is tried again")
            self.error = str(error)
            return
        if self.error is not None:
            self._say(f"backup: made again in {self.folder}")
        self._journal.copied = len(lines)
        self._copy, self._is_on_own_disk = _mark(copy), self._is_apart()
        with self._made:
            self._kept, self.error = len(lines), None
            self._made.notify_all()

    def _is_apart(self) -> bool:
        """Whether the folder lies on another disk than the journal."""
        return _disk(self.folder) != _disk(Path(self._journal.path).absolute().parent)

    def _make_way(self, copy: Path) -> None:
        """What lies there under the name, and is not the beginning of this game, is kept under another one."""
        if not copy.exists():
            return
        try:
            there = read_lines(copy)
        except JournalError:
            there = None
        if there is None or there != self._journal.lines()[: len(there)]:
            copy.rename(first_free(numbered(copy.parent, f"{copy.stem}-before", copy.suffix, first=1)))


def _mark(file: Path) -> tuple[int, ...] | None:
    """What changes when another file takes this one's place, or is written over it; None when it is not there."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _disk(folder: Path) -> int | None:
    """The disk that *folder* lies on; None when it is not there."""
    try:
        return folder.stat().st_dev
    except OSError:
        return None
