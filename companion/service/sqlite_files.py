"""What SQLite keeps beside a file: it belongs to it, and goes where it goes.

Here, as what installs and updates has nothing else of the companion.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

ROLLBACK = "-journal"
"""Ends the name of what undoes a change that was cut off."""
SIDECAR_SUFFIXES = (ROLLBACK, "-wal", "-shm")
"""Ends the names of what SQLite puts beside a file while it writes or is read."""


def sidecars(path: Path) -> Iterator[Path]:
    """Where that lies of the file *path*, if it is there."""
    return (path.with_name(path.name + ending) for ending in SIDECAR_SUFFIXES)


def move_sidecars(path: Path, to: Path) -> None:
    """Moves what lies beside the file *path* beside the file *to*."""
    for old, new in zip(sidecars(path), sidecars(to), strict=True):
        with suppress(FileNotFoundError):
            old.replace(new)
