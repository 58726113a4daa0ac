"""Copies of the data from before an update: the version before may not read what the newer one has written."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from .sqlite_files import move_sidecars, sidecars

COPIES_FOLDER = "before-update"
"""Folder, in the data, of the copies."""
EXCLUDED = ".album"
"""End of the names of files that are large, and that a game goes on without: pictures."""
NEWER = ".newer"
"""Ends the name of what only the newer version reads."""
VERSION_FIELD = slice(60, 64)
"""Where an SQLite file says which version of its kind it is (``PRAGMA user_version``), big-endian."""
MAGIC = b"SQLite format 3\0"


def make_copies(data: Path) -> None:
    """Copies what is in the *data* now; nothing may be writing there."""
    copies = data / COPIES_FOLDER
    if copies.is_symlink():
        copies.unlink()
    shutil.rmtree(copies, ignore_errors=True)
    for path in _files(data):
        copy = copies / path.relative_to(data)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)


def restore_copies(data: Path) -> list[Path]:
    """Brings back the copies of files that are of a newer version now; nothing may be writing there.

    What is newer is not thrown away, for a game may have gone on in it: it gets another name, and is returned.
    """
    copies = {path.relative_to(data / COPIES_FOLDER): path for path in _files(data / COPIES_FOLDER)}
    known: dict[str, int] = {}
    """Kind of file -> the newest version that there was of it."""
    for path in copies.values():
        known[path.suffix] = max(_version(path), known.get(path.suffix, 0))
    aside = []
    for path in [path for path in _files(data) if _version(path) > known.get(path.suffix, _version(path))]:
        newer = path.with_name(path.name + NEWER)
        move_sidecars(path, newer)
        path.replace(newer)
        aside.append(newer)
        for file in (*sidecars(path), path):
            if copy := copies.get(file.relative_to(data)):
                shutil.copy2(copy, file)
    return aside


def _files(folder: Path) -> Iterator[Path]:
    """All that is to be copied; what a link leads to is not among the data."""
    for path in sorted(folder.rglob("*")):
        left_out = path.relative_to(folder).parts[0] == COPIES_FOLDER or path.name.endswith((EXCLUDED, NEWER))
        if path.is_file() and not path.is_symlink() and not left_out:
            yield path


def _version(path: Path) -> int:
    """Which version of its kind an SQLite file is; 0 of any other file, which has none."""
    with path.open("rb") as file:
        head = file.read(VERSION_FIELD.stop)
    return int.from_bytes(head[VERSION_FIELD], "big") if head.startswith(MAGIC) else 0
