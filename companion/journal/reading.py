"""Reads journals without opening them for writing: records, whether a file is in use or intact, what is recoverable."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from .database import (
    PAGE_BYTES,
    PAGE_COUNT,
    ROWS,
    ROWS_OF_VERSION_1,
    VERSION,
    checked_lines,
    connect_to_read,
    error_for,
    lines_of_version_1,
    new_in_memory,
    structure_fault,
    version_of,
)
from .disk_errors import BUSY, SQLITE_ERRORS, cause_of
from .record import DamagedError, JournalError, Line, Record, valid_prefix

READ_S = 3.0
"""How long a reader waits for another process that writes the file."""
BUSY_S = 0.5
"""The same where people wait for the answer."""


def read_records(path: str | Path) -> list[Record]:
    """Returns all records of the journal at *path*; SQLite may first undo what a power cut interrupted.

    :raises JournalError: when it cannot be read now, is damaged, or is no journal of a known version.
    """
    lines = read_lines(path)
    try:
        return [line.checked_record() for line in lines]
    except JournalError as error:
        raise JournalError(f"journal {path} cannot be read: {error}") from error


def read_lines(path: str | Path) -> list[Line]:
    """Returns all lines of the journal at *path*, as :func:`read_records` does."""
    try:
        with closing(connect_to_read(path, READ_S)) as db:
            return checked_lines(str(path), db)
    except SQLITE_ERRORS as error:
        raise error_for(str(path), "cannot be read now", error) from error


def in_use(path: str | Path) -> bool:
    """Whether a companion has the journal at *path* open."""
    try:
        with closing(connect_to_read(path, BUSY_S)) as db:
            db.execute("PRAGMA query_only = OFF")
            db.execute("BEGIN IMMEDIATE")
            db.execute("ROLLBACK")
    except SQLITE_ERRORS as error:
        return cause_of(error) == BUSY
    except JournalError:
        pass  # no companion has open what is no journal
    return False


def verify(path: str | Path) -> None:
    """Checks that the journal at *path* is what was written: every record, and the database around them.

    :raises UnusableError: when it cannot be read now: a companion has it open (``cause`` is BUSY), or the disk fails.
    :raises DamagedError: when it is damaged.
    :raises JournalError: when a later companion wrote it.
    """
    try:
        with closing(connect_to_read(path, BUSY_S)) as db:
            checked_lines(str(path), db)
            damage = structure_fault(db) if version_of(db) == VERSION else None
    except SQLITE_ERRORS as error:
        raise error_for(str(path), "cannot be read now", error) from error
    if damage:
        raise DamagedError(f"journal {path} is damaged ({damage}): restore a backup")


def recovered(path: str | Path) -> tuple[list[Line], int | None]:
    """Returns the intact lines at the beginning of the damaged file at *path*, and how many lines it had.

    The number is ``None`` if it is unknown.
    """
    try:
        with closing(connect_to_read(path, READ_S)) as db:
            lines, records = _recovered(db)
    except SQLITE_ERRORS:
        lines, records = [], None
    except JournalError:
        return [], None  # it is empty, or cannot be a journal
    if not lines:
        with closing(_with_new_first_page(Path(path).read_bytes())) as db:
            lines, records = _recovered(db)
    return lines, records if records is None or records >= len(lines) else None


def _recovered(db: sqlite3.Connection) -> tuple[list[Line], int | None]:
    if _readable_rows(db, "PRAGMA user_version") == [(1,)]:
        lines = lines_of_version_1(_readable_rows(db, ROWS_OF_VERSION_1))
    else:
        lines = valid_prefix(_readable_rows(db, ROWS))
    head = [row[0] for row in _readable_rows(db, "SELECT records FROM head")]
    return lines, head[0] if len(head) == 1 and isinstance(head[0], int) else None


def _with_new_first_page(content: bytes) -> sqlite3.Connection:
    """Returns the database *content* with the first page of a new journal.

    That page is the same in all journals except for the number of pages.
    """
    with closing(new_in_memory()) as new:
        first = new.serialize()[:PAGE_BYTES]
    pages = max(1, len(content) // PAGE_BYTES)
    first = first[: PAGE_COUNT.start] + pages.to_bytes(4, "big") + first[PAGE_COUNT.stop :]
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.deserialize(first + content[PAGE_BYTES : pages * PAGE_BYTES])
    return db


def _readable_rows(db: sqlite3.Connection, query: str) -> list[Any]:
    """Returns the rows of *query* up to the first that cannot be read."""
    rows: list[Any] = []
    try:
        for row in db.execute(query):
            rows.append(row)
    except SQLITE_ERRORS:
        pass  # the rest is damaged
    return rows
