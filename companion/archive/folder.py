"""All games of a folder. Each journal is read once; its record is cached in an embedded database."""

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

from calibration.documents import MALFORMED, explained, parse_json
from companion.games.registry import UnknownGameError, plugins, rules_of
from companion.journal import read_records, setup_of
from companion.journal.database import MEMORY, create
from companion.journal.disk_errors import UnusableError
from companion.journal.files import SUFFIX as SUFFIX
from companion.journal.files import first_free, is_journal, journals_in, numbered
from companion.journal.record import Line
from companion.players.setup import check_existing_setup
from companion.service.sqlite_files import obstacle, sidecars

from .folder_lock import FolderLock
from .record import GameRecord, record_of

INDEX = "archive.sqlite"
VERSION = 6
"""Version of the index; with another one all journals are read again."""

_SCHEMA = f"""
DROP TABLE IF EXISTS game;
CREATE TABLE game (name TEXT PRIMARY KEY, size INTEGER, changed INTEGER, record TEXT, error TEXT, digest TEXT);
PRAGMA user_version = {VERSION};
"""
_DAMAGED = (sqlite3.Error, *MALFORMED)
"""Errors that a damaged index raises, or a time that it cannot store."""


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """One journal of the folder."""

    name: str
    """The file's name without its ending."""
    record: GameRecord | None
    """``None`` where no game was begun, or the journal cannot be read."""
    error: str | None = None
    """Why the journal cannot be read."""
    error_is_temporary: bool = False
    """Whether the file may be intact: another program or the disk prevents reading, or its game is not installed."""


class Archive:
    """Represents the games folder. Safe to use from several threads.

    The database is only a cache: deleting it, or not being able to write it, costs nothing but time. Without
    *makes_index*, none is made where there is none: in a folder that is not the companion's own.
    """

    def __init__(self, folder: str | Path, *, makes_index: bool = True) -> None:
        self.folder = Path(folder)
        self._makes_index = makes_index
        self._lock = threading.Lock()
        self.lock = FolderLock(self.folder)
        """Held while games are imported, or all are deleted."""
        self._db = self._opened()

    def _opened(self) -> sqlite3.Connection:
        index = self.folder / INDEX
        # Anything but a file is ignored: SQLite would block on a pipe.
        is_usable = obstacle(index) is None and (
            index.is_file() or (self._makes_index and not os.path.lexists(index))
        )
        for path in (str(index), MEMORY) if is_usable else (MEMORY,):
            try:
                db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
                if db.execute("PRAGMA user_version").fetchone()[0] != VERSION:
                    db.executescript(_SCHEMA)
                return db
            except (sqlite3.Error, ValueError):
                continue  # a full or read-only disk, or a damaged file: the index is in memory while the companion runs
        raise AssertionError("memory cannot be written")

    def path(self, name: str) -> Path:
        """Returns the path of the journal *name*.

        :raises LookupError: when there is none.
        """
        path = self.folder / f"{name}{SUFFIX}"
        if path.parent != self.folder or not is_journal(path):
            raise LookupError(name)
        return path

    def games(self, excluding: str | Path | None = None) -> list[ArchivedGame]:
        """Returns every journal in which a game was begun, newest first, but for the path *excluding*."""
        with self._lock:
            paths = (path for path in self._journals() if str(path) != str(excluding))
            found = [one for path in paths if (one := self._archived(path)) is not None]
        begun = (one for one in found if one.record or one.error)
        return sorted(begun, key=lambda one: one.record.began if one.record else "", reverse=True)

    def records(self, excluding: str | Path | None = None) -> list[GameRecord]:
        """Returns the records of all games that can be read."""
        return [one.record for one in self.games(excluding) if one.record]

    def game(self, name: str) -> ArchivedGame:
        """Returns one journal.

        :raises LookupError: when there is none of that name.
        """
        path = self.path(name)
        with self._lock:
            found = self._archived(path)
        if found is None:
            raise LookupError(name)
        return found

    def names(self) -> list[str]:
        """Returns the names of all journals, sorted."""
        return sorted(path.stem for path in self._journals())

    def add(self, name: str, lines: Sequence[Line]) -> str:
        """Stores a game of *lines* under *name*, or the first free name after it; returns the name used.

        The file gets the time of its last record, so that an old game from elsewhere is not taken for tonight's.

        :raises JournalError: when it cannot be written.
        """
        played = datetime.fromisoformat(lines[-1].at).timestamp()
        with self._lock:
            path = self._created(name, lines)
            os.utime(path, (played, played))
        return path.stem

    def _created(self, name: str, lines: Sequence[Line]) -> Path:
        """Returns the path of the new journal of *lines*; another process may take a free name at the same moment."""
        while True:
            path = new_journal_path(self.folder, name)
            with suppress(FileExistsError):
                create(path, lines)
                return path

    def remove_from_index(self, name: str) -> None:
        """Removes the deleted game *name* from the index, overwriting the stored data.

        :raises OSError: when that cannot be written.
        """
        with self._lock:
            try:
                self._db.execute("PRAGMA secure_delete = ON")
                self._db.execute("DELETE FROM game WHERE name = ?", (name,))
            except sqlite3.Error as error:
                raise OSError(f"{self.folder / INDEX} ({error})") from error

    def reset_index(self) -> None:
        """Deletes the index, on the disk too, and begins an empty one.

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
        """Returns one journal; ``None`` if it has just been deleted."""
        try:
            stat = path.stat()
        except OSError:
            return None
        known = (path.stem, stat.st_size, stat.st_mtime_ns)
        with suppress(*_DAMAGED):  # a damaged index: the journal is read again
            query = "SELECT record, error, digest FROM game WHERE name = ? AND size = ? AND changed = ?"
            for record, error, digest in self._db.execute(query, known):
                if digest == _digest(record, error) and _is_installed(
                    found := _archived(path, record, error)
                ):
                    return found
        try:
            record, error = self._read(path), None
        except (UnusableError, UnknownGameError) as unusable:
            # Not indexed: the file will be the same when it can be read again, or its game is installed.
            return ArchivedGame(path.stem, None, str(unusable), error_is_temporary=True)
        except MALFORMED as unreadable:
            record, error = None, explained(unreadable)
        with suppress(*_DAMAGED):  # not indexed, the journal is read again next time
            row = (*known, record, error, _digest(record, error))
            self._db.execute("INSERT OR REPLACE INTO game VALUES (?, ?, ?, ?, ?, ?)", row)
        return _archived(path, record, error)

    def _read(self, path: Path) -> str | None:
        """Returns the journal's record as JSON; ``None`` if no game was begun in it.

        :raises JournalError: when it cannot be read; so do the other errors of :data:`MALFORMED`.
        """
        records = read_records(path)
        rules = rules_of(setup_of(records) or {})
        if (setup := setup_of(records)) is not None:
            check_existing_setup(rules, setup)
        return json.dumps(record_of(rules, records).to_json()) if records else None


def new_journal_path(folder: Path, name: str) -> Path:
    """Returns the path of a new journal in *folder*: *name*, with a number if that is taken, or a file beside it is."""
    paths = numbered(folder, name, SUFFIX)
    return first_free(path for path in paths if not _has_files_beside(path))


def _has_files_beside(path: Path) -> bool:
    pictures = path.with_name(f"{path.name}.album")
    return any(os.path.lexists(file) for file in (pictures, *sidecars(path), *sidecars(pictures)))


def _digest(record: str | None, error: str | None) -> str:
    """Returns a checksum that reveals a damaged row of the index."""
    return hashlib.sha256(json.dumps([record, error]).encode()).hexdigest()


def _is_installed(archived: ArchivedGame) -> bool:
    """Whether its rules and texts are there, which they may have been only when it was indexed."""
    return archived.record is None or archived.record.game in plugins()


def _archived(path: Path, record: str | None, error: str | None) -> ArchivedGame:
    """Returns one journal; *record* is its record as JSON."""
    return ArchivedGame(
        path.stem, GameRecord.from_json(parse_json(record, INDEX, ValueError)) if record else None, error
    )
