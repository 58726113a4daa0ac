"""The files that SQLite keeps beside a database; they must be moved and deleted together with it.

It is in this package because the installer imports nothing else of the companion.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

ROLLBACK = "-journal"
"""Suffix of the rollback journal, which undoes an interrupted change."""
SIDECAR_SUFFIXES = (ROLLBACK, "-wal", "-shm")
"""Suffixes of the files that SQLite keeps beside a database while it is in use."""


def sidecars(path: Path) -> Iterator[Path]:
    """Returns the paths of the files beside *path*, whether they exist or not."""
    return (path.with_name(path.name + ending) for ending in SIDECAR_SUFFIXES)


def obstacle(path: Path) -> Path | None:
    """Returns what lies in the way of a file beside *path*, ``None`` if nothing does.

    SQLite cannot use a database with a folder or a link there, and would wait for ever at a pipe. Beside a link to a
    database, it looks where that is.
    """
    return next(filter(_is_obstacle, sidecars(Path(os.path.realpath(path)))), None)


def _is_obstacle(path: Path) -> bool:
    """Returns whether there is anything but a regular file."""
    try:
        return not stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def move_sidecars(path: Path, to: Path) -> None:
    """Moves the files beside *path* beside *to*."""
    for old, new in zip(sidecars(path), sidecars(to), strict=True):
        with suppress(FileNotFoundError):
            old.replace(new)
