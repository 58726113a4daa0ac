"""The files that SQLite keeps beside a database; they must be moved and deleted together with it.

It is in this package because the installer imports nothing else of the companion.
"""

from __future__ import annotations

import os
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

    SQLite cannot use a database with a folder there, and would wait for ever at a pipe.
    """
    return next((file for file in sidecars(path) if os.path.lexists(file) and not file.is_file()), None)


def move_sidecars(path: Path, to: Path) -> None:
    """Moves the files beside *path* beside *to*."""
    for old, new in zip(sidecars(path), sidecars(to), strict=True):
        with suppress(FileNotFoundError):
            old.replace(new)
