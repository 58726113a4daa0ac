"""One game's journal, open for writing."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.service.sqlite_files import sidecars

from .database import error_for, insert_lines, open_exclusively, write_lines
from .disk_errors import READ_ONLY, SQLITE_ERRORS, UNREACHABLE, UnusableError
from .files import DAMAGED, identity_of, quarantine_file, size_of
from .record import JournalError, Line, NewRecord, Record, body_text, chained

WAIT_S = 5.0
"""How long a start waits until another process lets go of the file: a viewer or a backup may read for that long."""
BUSY_S = 0.5
"""The same while people wait for the answer to a press."""


@dataclass(frozen=True, slots=True)
class Restored:
    """The file was removed, replaced or shortened during the game, and was written again from memory."""

    saved_as: str | None
    """New name of the file that was there instead; ``None`` if there was none."""
    records: int
    """Number of records in the journal at that time."""


def check_can_begin(path: Path, setup: Mapping[str, Any]) -> None:
    """Checks that a game with this *setup* can be saved at *path*: begins it in a file beside it, and removes that.

    :raises JournalError: when it cannot.
    """
    trial = path.with_name(f"{path.name}.trial-{os.getpid()}")
    try:
        with closing(Journal(trial)) as journal:
            journal.append("setup", setup)
    finally:
        for file in (trial, *sidecars(trial)):
            with suppress(OSError):  # there is none, or the error that is being raised says what is wrong
                file.unlink()


class Journal:
    """Represents one game's journal file, opened for writing; safe to use from several threads.

    *clock* gives the time of a record. *wait_s* is how long to wait for another process that has the file open, in
    seconds.

    :raises JournalError: when the file cannot be opened, or is not a journal of this version.
    :raises DamagedError: when it does not hold what was written (see :mod:`.recovery`).
    """

    def __init__(
        self,
        path: str | Path,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        wait_s: float | None = None,
    ) -> None:
        self.path = str(path)
        self._clock = clock
        self.allow_unsaved = False
        """Whether players chose to go on although records cannot be written; these stay in memory until they can.
        Only a write ends it: a check that finds nothing to write says nothing about the disk."""
        self.trouble: str | None = None
        """Cause of the last write if it failed (:attr:`JournalError.cause`); ``None`` if it did not."""
        self.restored: Restored | None = None
        """What happened to the file during the game; ``None`` if nothing did."""
        self.copied = 0
        """Number of records in a copy in another folder, from which the next start would restore them."""
        self._lock = threading.Lock()
        self._closed = False
        self._db: sqlite3.Connection | None
        self._db, self._lines = open_exclusively(self.path, WAIT_S if wait_s is None else wait_s)
        self._written = len(self._lines)
        """Number of lines that are in the file."""
        self._is_away = False
        """Whether the file's folder was gone at the last write."""
        self._remember_place()

    @property
    def unsaved(self) -> int:
        """Number of records that are only in memory, as far as known: all of them if the file's folder is gone."""
        return self.pending or (len(self._lines) if self._is_away else 0)

    @property
    def pending(self) -> int:
        """Number of records that wait in memory to be written."""
        return len(self._lines) - self._written

    @property
    def at_risk(self) -> int:
        """Number of records in neither the file nor a copy: they would be lost with this process."""
        return max(0, min(self.unsaved, len(self._lines) - self.copied))

    def append(self, kind: str, body: Mapping[str, Any]) -> Record:
        """Writes a record, which is on disk when this returns, unless ``allow_unsaved`` is set.

        :raises JournalError: when it could not be written; nothing was added then.
        """
        (record,) = self.append_all([(kind, body)])
        return record

    def append_all(self, new_records: Sequence[NewRecord], *, amends: bool = False) -> list[Record]:
        """Writes records that belong together, all or none; they are on disk when this returns.

        With *amends*, the records after the first have its number in ``amends``.

        :raises JournalError: when they could not be written; nothing was added then.
        """
        at = self._clock().isoformat(timespec="milliseconds")
        with self._lock:
            number = {"amends": len(self._lines) + 1} if amends else {}
            bodies = [{**body, **number} if i else body for i, (_, body) in enumerate(new_records)]
            texts = ((at, kind, body_text(body)) for (kind, _), body in zip(new_records, bodies, strict=True))
            lines = chained(texts, self._lines)
            self._write_if_possible([*self._lines, *lines])
            self._lines += lines
        return [line.record() for line in lines]

    def save(self) -> None:
        """Writes the records that are only in memory, or the whole file again if it is not what was written.

        :raises JournalError: when that is not possible now; the records stay in memory then.
        """
        with self._lock:
            if not self._closed:
                self._write(self._lines)

    def _write_if_possible(self, lines: Sequence[Line]) -> None:
        """Writes *lines*; if that fails and ``allow_unsaved`` is set, leaves the new ones to a later write."""
        try:
            self._write(lines)
        except JournalError:
            if not self.allow_unsaved:
                raise

    def _write(self, lines: Sequence[Line]) -> None:
        """Completes the file to *lines*; it has the first ``_written`` of them already."""
        try:
            if not self._is_in_place():
                self._reopen(lines)
            if len(lines) > self._written:
                self._insert(lines[self._written :])
                self._written = len(lines)
                if not self._is_in_place():  # it was removed during the write
                    self._reopen(lines)
        except JournalError as error:
            self.trouble = error.cause
            raise

    def _insert(self, lines: Sequence[Line]) -> None:
        assert self._db is not None
        try:
            self._db.execute("BEGIN IMMEDIATE")
            insert_lines(self._db, lines)
            self._db.execute("COMMIT")
        except SQLITE_ERRORS as error:
            # Closing rolls back. The next write opens the file again, whatever has happened to it.
            self._disconnect()
            raise error_for(self.path, "could not be written", error) from error
        self._size = size_of(self.path)
        self._end_trouble()

    def _is_in_place(self) -> bool:
        """Whether the open file is still at its path, and has the size that the last write left."""
        return (
            self._db is not None and identity_of(self.path) == self._file and size_of(self.path) == self._size
        )

    def _reopen(self, lines: Sequence[Line]) -> None:
        """Opens the file at the path again, if it holds what was written; else writes a new one with all *lines*.

        Writes none if the folder is not the same as before: another disk may be in its place.

        :raises UnusableError: when the disk does not allow it, or is another one.
        """
        self._disconnect()
        self._is_away = identity_of(Path(self.path).parent) != self._folder
        try:
            db, found = open_exclusively(self.path, BUSY_S, must_exist=True)
            if found == lines[: self._written]:
                self._db = db
                self._remember_place()
                return
            db.close()
            error: Exception = JournalError("it holds something else")
        except UnusableError as unusable:
            if unusable.cause != UNREACHABLE:
                raise
            error = unusable
            if not Path(self.path).parent.is_dir():
                raise
        except JournalError as damaged:
            error = damaged
        if identity_of(Path(self.path).parent) != self._folder:
            raise UnusableError(self.path, "is another one than this game's", UNREACHABLE, error) from error
        self._rewrite(lines)

    def _rewrite(self, lines: Sequence[Line]) -> None:
        path = Path(self.path)
        try:
            saved_as = quarantine_file(path, DAMAGED).name if os.path.lexists(path) else None
            for file in sidecars(path):
                file.unlink(missing_ok=True)
        except OSError as error:
            raise UnusableError(self.path, "could not be written again", READ_ONLY, error) from error
        self._written = 0
        write_lines(path, lines)
        self._db, _ = open_exclusively(self.path, BUSY_S, must_exist=True)
        self._written = len(lines)
        self._remember_place()
        self.restored = Restored(saved_as, len(lines))
        self._end_trouble()

    def _end_trouble(self) -> None:
        self.allow_unsaved, self.trouble = False, None

    def _remember_place(self) -> None:
        self._is_away = False
        self._folder, self._file = identity_of(Path(self.path).parent), identity_of(self.path)
        self._size = size_of(self.path)

    def _disconnect(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def lines(self) -> list[Line]:
        """Returns all records as they are stored, oldest first, including those that are not saved yet."""
        with self._lock:
            return list(self._lines)

    def records(self) -> list[Record]:
        """Returns all records, oldest first."""
        return [line.record() for line in self.lines()]

    def close(self) -> None:
        """Writes the records that are only in memory, if possible (see ``unsaved``), and closes the file."""
        with suppress(JournalError):
            self.save()
        with self._lock:
            self._closed = True
            self._disconnect()
