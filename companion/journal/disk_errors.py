"""What keeps a journal from being opened or written although nothing in it is damaged: the disk, or another program."""

from __future__ import annotations

import errno
import sqlite3
import tempfile
from pathlib import Path

from calibration.errors import UNNAMED, CompanionError, Problem, unnamed

from .record import MALFORMED_GAME, JournalError

BUSY, FULL, READ_ONLY, UNREACHABLE, FAILING = "busy", "full", "read_only", "unreachable", "failing"
BLOCKED = "blocked"
"""Something that is no file lies where SQLite needs one."""
READ = "read"
"""Busy as well, but the program that has the file open only reads it."""
SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What ``sqlite3`` raises; Python raises the second where a message of SQLite quotes bytes that are no text."""
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
"""Primary result codes of SQLite that are about the disk, not about what the file holds."""
_SYSTEM_CAUSES = {
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EROFS: READ_ONLY,
    errno.EACCES: READ_ONLY,
    errno.EPERM: READ_ONLY,
    errno.ENOTDIR: UNREACHABLE,
    errno.EISDIR: BLOCKED,
}
"""The same for errors of the system itself; any other one is of a disk that fails."""
_CURES = {
    BUSY: "another companion is using it, or a program that changes it; close that one first",
    READ: "another program has it open, perhaps a viewer or a backup; close that program first",
    FULL: "the disk is full; free some space",
    READ_ONLY: "the disk or folder cannot be written; make it writable, or name another file",
    UNREACHABLE: "check the folder",
    BLOCKED: "move that away",
    FAILING: "the disk does not respond properly; check its plug, or use another one",
}


class UnusableError(JournalError):
    """The journal cannot be opened or written now because of the disk; ``cause`` is BUSY, FULL and so on."""

    def __init__(self, path: str, what: str, cause: str, error: Exception) -> None:
        found = error.strerror if isinstance(error, OSError) else error
        super().__init__(f"journal {path} {what} ({found}): {_CURES[cause]}")
        self.cause = BUSY if cause == READ else cause
        self.problem = Problem(cause)


def cause_of(error: Exception) -> str | None:
    """Returns the cause that an error of ``sqlite3`` or of the system stands for; ``None`` if it is not about the
    disk."""
    if isinstance(error, FileNotFoundError):  # also one of our own, which has no number
        return UNREACHABLE
    if isinstance(error, OSError):
        return _SYSTEM_CAUSES.get(error.errno or 0, FAILING)
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else _CAUSES.get(code & 0xFF)


def problem_of(error: Exception) -> Problem:
    """Returns what an error means, for those who play: its own problem, else that of one of our errors behind it."""
    if not isinstance(error, CompanionError):
        return Problem(cause_of(error) or FAILING) if isinstance(error, OSError) else MALFORMED_GAME
    behind: BaseException | None = error
    while isinstance(behind, CompanionError):
        if behind.problem is not UNNAMED:
            return behind.problem
        behind = behind.__cause__
    return unnamed(str(error))


def cause_at(path: str | Path, error: Exception) -> str | None:
    """Returns the same for an *error* about the file *path*, by what its folder allows where SQLite cannot tell: to it,
    a disk that has become read-only fails, or the file is missing."""
    cause = cause_of(error)
    if cause not in (UNREACHABLE, FAILING):
        return cause
    try:
        with tempfile.TemporaryFile(dir=Path(path).parent):
            return cause
    except OSError as of_folder:
        return cause_of(of_folder)
