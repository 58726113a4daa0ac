"""All games of a folder. What their journals hold is worked out once, and remembered in an embedded database."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from calibration.documents import MALFORMED, parse_json
from companion.games.api import Rules
from companion.journal import read_records, setup_of
from companion.journal.database import MEMORY, write_lines
from companion.journal.disk_errors import UnusableError
from companion.journal.files import SUFFIX as SUFFIX
from companion.journal.files import first_free, is_journal, journals_in, numbered
from companion.journal.record import Line
from companion.players.setup import check_existing_setup
from companion.service.sqlite_files import sidecars

from .folder_lock import FolderLock
from .record import GameRecord, record_of

INDEX = "archive.sqlite"
VERSION = 4
"""Of what is remembered; with another one all journals are read anew."""

_SCHEMA = f"""
DROP TABLE IF EXISTS game;
CREATE TABLE game (name TEXT PRIMARY KEY, size INTEGER, changed INTEGER, record TEXT, error TEXT, digest TEXT);
PRAGMA user_version = {VERSION};
"""
_DAMAGED = (sqlite3.Error, *MALFORMED)
"""What a damaged index raises, or a time that it cannot hold."""


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """One journal of the folder."""

    name: str
    """The file's name without its ending."""
    record: GameRecord | None
    """None where no game was begun, or it cannot be read."""
    error: str | None = None
    """Why it cannot be read."""
    error_is_temporary: bool = False
    """Whether it can be read again once another program, or the disk, lets it: the file may be a whole game."""


class Archive:
    """Represents the games folder. Safe to use from several threads.

    The database is only a memory: deleting it, or not being able to write it, costs time and nothing else.
    """

    def __init__(self, folder: str | Path, rules: Rules) -> None:
        self.folder = Path(folder)
        self._rules = rules
        self._lock = threading.Lock()
        self.lock = FolderLock(self.folder)
        """Held while games are brought in, or all are deleted."""
        self._db = self._opened()

    def _opened(self) -> sqlite3.Connection:
        index = self.folder / INDEX
        # What is no file is left alone: SQLite would wait at a pipe.
        for path in (str(index), MEMORY) if index.is_file() or not os.path.lexists(index) else (MEMORY,):
            try:
                db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
                if db.execute("PRAGMA user_version").fetchone()[0] != VERSION:
                    db.executescript(_SCHEMA)
                return db
            except (sqlite3.Error, ValueError):
                continue  # a full or read-only disk, or a damaged file: it is remembered while the companion runs
        raise AssertionError("memory cannot be written")

    def path(self, name: str) -> Path:
        """The journal that is called *name*.

        :raises LookupError: when there is none.
        """
        path = self.folder / f"{name}{SUFFIX}"
        if path.parent != self.folder or not is_journal(path):
            raise LookupError(name)
        return path

    def games(self, excluding: str | Path | None = None) -> list[ArchivedGame]:
        """What every journal holds in which a game was begun, the latest first; *excluding* is the one being played."""
        with self._lock:
            paths = (path for path in self._journals() if str(path) != str(excluding))
            found = [one for path in paths if (one := self._archived(path)) is not None]
        begun = (one for one in found if one.record or one.error)
        return sorted(begun, key=lambda one: one.record.began if one.record else "", reverse=True)

    def records(self, excluding: str | Path | None = None) -> list[GameRecord]:
        """The games themselves, as far as they can be read."""
        return [one.record for one in self.games(excluding) if one.record]

    def game(self, name: str) -> ArchivedGame:
        """What one journal holds.

        :raises LookupError: when there is none of that name.
        """
        path = self.path(name)
        with self._lock:
            found = self._archived(path)
        if found is None:
            raise LookupError(name)
        return found

    def names(self) -> list[str]:
        """What the journals are called, in order."""
        return sorted(path.stem for path in self._journals())

    def add(self, name: str, lines: Sequence[Line]) -> str:
        """Keeps a game of *lines*, called *name* or the first free name after it, which is returned.

        Its file is as old as its last record: what was played elsewhere long ago is not tonight's game.

        :raises JournalError: when it cannot be written.
        """
        played = datetime.fromisoformat(lines[-1].at).timestamp()
        with self._lock:
            path = new_journal_path(self.folder, name)
            write_lines(path, lines)
            os.utime(path, (played, played))
        return path.stem

    def remove_from_index(self, name: str) -> None:
        """Remembers nothing more of the game *name*, which has been deleted; what was stored of it is overwritten.

        :raises OSError: when that cannot be written.
        """
        with self._lock:
            try:
                self._db.execute("PRAGMA secure_delete = ON")
                self._db.execute("DELETE FROM game WHERE name = ?", (name,))
            except sqlite3.Error as error:
                raise OSError(f"{self.folder / INDEX} ({error})") from error

    def reset_index(self) -> None:
        """Remembers nothing any more, not on the disk either.

        :raises OSError: when that cannot be deleted.
        """
        with self._lock:
            self._db.close()
            try:
                index = self.folder / INDEX
                for file in (index, *sidecars(index)):
                    file.unlink(missing_ok=True)
            finally:
                self._db = self._opened()

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def _journals(self) -> list[Path]:
        return journals_in(self.folder)

    def _archived(self, path: Path) -> ArchivedGame | None:
        """What one journal holds; None when it has just been taken away."""
        try:
            stat = path.stat()
        except OSError:
            return None
        known = (path.stem, stat.st_size, stat.st_mtime_ns)
        with suppress(*_DAMAGED):  # the memory is damaged: all is read anew
            query = "SELECT record, error, digest FROM game WHERE name = ? AND size = ? AND changed = ?"
            for record, error, digest in self._db.execute(query, known):
                if digest == _digest(record, error):
                    return _archived(path, record, error)
        try:
            record, error = self._read(path), None
        except UnusableError as unusable:
            # Not remembered: the file is the same when it can be read again.
            return ArchivedGame(path.stem, None, str(unusable), error_is_temporary=True)
        except MALFORMED as unreadable:
            record, error = None, str(unreadable)
        with suppress(*_DAMAGED):  # not remembered, it is read anew next time
            row = (*known, record, error, _digest(record, error))
            self._db.execute("INSERT OR REPLACE INTO game VALUES (?, ?, ?, ?, ?, ?)", row)
        return _archived(path, record, error)

    def _read(self, path: Path) -> str | None:
        """What the journal holds, as JSON; None for one in which no game was begun.

        :raises JournalError: when it cannot be read; so do the other errors of :data:`MALFORMED`.
        """
        records = read_records(path)
        if (setup := setup_of(records)) is not None:
            check_existing_setup(self._rules, setup)
        return json.dumps(record_of(self._rules, records).to_json()) if records else None


def new_journal_path(folder: Path, name: str) -> Path:
    """Where a new game is kept in *folder*: a file of its own, called *name* if nothing is called so yet."""
    paths = numbered(folder, name, SUFFIX)
    return first_free(path for path in paths if not os.path.lexists(f"{path}.album"))


def _digest(record: str | None, error: str | None) -> str:
    """By which it is seen whether what is remembered is still as it was written."""
    return hashlib.sha256(json.dumps([record, error]).encode()).hexdigest()


def _archived(path: Path, record: str | None, error: str | None) -> ArchivedGame:
    """*record* is that of the game as JSON."""
    return ArchivedGame(
        path.stem, GameRecord.from_json(parse_json(record, INDEX, ValueError)) if record else None, error
    )
