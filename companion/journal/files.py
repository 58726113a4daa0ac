"""Which files of a folder are journals, and which names are still free there."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from companion.service.sqlite_files import move_sidecars

SUFFIX = ".journal"
"""Files of this name are the companion's own; it never moves any other, whatever it holds."""
DAMAGED = ".damaged"
"""Ending of a file that was moved because it was damaged, or because no game can be played with its set-up."""
LARGEST_BYTES = 64_000_000
"""A complete game takes about one megabyte: a larger file is no game, and is never read."""


def is_journal(path: Path) -> bool:
    """Whether *path* is a journal by its name, kind and size, without reading it.

    Folders, pipes and broken links are none, nor are hidden files (macOS puts ``._NAME`` beside NAME on a stick) or
    files whose name is no text.
    """
    try:
        path.name.encode()
        found = path.stat()
    except (OSError, ValueError):
        return False
    has_journal_name = path.suffix == SUFFIX and not path.name.startswith(".")
    return has_journal_name and stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST_BYTES


def journals_in(folder: Path) -> list[Path]:
    """Returns the journals in *folder* in the order of their names; none if there is no such folder."""
    return sorted(path for path in folder.glob(f"*{SUFFIX}") if is_journal(path))


def numbered(folder: Path, name: str, ending: str, first: int = 2) -> Iterator[Path]:
    """Yields ``NAME ENDING`` in *folder*, then ``NAME-2 ENDING`` and so on without end."""
    if first > 1:
        yield folder / f"{name}{ending}"
    yield from (folder / f"{name}-{number}{ending}" for number in count(first))


def first_free(paths: Iterator[Path]) -> Path:
    """Returns the first of *paths* that does not exist, not even as a broken link."""
    return next(path for path in paths if not os.path.lexists(path))


def quarantine_file(path: Path, ending: str) -> Path:
    """Renames the file at *path*, and what SQLite put beside it, to a name with *ending*; returns the new path.

    :raises OSError: when that is not possible.
    """
    new_path = first_free(numbered(path.parent, f"{path.name}{ending}", ""))
    path.rename(new_path)
    move_sidecars(path, new_path)
    return new_path


def identity_of(path: str | Path) -> tuple[int, int] | None:
    """Returns device and inode of the file or folder at *path*; ``None`` if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def size_of(path: str | Path) -> int | None:
    """Returns the size of the file at *path* in bytes; ``None`` if there is none."""
    try:
        return os.stat(path).st_size
    except OSError:
        return None
