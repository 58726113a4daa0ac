"""What a start does about a damaged journal: nothing is thrown away, and the players are informed."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from companion.games.api import Rules
from companion.service.sqlite_files import move_sidecars

from .database import write_lines
from .entries import effective
from .file import Journal
from .files import DAMAGED, SUFFIX, first_free, is_journal, numbered
from .reading import read_lines, recovered
from .record import DamagedError, JournalError, Line, setup_of
from .replay import replay


@dataclass(frozen=True, slots=True)
class Repaired:
    """How a damaged journal was repaired."""

    saved_as: str | None
    """Name of the copy of the damaged file, beside the journal; ``None`` if it was empty or complete."""
    records: int
    """Number of records recovered."""
    lost: int | None
    """Number of records lost; ``None`` if unknown."""
    backup: str | None
    """Folder of the backup that the records are from; ``None`` if they are from the damaged file itself."""
    empty: bool = False
    """Whether the file had no content at all."""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A last entry that could not be replayed, and is no longer effective."""

    saved_as: str
    """Name of the file that it was copied to."""
    record: int
    """Number of its record."""


def open_journal(
    path: str | Path, backups: Sequence[Path] = (), wait_s: float | None = None
) -> tuple[Journal, Repaired | None]:
    """Opens the journal at *path*, repaired if need be; returns it with what was repaired.

    A damaged file is saved under another name, and replaced by what can be recovered from it or from the copy in one of
    the folders *backups*. A copy with more records than the file, written while the disk was full, replaces it too.
    *wait_s* is as for :class:`Journal`.

    :raises JournalError: when it cannot be opened, or is damaged and its name is not one of the companion's.
    """
    path = Path(path)
    if is_journal(path) and not path.stat().st_size:
        repaired: Repaired | None = _repair(path, backups)
        return Journal(path), repaired
    try:
        journal = Journal(path, wait_s=wait_s)
    except DamagedError:
        if path.suffix != SUFFIX:
            raise
        repaired = _repair(path, backups)
        return Journal(path), repaired
    if repaired := _completed_from_backup(journal, backups):
        journal = Journal(path)
    return journal, repaired


def _repair(path: Path, backups: Sequence[Path]) -> Repaired:
    is_empty = not path.stat().st_size
    lines, written = recovered(path)
    lines, source = _longest(path, lines, backups)
    copy: Path | None = None
    if not is_empty:
        copy = first_free(numbered(path.parent, f"{path.name}{DAMAGED}", ""))
        _link_or_copy(path, copy)
    if lines or not is_empty:
        write_lines(path, lines)
    else:
        path.unlink()  # opening creates it again
    lost = None if written is None else max(0, written - len(lines))
    return Repaired(None if copy is None else copy.name, len(lines), lost, source, is_empty)


def _completed_from_backup(journal: Journal, backups: Sequence[Path]) -> Repaired | None:
    """Closes *journal* and replaces its file by a copy with more records; returns ``None`` if there is none."""
    lines, source = _longest(Path(journal.path), journal.lines(), backups if journal.lines() else ())
    if source is None:
        return None
    journal.close()
    write_lines(Path(journal.path), lines)
    return Repaired(None, len(lines), 0, source)


def _longest(path: Path, lines: list[Line], backups: Sequence[Path]) -> tuple[list[Line], str | None]:
    """Returns *lines*, or those of the longest copy that continues them, and the folder of that copy."""
    source = None
    for folder in backups:
        copy = _copy_in(folder, path.name)
        if len(copy) > len(lines) and copy[: len(lines)] == lines:
            lines, source = copy, str(folder)
    return lines, source


def _copy_in(folder: Path, name: str) -> list[Line]:
    """Returns the lines of the backup in *folder*; the intact ones if it is damaged, none if it is missing."""
    copy = folder / name
    if not copy.is_file():
        return []
    try:
        return read_lines(copy)
    except JournalError:
        return recovered(copy)[0]


def _link_or_copy(path: Path, copy: Path) -> None:
    """Links or copies the file at *path* to *copy*, and moves the files that SQLite put beside it there.

    The journal's own name never disappears: after a power cut in between, the next start finds the damaged file again.
    """
    try:
        os.link(path, copy)
    except OSError:  # a file system without links
        shutil.copy2(path, copy)
    move_sidecars(path, copy)


def quarantine(rules: Rules, journal: Journal) -> Quarantined | None:
    """Quarantines the last entry if it does not replay; returns ``None`` if all entries do.

    It stays in the journal and is copied to a file beside it, but is no longer effective.

    :raises JournalError: when an earlier entry does not replay (later ones build on it), or nothing can be written.
    """
    records = journal.records()
    if setup_of(records) is None:
        return None
    replayed = 0
    try:
        for _ in replay(rules, records):
            replayed += 1
        return None
    except JournalError as error:
        failed, *later = effective(records)[replayed:]
        if later:
            raise
        reason = str(error)
    copy = Path(f"{journal.path}.aside")
    try:
        with copy.open("a", encoding="utf-8") as file:
            file.write(json.dumps({**asdict(failed), "reason": reason}, ensure_ascii=False) + "\n")
    except OSError as error:
        raise JournalError(f"{reason}, and it could not be copied to {copy} ({error.strerror})") from error
    journal.append("aside", {"units": [failed.seq], "reason": reason})
    return Quarantined(copy.name, failed.seq)
