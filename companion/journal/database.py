"""The SQLite database of one journal: its format, how it is opened, created, checked and written in one step.

SQLite runs with a rollback journal and keeps one table of chained records. Triggers refuse to change or delete a
record; digests reveal what was changed all the same, as SQLite has no checksums of its own.
"""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from companion.service.sqlite_files import obstacle

from .disk_errors import BLOCKED, BUSY, READ, SQLITE_ERRORS, UnusableError, cause_at
from .files import LARGEST_BYTES, size_of
from .record import DamagedError, JournalError, Line, NewerError, chained, valid_prefix

VERSION = 2
"""Version 1 had neither digests nor a head; a file of it is converted when it is opened for writing."""
PLAUSIBLE_VERSIONS = range(1, 100)
"""Any other number was written by no companion, not even a later one."""
FIELDS_OF_VERSION_1: Mapping[str, frozenset[str]] = {
    "setup": frozenset({"players"}),
    "moves": frozenset({"by", "moves", "hash"}),
    "undo": frozenset({"units"}),
    "settled": frozenset({"unit"}),
    "names": frozenset({"names"}),
}
"""Kind -> keys that a record's body has at least: how a record is recognised without a digest."""
MEMORY = ":memory:"
"""In place of a path: a journal that is only in memory."""
BYTES_TAKEN_FOR_NONE = 1
"""Size of a file that SQLite takes for an empty database: a game would be lost without a word."""
PAGE_BYTES = 4096
"""SQLite's usual page size."""
PAGE_COUNT = slice(28, 32)
"""Bytes of a database's header that hold its number of pages."""

_SCHEMA = (
    f"PRAGMA user_version = {VERSION}",
    """CREATE TABLE record (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    digest TEXT NOT NULL
)""",
    # The last record's number and digest reveal records that are missing at the end.
    "CREATE TABLE head (records INTEGER NOT NULL, digest TEXT NOT NULL)",
    """CREATE TRIGGER record_is_not_changed BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END""",
    """CREATE TRIGGER record_is_not_deleted BEFORE DELETE ON record
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END""",
    "INSERT INTO head VALUES (0, '')",
)
ROWS = "SELECT seq, at, kind, body, digest FROM record ORDER BY seq"
ROWS_OF_VERSION_1 = "SELECT seq, at, kind, body FROM record ORDER BY seq"
_OTHER_TABLES = "its tables are not those of a journal"
_OBJECTS = "SELECT type, name, sql FROM sqlite_master ORDER BY name"
_FORMAT_VERSIONS = slice(18, 20)
"""Bytes of a database's header that hold its write and read format."""
_ROLLBACK_JOURNAL = b"\1\1"
"""Their value for a rollback journal; SQLite only reads a database with another value, or keeps a WAL beside it."""


# --- opening ---


def open_exclusively(
    path: str, wait_s: float, *, must_exist: bool = False
) -> tuple[sqlite3.Connection, list[Line]]:
    """Opens the file for this process alone; returns the connection and its lines.

    Creates the file if there is none, unless *must_exist*, and converts one of an earlier version. Waits *wait_s*
    seconds for another process that has it open.
    """
    if path != MEMORY:
        _check_kind(path)
        if not must_exist and not os.path.exists(path):
            with suppress(FileExistsError):  # another process was faster
                create(Path(path), [])
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
        db.execute("PRAGMA temp_store = MEMORY")  # no temporary file beside the journal
        # Only one process may write a journal. The lock also makes SQLite clear and synchronise its rollback journal
        # instead of deleting it: a deleted one could come back after a power cut, and undo the last write.
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("BEGIN IMMEDIATE")
        if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            if version_of(db):  # it had tables once
                raise DamagedError(f"journal {path} is damaged ({_OTHER_TABLES}): restore a backup")
            create_schema(db, [])
        lines = checked_lines(path, db)
        if version_of(db) == 1:
            for name in ("TRIGGER record_is_not_changed", "TRIGGER record_is_not_deleted", "TABLE record"):
                db.execute(f"DROP {name}")
            create_schema(db, lines)
        db.execute("COMMIT")
        if damage := structure_fault(db):
            raise DamagedError(f"journal {path} is damaged ({damage}): restore a backup")
        return db, lines
    except SQLITE_ERRORS as error:
        if db is not None:
            db.close()
        raise error_for(path, "cannot be opened", error) from error
    except JournalError:
        assert db is not None
        db.close()
        raise


def connect_to_read(path: str | Path, wait_s: float) -> sqlite3.Connection:
    """Opens the journal at *path* for reading.

    :raises JournalError: when the file there cannot be a journal (see :func:`_check_kind`).
    """
    _check_kind(path)
    if size_of(path) == 0:
        raise DamagedError(f"journal {path} is empty: restore a backup")
    # Not read-only, so that SQLite can first undo what a power cut interrupted.
    db = sqlite3.connect(f"file:{quote(str(path))}?mode=rw", timeout=wait_s, uri=True, isolation_level=None)
    db.execute("PRAGMA query_only = ON")
    return db


def _check_kind(path: str | Path) -> None:
    """Checks that SQLite would neither wait at a pipe nor read a whole disk image.

    :raises DamagedError: when it holds a single byte.
    :raises UnusableError: when something that is no file lies where SQLite needs one beside it.
    :raises JournalError: when *path* is no regular file, is too large for a game, or its name is no text.
    """
    try:
        str(path).encode()
        found = os.stat(path)
    except OSError:
        return  # SQLite says what is wrong
    except ValueError as error:
        raise JournalError(
            f"{str(path)!r} cannot be a journal: its name is not text; name another file"
        ) from error
    if not stat.S_ISREG(found.st_mode):
        raise JournalError(f"{path} is not a journal, nor a file at all: name another file")
    if found.st_size > LARGEST_BYTES:
        size = round(found.st_size / 1e6)
        raise JournalError(
            f"{path} is not a journal: with {size} MB it is too large for one; name another file"
        )
    if found.st_size == BYTES_TAKEN_FOR_NONE:
        raise DamagedError(f"journal {path} holds a single byte: restore a backup")
    if (in_the_way := obstacle(Path(path))) is not None:
        raise UnusableError(str(path), "cannot be used", BLOCKED, ValueError(f"{in_the_way} is no file"))


# --- writing ---


def create(path: Path, lines: Sequence[Line]) -> None:
    """Creates a journal of *lines* at *path* in one step: what is cut off leaves no part of it.

    :raises FileExistsError: when there is a file already.
    :raises JournalError: when it could not be written.
    """
    made = path.with_name(f"{path.name}.new-{os.getpid()}")
    try:
        _fill(made, lines)
        try:
            os.link(made, path)
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            made.replace(path)
        finally:
            made.unlink(missing_ok=True)
        sync_folder(path.parent)
    except FileExistsError:
        raise
    except (*SQLITE_ERRORS, OSError) as error:
        raise error_for(str(path), "cannot be made", error) from error


def write_lines(path: Path, lines: Sequence[Line]) -> None:
    """Replaces the file at *path* by a journal of *lines* in one step, which is on disk when this returns.

    :raises JournalError: when it could not be written; the file is unchanged then.
    """
    made = path.with_name(path.name + ".new")
    try:
        _fill(made, lines)
        made.replace(path)
        sync_folder(path.parent)
    except (*SQLITE_ERRORS, OSError) as error:
        raise error_for(str(path), "could not be written", error) from error


def _fill(made: Path, lines: Sequence[Line]) -> None:
    """Writes a journal of *lines* to *made*, which is not in use yet.

    Removes it if it could not be completed: on a full disk, each further try would use up the rest of the space.
    """
    made.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(made, isolation_level=None)) as db:
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA journal_mode = OFF")
            db.execute("BEGIN")
            create_schema(db, lines)
            db.execute("COMMIT")
    except BaseException:
        with suppress(OSError):  # the error that stopped it is reported
            made.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Waits until changed file names in *folder* are on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def create_schema(db: sqlite3.Connection, lines: Sequence[Line]) -> None:
    """Creates the tables in an empty database and inserts *lines*; the caller holds a transaction."""
    for statement in _SCHEMA:
        db.execute(statement)
    insert_lines(db, lines)


def insert_lines(db: sqlite3.Connection, lines: Sequence[Line]) -> None:
    rows = [(line.seq, line.at, line.kind, line.text, line.digest) for line in lines]
    db.executemany("INSERT INTO record VALUES (?, ?, ?, ?, ?)", rows)
    if lines:
        db.execute("UPDATE head SET records = ?, digest = ?", (lines[-1].seq, lines[-1].digest))


# --- reading and checking ---


def version_of(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def checked_lines(path: str, db: sqlite3.Connection) -> list[Line]:
    """Returns all lines of the journal.

    :raises DamagedError: when they are not what was written.
    :raises JournalError: when a later companion wrote it.
    """
    version = version_of(db)
    if version > VERSION and version in PLAUSIBLE_VERSIONS:
        raise NewerError(
            f"journal {path} has version {version}, this companion reads up to {VERSION}: "
            "update the companion, or name another file"
        )
    if version == 1:
        rows = db.execute(ROWS_OF_VERSION_1).fetchall()
        lines, is_head_valid = lines_of_version_1(rows), True
    else:
        rows = db.execute(ROWS).fetchall()
        lines = valid_prefix(rows)
        head = (len(lines), lines[-1].digest if lines else "")
        is_head_valid = version == VERSION and db.execute("SELECT records, digest FROM head").fetchall() == [
            head
        ]
    if not is_head_valid or len(lines) < len(rows):
        raise DamagedError(
            f"journal {path} is damaged (after record {len(lines)} it is not what was written): restore a backup"
        )
    return lines


def lines_of_version_1(rows: Sequence[Sequence[Any]]) -> list[Line]:
    """Returns the lines of a file without digests, up to the first that is no record."""
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


def structure_fault(db: sqlite3.Connection) -> str | None:
    """Returns what is damaged in the database around the lines; ``None`` if nothing is."""
    # NOTE: SQLite reads the header: if this process opened and closed the file itself, it would lose its locks.
    if db.serialize()[_FORMAT_VERSIONS] != _ROLLBACK_JOURNAL:
        return "its header does not have the format of a journal"
    if db.execute(_OBJECTS).fetchall() != _expected_objects():
        return _OTHER_TABLES
    found = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
    return None if found == "ok" else found


@cache
def _expected_objects() -> list[tuple[str, ...]]:
    """Returns the tables and triggers of a journal."""
    with closing(new_in_memory()) as db:
        return db.execute(_OBJECTS).fetchall()


def new_in_memory() -> sqlite3.Connection:
    """Returns a new, empty journal in memory."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
    create_schema(db, [])
    return db


def _is_only_read(path: str) -> bool:
    """Whether the program that has the busy journal at *path* open only reads; a companion locks out readers."""
    try:
        with closing(connect_to_read(path, 0)) as db:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except (*SQLITE_ERRORS, JournalError):
        return False
    return True


def error_for(path: str, what: str, error: Exception) -> JournalError:
    """Returns the error of the journal that *error*, raised by ``sqlite3`` or the system, stands for."""
    cause = cause_at(path, error)
    if cause is not None:
        return UnusableError(path, what, READ if cause == BUSY and _is_only_read(path) else cause, error)
    found = _OTHER_TABLES if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR else error
    return DamagedError(
        f"{path} is not a journal, or damaged ({found}): name another file, or restore a backup"
    )
