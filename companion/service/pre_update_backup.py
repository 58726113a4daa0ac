"""Copies of the data from before an update: the previous version may not read what the newer one writes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from .sqlite_files import move_sidecars, sidecars

COPIES_FOLDER = "before-update"
"""Folder of the copies, inside the data folder."""
EXCLUDED = ".album"
"""Suffix of files that are not copied: pictures, which are large and which a game can do without."""
NEWER = ".newer"
"""Suffix of files that only the newer version can read."""
VERSION_FIELD = slice(60, 64)
"""Bytes of an SQLite file that hold its ``user_version``, big-endian."""
MAGIC = b"SQLite format 3\0"


def make_copies(data: Path) -> None:
    """Copies the *data* folder as it is now; nothing may write to it meanwhile."""
    copies = data / COPIES_FOLDER
    if copies.is_symlink():
        copies.unlink()
    shutil.rmtree(copies, ignore_errors=True)
    for path in _files(data):
        copy = copies / path.relative_to(data)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)


def restore_copies(data: Path) -> list[Path]:
    """Restores the copies of files that have a newer version now; nothing may write to the folder meanwhile.

    The newer files are renamed, not deleted, because games may have been continued in them. Returns their new paths.
    """
    copies = {path.relative_to(data / COPIES_FOLDER): path for path in _files(data / COPIES_FOLDER)}
    known: dict[str, int] = {}
    """File suffix -> the newest version among the copies."""
    for path in copies.values():
        known[path.suffix] = max(_version(path), known.get(path.suffix, 0))
    renamed = []
    for path in [path for path in _files(data) if _version(path) > known.get(path.suffix, _version(path))]:
        newer = path.with_name(path.name + NEWER)
        move_sidecars(path, newer)
        path.replace(newer)
        renamed.append(newer)
        for file in (*sidecars(path), path):
            if copy := copies.get(file.relative_to(data)):
                shutil.copy2(copy, file)
    return renamed


def _files(folder: Path) -> Iterator[Path]:
    """Yields the files to copy; symbolic links are not followed."""
    for path in sorted(folder.rglob("*")):
        is_excluded = path.relative_to(folder).parts[0] == COPIES_FOLDER or path.name.endswith(
            (EXCLUDED, NEWER)
        )
        if path.is_file() and not path.is_symlink() and not is_excluded:
            yield path


def _version(path: Path) -> int:
    """Returns the ``user_version`` of an SQLite file; 0 for any other file."""
    with path.open("rb") as file:
        head = file.read(VERSION_FIELD.stop)
    return int.from_bytes(head[VERSION_FIELD], "big") if head.startswith(MAGIC) else 0
