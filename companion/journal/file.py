"""One game's journal file: SQLite with a rollback journal, one table of chained records.

Changing or deleting a record is refused by the file itself; what is changed in it all the same is noticed when it is
opened: SQLite has no checksums of its own.
"""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from companion.service.sqlite_files import sidecars

from .files import DAMAGED, LARGEST_BYTES, quarantine_file
from .record import DamagedError, JournalError, Line, NewRecord, Record, chained, valid_prefix

VERSION = 2
"""Version 1 had neither digests nor a head; such a file becomes one of this version when it is opened to be written."""
PLAUSIBLE_VERSIONS = range(1, 100)
"""Any other number was never written by a companion, this one's or a later one's."""
FIELDS_OF_VERSION_1: Mapping[str, frozenset[str]] = {
    "setup": frozenset({"players"}),
    "moves": frozenset({"by", "moves", "hash"}),
    "undo": frozenset({"units"}),
    "settled": frozenset({"unit"}),
    "names": frozenset({"names"}),
}
"""Kind -> what a record's body holds at least, by which one is recognised where there is no digest."""
WAIT_S = 5.0
"""How long a start waits for another process to let go of the file: a viewer or a backup may read for so long."""
READ_S = 3.0
"""The same where a game is only read."""
BUSY_S = 0.5
"""The same while people wait for an answer, or where it is asked who holds the file."""
MEMORY = ":memory:"
"""In place of a path: a journal that is kept nowhere."""

_SCHEMA = (
    f"PRAGMA user_version = {VERSION}",
    """CREATE TABLE record (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    digest TEXT NOT NULL
)""",
    # The last record's number and digest, so that records missing at the end are noticed, too.
    "CREATE TABLE head (records INTEGER NOT NULL, digest TEXT NOT NULL)",
    """CREATE TRIGGER record_is_not_changed BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END""",
    """CREATE TRIGGER record_is_not_deleted BEFORE DELETE ON record
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END""",
    "INSERT INTO head VALUES (0, '')",
)
_OBJECTS = "SELECT type, name, sql FROM sqlite_master ORDER BY name"
_ROWS = "SELECT seq, at, kind, body, digest FROM record ORDER BY seq"
_ROWS_OF_VERSION_1 = "SELECT seq, at, kind, body FROM record ORDER BY seq"

_PAGE = 4096
"""Bytes: SQLite's usual page size."""
_PAGES = slice(28, 32)
"""Where a database says how many pages it has."""
_FORMAT = slice(18, 20)
_ROLLBACK_JOURNAL = b"\1\1"
"""Where a database says how it is written and read; with another value there SQLite would only read it."""

BUSY, FULL, READ_ONLY, UNREACHABLE, FAILING = "busy", "full", "read_only", "unreachable", "failing"
READ = "read"
"""It is busy as well, but whoever has it open only reads."""
_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises; Python adds one where a message of SQLite quotes what is no text."""
_CAUSES = {
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_PERM: READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: UNREACHABLE,
    sqlite3.SQLITE_IOERR: FAILING,
    sqlite3.SQLITE_NOMEM: FAILING,
}
"""What SQLite says when the disk, not what the file holds, is the trouble."""
_CURES = {
    BUSY: "another companion is using it, or a program that changes it; close that one first",
    READ: "another program has it open, perhaps a viewer or a backup; close that program first",
    FULL: "the disk is full; free some space",
    READ_ONLY: "the disk or folder cannot be written; make it writable, or name another file",
    UNREACHABLE: "check the folder",
    FAILING: "the disk does not answer as it should; look at its plug, or use another one",
}


class UnusableError(JournalError):
    """The disk does not let the journal be opened or written now; ``cause`` says why, by one word."""

    def __init__(self, path: str, what: str, cause: str, error: Exception) -> None:
        super().__init__(f"journal {path} {what} ({error}): {_CURES[cause]}")
        self.cause = BUSY if cause == READ else cause


@dataclass(frozen=True, slots=True)
class Restored:
    """The file was removed, replaced or cut while it was played, and has been written anew from memory."""

    kept: str | None
    """Name of what lay there instead, which is kept beside the journal; None when nothing did."""
    records: int
    """How many the journal held then."""


class Journal:
    """Represents one game's journal file. Safe to use from several threads. *clock* says when something is written.

    *wait_s* is how long another process that has it open is waited for.

    :raises JournalError: when the file cannot be opened, or is not a journal of this version.
    :raises DamagedError: when it holds something else than was written (see :mod:`.recovery`).
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
        """Whether people want to play on though what they confirm cannot be saved. It is held in memory then, and
        written as soon as that is possible again."""
        self.restored: Restored | None = None
        """What became of the file while it was played; None: it has been left alone."""
        self.copied = 0
        """How many records a copy elsewhere holds, from which the next start would take them."""
        self._lock = threading.Lock()
        self._closed = False
        self._db: sqlite3.Connection | None
        self._db, self._lines = _opened(self.path, WAIT_S if wait_s is None else wait_s)
        self._written = len(self._lines)
        """How many of the lines are in the file."""
        self._is_away = False
        """Whether the file's folder was not there any more when something was to be written last."""
        self._note_place()

    @property
    def unsaved(self) -> int:
        """How many records are held in memory alone, as far as can be told: all, where the file's folder is gone."""
        return self.pending or (len(self._lines) if self._is_away else 0)

    @property
    def pending(self) -> int:
        """How many records wait in memory for the disk."""
        return len(self._lines) - self._written

    @property
    def at_risk(self) -> int:
        """How many records are neither in the file nor in a copy of it: they would be lost with this process."""
        return max(0, min(self.unsaved, len(self._lines) - self.copied))

    def append(self, kind: str, body: Mapping[str, Any]) -> Record:
        """Writes a record; it is on disk when this returns, unless people chose otherwise (``allow_unsaved``).

        :raises JournalError: when it could not be written; nothing was added then.
        """
        (record,) = self.append_all([(kind, body)])
        return record

    def append_all(self, new_records: Sequence[NewRecord], *, amends: bool = False) -> list[Record]:
        """Writes records that belong together, all or nothing; they are on disk when this returns.

        With *amends*, those after the first say so in ``amends``, by the number of the first.

        :raises JournalError: when they could not be written; nothing was added then.
        """
        at = self._clock().isoformat(timespec="milliseconds")
        with self._lock:
            number = {"amends": len(self._lines) + 1} if amends else {}
            bodies = [{**body, **number} if i else body for i, (_, body) in enumerate(new_records)]
            texts = ((at, kind, body_text(body)) for (kind, _), body in zip(new_records, bodies, strict=True))
            lines = chained(texts, self._lines)
            self._keep([*self._lines, *lines])
            self._lines += lines
        return [line.record() for line in lines]

    def save(self) -> None:
        """Writes what is held in memory alone, and all of it anew where the file is no longer what was written.

        :raises JournalError: when that is not possible now; it is still held then.
        """
        with self._lock:
            if not self._closed:
                self._write(self._lines)

    def _keep(self, lines: Sequence[Line]) -> None:
        """Writes the file's *lines*, or leaves the last ones to a later time if people want that."""
        try:
            self._write(lines)
        except JournalError:
            if not self.allow_unsaved:
                raise

    def _write(self, lines: Sequence[Line]) -> None:
        """Lets the file hold *lines*, the first of which it holds already."""
        if not self._is_in_place():
            self._find_again(lines)
        if len(lines) > self._written:
            self._insert(lines[self._written :])
            self._written = len(lines)
            if not self._is_in_place():  # it was taken away while it was written
                self._find_again(lines)
        self.allow_unsaved = False

    def _insert(self, lines: Sequence[Line]) -> None:
        assert self._db is not None
        try:
            self._db.execute("BEGIN IMMEDIATE")
            _insert(self._db, lines)
            self._db.execute("COMMIT")
        except _ERRORS as error:
            # Closed, it is rolled back; whatever has come of disk and file, the next write begins anew.
            self._let_go()
            raise _error_for(self.path, "could not be written", error) from error
        self._size = _size(self.path)

    def _is_in_place(self) -> bool:
        """Whether the file that is open still lies where it was, and is as long as it was left."""
        return self._db is not None and _identity(self.path) == self._file and _size(self.path) == self._size

    def _find_again(self, lines: Sequence[Line]) -> None:
        """Opens the file where it lies, if it holds what was written; else it is written anew, with all *lines*.

        That is not done in another folder than before: the disk may have been exchanged.

        :raises UnusableError: when the disk does not allow it, or is another one.
        """
        self._let_go()
        self._is_away = _identity(Path(self.path).parent) != self._folder
        try:
            db, found = _opened(self.path, BUSY_S, must_exist=True)
            if found == lines[: self._written]:
                self._db = db
                self._note_place()
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
        if _identity(Path(self.path).parent) != self._folder:
            raise UnusableError(self.path, "is another one than this game's", UNREACHABLE, error) from error
        self._write_anew(lines)

    def _write_anew(self, lines: Sequence[Line]) -> None:
        path = Path(self.path)
        try:
            kept = quarantine_file(path, DAMAGED).name if os.path.lexists(path) else None
            for file in sidecars(path):
                file.unlink(missing_ok=True)
        except OSError as error:
            raise UnusableError(self.path, "could not be written anew", READ_ONLY, error) from error
        self._written = 0
        write(path, lines)
        self._db, _ = _opened(self.path, BUSY_S, must_exist=True)
        self._written = len(lines)
        self._note_place()
        self.restored = Restored(kept, len(lines))

    def _note_place(self) -> None:
        self._is_away = False
        self._folder, self._file = _identity(Path(self.path).parent), _identity(self.path)
        self._size = _size(self.path)

    def _let_go(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def lines(self) -> list[Line]:
        """All records as they are stored, oldest first, those that are not saved yet among them."""
        with self._lock:
            return list(self._lines)

    def records(self) -> list[Record]:
        """All records, oldest first."""
        return [line.record() for line in self.lines()]

    def close(self) -> None:
        """Writes what is held in memory alone, if it can (else ``unsaved`` tells), and lets go of the file."""
        with suppress(JournalError):
            self.save()
        with self._lock:
            self._closed = True
            self._let_go()


def read_records(path: str | Path) -> list[Record]:
    """All records of the journal at *path*, to which nothing is written but what a power cut has left to be undone.

    :raises JournalError: when it cannot be read now, is damaged, or is no journal of a known version.
    """
    return [line.record() for line in read_lines(path)]


def read_lines(path: str | Path) -> list[Line]:
    """All lines of the journal at *path*, as :func:`read_records`."""
    try:
        with closing(_connected_to_read(path, READ_S)) as db:
            return _lines(str(path), db)
    except _ERRORS as error:
        raise _error_for(str(path), "cannot be read now", error) from error


def in_use(path: str | Path) -> bool:
    """Whether a companion holds the journal at *path*."""
    try:
        with closing(_connected_to_read(path, BUSY_S)) as db:
            db.execute("PRAGMA query_only = OFF")
            db.execute("BEGIN IMMEDIATE")
            db.execute("ROLLBACK")
    except _ERRORS as error:
        return _CAUSES.get(getattr(error, "sqlite_errorcode", 0) & 0xFF) == BUSY
    except JournalError:
        pass  # what is no journal is nobody's
    return False


def _is_only_read(path: str) -> bool:
    """Whether whoever has the busy journal at *path* open only reads: a companion lets nobody else read."""
    try:
        with closing(_connected_to_read(path, 0)) as db:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except (*_ERRORS, JournalError):
        return False
    return True


def verify(path: str | Path) -> None:
    """Looks whether the journal at *path* is as it was written: every record, and the database around them.

    :raises UnusableError: when it cannot be read now: a companion plays it (``cause`` is BUSY), or the disk fails.
    :raises DamagedError: when it is not.
    :raises JournalError: when it is of a later version.
    """
    try:
        with closing(_connected_to_read(path, BUSY_S)) as db:
            _lines(str(path), db)
            trouble = _structure(db) if _version(db) == VERSION else None
    except _ERRORS as error:
        raise _error_for(str(path), "cannot be read now", error) from error
    if trouble:
        raise DamagedError(f"journal {path} is damaged ({trouble}): restore a backup")


def recovered(path: str | Path) -> tuple[list[Line], int | None]:
    """What the damaged file at *path* still holds from its beginning, and how many lines it should; None if unknown."""
    try:
        with closing(_connected_to_read(path, READ_S)) as db:
            lines, records = _recovered(db)
    except _ERRORS:
        lines, records = [], None
    except JournalError:
        return [], None  # it is empty, or nothing to be read whole
    if not lines:
        with closing(_with_a_new_first_page(Path(path).read_bytes())) as db:
            lines, records = _recovered(db)
    return lines, records if records is None or records >= len(lines) else None


def _recovered(db: sqlite3.Connection) -> tuple[list[Line], int | None]:
    is_old = _readable(db, "PRAGMA user_version") == [(1,)]
    lines = _of_version_1(_readable(db, _ROWS_OF_VERSION_1)) if is_old else valid_prefix(_readable(db, _ROWS))
    head = [row[0] for row in _readable(db, "SELECT records FROM head")]
    return lines, head[0] if len(head) == 1 and isinstance(head[0], int) else None


def _with_a_new_first_page(content: bytes) -> sqlite3.Connection:
    """The database *content* behind the first page of a new journal: that page is the same in all of them, but for
    the number of pages."""
    with closing(_new()) as new:
        first = new.serialize()[:_PAGE]
    pages = max(1, len(content) // _PAGE)
    first = first[: _PAGES.start] + pages.to_bytes(4, "big") + first[_PAGES.stop :]
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.deserialize(first + content[_PAGE : pages * _PAGE])
    return db


def _readable(db: sqlite3.Connection, query: str) -> list[Any]:
    """The rows of *query* up to the first that cannot be read."""
    rows: list[Any] = []
    try:
        for row in db.execute(query):
            rows.append(row)
    except _ERRORS:
        pass  # the rest is damaged
    return rows


def write(path: Path, lines: Sequence[Line]) -> None:
    """Makes the journal *path* of *lines*, in place of what was there, in one step that is on disk when this returns.

    :raises JournalError: when it could not be written; what was there is left as it was.
    """
    made = path.with_name(path.name + ".new")
    try:
        _fill(made, lines)
        made.replace(path)
        sync_folder(path.parent)
    except _ERRORS as error:
        raise _error_for(str(path), "could not be written", error) from error
    except OSError as error:
        raise UnusableError(str(path), "could not be written", FAILING, error) from error


def _fill(made: Path, lines: Sequence[Line]) -> None:
    """Writes a journal of *lines* that nobody sees before it has its name.

    What is not written wholly is taken away: on a full disk, each further try would fill what is left of it.
    """
    made.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(made, isolation_level=None)) as db:
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA journal_mode = OFF")
            db.execute("BEGIN")
            _create(db, lines)
            db.execute("COMMIT")
    except BaseException:
        with suppress(OSError):  # told is what stopped it
            made.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Waits until the names in *folder* are on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def body_text(body: Mapping[str, Any]) -> str:
    """A record's body as it is stored, and as its digest is made of."""
    text = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
    return text.encode(
        errors="replace"
    ).decode()  # half a character, as a request may bring, cannot be stored


def _opened(path: str, wait_s: float, *, must_exist: bool = False) -> tuple[sqlite3.Connection, list[Line]]:
    """The file, held for this process alone, and what it holds; made, or brought to this version, if need be.

    Another process that has it open is waited for so many seconds. With *must_exist*, none is made.
    """
    if path != MEMORY:
        _check_kind(path)
        if not must_exist and not os.path.exists(path):
            _make(Path(path))
    db: sqlite3.Connection | None = None
    try:
        db = sqlite3.connect(
            f"file:{quote(path)}?mode=rw" if must_exist else path,
            timeout=wait_s,
            check_same_thread=False,
            isolation_level=None,
            uri=must_exist,
        )
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA temp_store = MEMORY")  # nothing is written beside the journal
        # One process writes a journal; a second one is refused instead of being mixed in. The end of a write is on
        # disk then, too: a rollback journal that is not removed, but cleared and synchronised, cannot come back.
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("BEGIN IMMEDIATE")
        if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            _create(db, [])
        lines = _lines(path, db)
        if _version(db) == 1:
            for name in ("TRIGGER record_is_not_changed", "TRIGGER record_is_not_deleted", "TABLE record"):
                db.execute(f"DROP {name}")
            _create(db, lines)
        db.execute("COMMIT")
        if trouble := _structure(db):
            raise DamagedError(f"journal {path} is damaged ({trouble}): restore a backup")
        return db, lines
    except _ERRORS as error:
        if db is not None:
            db.close()
        raise _error_for(path, "cannot be opened", error) from error
    except JournalError:
        assert db is not None
        db.close()
        raise


def _make(path: Path) -> None:
    """Makes an empty journal at *path* in one step, so that no start that is cut off leaves a file without anything."""
    made = path.with_name(f"{path.name}.new-{os.getpid()}")
    try:
        _fill(made, [])
        try:
            os.link(made, path)
        except FileExistsError:
            pass  # somebody else was faster
        except OSError:  # a file system without links
            made.replace(path)
        made.unlink(missing_ok=True)
        sync_folder(path.parent)
    except _ERRORS as error:
        raise _error_for(str(path), "cannot be made", error) from error
    except OSError as error:
        raise UnusableError(str(path), "cannot be made", FAILING, error) from error


def _connected_to_read(path: str | Path, wait_s: float) -> sqlite3.Connection:
    """:raises JournalError: when nothing at *path* can be read as a journal (see :func:`_check_kind`)."""
    _check_kind(path)
    if _size(path) == 0:
        raise DamagedError(f"journal {path} is empty: restore a backup")
    # Not read-only: SQLite first undoes what a power cut interrupted, where it may.
    db = sqlite3.connect(f"file:{quote(str(path))}?mode=rw", timeout=wait_s, uri=True, isolation_level=None)
    db.execute("PRAGMA query_only = ON")
    return db


def _check_kind(path: str | Path) -> None:
    """Sees to it that SQLite neither waits at a pipe, nor reads a disk image for a game.

    :raises JournalError: when something else than a file lies at *path*, one too large for a game, or its name is no
        text.
    """
    try:
        str(path).encode()
        found = os.stat(path)
    except OSError:
        return  # SQLite says what is wrong
    except ValueError as error:
        raise JournalError(
            f"{str(path)!r} can be no journal: its name is no text; name another file"
        ) from error
    if not stat.S_ISREG(found.st_mode):
        raise JournalError(f"{path} is not a journal, but no file at all: name another file")
    if found.st_size > LARGEST_BYTES:
        size = round(found.st_size / 1e6)
        raise JournalError(
            f"{path} is not a journal: with {size} MB it is too large for one; name another file"
        )


def _identity(path: str | Path) -> tuple[int, int] | None:
    """Device and inode; None where nothing lies."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _size(path: str | Path) -> int | None:
    """Bytes; None where nothing lies."""
    try:
        return os.stat(path).st_size
    except OSError:
        return None


def _create(db: sqlite3.Connection, lines: Sequence[Line]) -> None:
    """Fills an empty database, within a transaction: half a file is never seen."""
    for statement in _SCHEMA:
        db.execute(statement)
    _insert(db, lines)


def _insert(db: sqlite3.Connection, lines: Sequence[Line]) -> None:
    rows = [(line.seq, line.at, line.kind, line.text, line.digest) for line in lines]
    db.executemany("INSERT INTO record VALUES (?, ?, ?, ?, ?)", rows)
    if lines:
        db.execute("UPDATE head SET records = ?, digest = ?", (lines[-1].seq, lines[-1].digest))


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _lines(path: str, db: sqlite3.Connection) -> list[Line]:
    """All lines, each checked."""
    version = _version(db)
    if version > VERSION and version in PLAUSIBLE_VERSIONS:
        raise JournalError(
            f"journal {path} has version {version}, this companion reads up to {VERSION}: "
            "update the companion, or name another file"
        )
    if version == 1:
        rows = db.execute(_ROWS_OF_VERSION_1).fetchall()
        lines, is_whole = _of_version_1(rows), True
    else:
        rows = db.execute(_ROWS).fetchall()
        lines = valid_prefix(rows)
        head = (len(lines), lines[-1].digest if lines else "")
        is_whole = version == VERSION and db.execute("SELECT records, digest FROM head").fetchall() == [head]
    if not is_whole or len(lines) < len(rows):
        raise DamagedError(
            f"journal {path} is damaged (after record {len(lines)} it is not what was written): restore a backup"
        )
    return lines


def _of_version_1(rows: Sequence[Sequence[Any]]) -> list[Line]:
    """Lines of a file without digests, from the first one on, as far as they can be read."""
    stored: list[tuple[str, str, str]] = []
    for seq, at, kind, text in rows:
        if seq != len(stored) + 1 or kind not in FIELDS_OF_VERSION_1:
            break
        try:
            datetime.fromisoformat(at)
            body = json.loads(text)
        except (ValueError, TypeError, RecursionError):
            break
        if not isinstance(body, dict) or not FIELDS_OF_VERSION_1[kind] <= body.keys():
            break
        stored.append((at, kind, text))
    return chained(stored)


def _structure(db: sqlite3.Connection) -> str | None:
    """What is amiss with the database around the lines; None if nothing is."""
    # NOTE: asked of SQLite: a file that this process opened and closed beside it would lose its locks.
    if db.serialize()[_FORMAT] != _ROLLBACK_JOURNAL:
        return "it says that it must be written otherwise"
    if db.execute(_OBJECTS).fetchall() != _objects():
        return "its tables are not those of a journal"
    found = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
    return None if found == "ok" else found


@cache
def _objects() -> list[tuple[str, ...]]:
    """What a journal's database consists of."""
    with closing(_new()) as db:
        return db.execute(_OBJECTS).fetchall()


def _new() -> sqlite3.Connection:
    """A new journal in memory."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.execute(f"PRAGMA page_size = {_PAGE}")
    _create(db, [])
    return db


def _error_for(path: str, what: str, error: Exception) -> JournalError:
    """What an error of SQLite means for the journal."""
    code = getattr(error, "sqlite_errorcode", None)
    cause = None if code is None else _CAUSES.get(code & 0xFF)
    if cause is not None:
        return UnusableError(path, what, READ if cause == BUSY and _is_only_read(path) else cause, error)
    return DamagedError(
        f"{path} is not a journal, or damaged ({error}): name another file, or restore a backup"
    )
