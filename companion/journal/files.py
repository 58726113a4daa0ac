"""Which files of a folder are journals, and which names are still free there."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from companion.service.sqlite_files import move_sidecars

SUFFIX = ".journal"
"""Files of this name are the companion's own; no other is moved, whatever it holds."""
DAMAGED = ".damaged"
"""Ends the name of what is kept of a journal that was damaged, or with whose set-up no game can be played."""
LARGEST_BYTES = 64_000_000
"""A whole game takes about one: what is larger is no game, and is never read."""


def is_journal(path: Path) -> bool:
    """Whether *path* is a journal by its name, kind and size; what it holds is not looked at.

    No journal is a folder, a pipe or a link that leads nowhere, nor a hidden file (macOS keeps ``._NAME`` beside NAME
    on a stick), nor one whose name is no text.
    """
    try:
        path.name.encode()
        found = path.stat()
    except (OSError, ValueError):
        return False
    is_named_so = path.suffix == SUFFIX and not path.name.startswith(".")
    return is_named_so and stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST_BYTES


def journals_in(folder: Path) -> list[Path]:
    """The journals in *folder*, in the order of their names; none where there is no such folder."""
    return sorted(path for path in folder.glob(f"*{SUFFIX}") if is_journal(path))


def numbered(folder: Path, name: str, ending: str, first: int = 2) -> Iterator[Path]:
    """``NAME ENDING`` in *folder*, then ``NAME-2 ENDING`` and so on without end."""
    if first > 1:
        yield folder / f"{name}{ending}"
    yield from (folder / f"{name}-{number}{ending}" for number in count(first))


def first_free(paths: Iterator[Path]) -> Path:
    """The first of *paths* under whose name nothing lies, not even a link that leads nowhere."""
    return next(path for path in paths if not os.path.lexists(path))


def quarantine_file(path: Path, ending: str) -> Path:
    """Gives the file at *path*, and what SQLite has put beside it, a name with *ending*; returns the new path.

    :raises OSError: when that is not possible.
    """
    kept = first_free(numbered(path.parent, f"{path.name}{ending}", ""))
    path.rename(kept)
    move_sidecars(path, kept)
    return kept
