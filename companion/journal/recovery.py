"""What a start does about a journal that is not as it was written: nothing is thrown away, and the table is told."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from companion.games.api import Rules
from companion.service.sqlite_files import move_sidecars

from .entries import effective, replay
from .file import Journal, read_lines, recovered, write
from .files import DAMAGED, SUFFIX, first_free, is_journal, numbered
from .record import DamagedError, JournalError, Line, setup_of


@dataclass(frozen=True, slots=True)
class Repaired:
    """What was done about a damaged journal."""

    kept: str | None
    """Name of the damaged file, which lies beside the journal from now on; None when there was nothing to be kept."""
    records: int
    """How many stand again."""
    lost: int | None
    """How many are gone; None when nobody can tell."""
    backup: str | None
    """The folder of the backup they are from; None when the damaged file itself still had them."""
    empty: bool = False
    """Whether the file was there without anything in it."""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A last unit that could not be replayed, and stands no longer."""

    kept: str
    """Name of the file that keeps it."""
    record: int
    """Its number."""


def open_journal(
    path: str | Path, backups: Sequence[Path] = (), wait_s: float | None = None
) -> tuple[Journal, Repaired | None]:
    """Opens the journal at *path*; a damaged one is kept under another name, and what can be read of it, or of the
    copy in one of the folders *backups*, stands in its place. A copy that goes on from where the journal ends, as the
    disk could not be written then, takes its place as well. Who has it open is waited for as by :class:`Journal`.

    :raises JournalError: when it cannot be opened, or is damaged and not the companion's own.
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
    if repaired := _followed_up(journal, backups):
        journal = Journal(path)
    return journal, repaired


def _repair(path: Path, backups: Sequence[Path]) -> Repaired:
    is_empty = not path.stat().st_size
    lines, written = recovered(path)
    lines, source = _longest(path, lines, backups)
    kept: Path | None = None
    if not is_empty:
        kept = first_free(numbered(path.parent, f"{path.name}{DAMAGED}", ""))
        _keep(path, kept)
    if lines or not is_empty:
        write(path, lines)
    else:
        path.unlink()  # made anew, and whole, when it is opened
    lost = None if written is None else max(0, written - len(lines))
    return Repaired(None if kept is None else kept.name, len(lines), lost, source, is_empty)


def _followed_up(journal: Journal, backups: Sequence[Path]) -> Repaired | None:
    """Closes the *journal* and takes a copy that holds more in its place, if there is one."""
    lines, source = _longest(Path(journal.path), journal.lines(), backups if journal.lines() else ())
    if source is None:
        return None
    journal.close()
    write(Path(journal.path), lines)
    return Repaired(None, len(lines), 0, source)


def _longest(path: Path, lines: list[Line], backups: Sequence[Path]) -> tuple[list[Line], str | None]:
    """*lines*, or the most that a copy of the journal holds after them, and the folder of that copy."""
    source = None
    for folder in backups:
        copy = _copy_in(folder, path.name)
        if len(copy) > len(lines) and copy[: len(lines)] == lines:
            lines, source = copy, str(folder)
    return lines, source


def _copy_in(folder: Path, name: str) -> list[Line]:
    """What the backup in *folder* holds; nothing when there is none, or it is damaged as well."""
    copy = folder / name
    if not copy.is_file():
        return []
    try:
        return read_lines(copy)
    except JournalError:
        return recovered(copy)[0]


def _keep(path: Path, kept: Path) -> None:
    """Keeps the file at *path* as *kept*, too, with what SQLite had put beside it.

    The journal's own name never goes missing: a power cut in between finds the damaged file again.
    """
    try:
        os.link(path, kept)
    except OSError:  # a file system without links
        shutil.copy2(path, kept)
    move_sidecars(path, kept)


def quarantine(rules: Rules, journal: Journal) -> Quarantined | None:
    """Sets the last unit aside if it does not replay; None when all does.

    It stays in the journal, is written to a file beside it, and stands no longer.

    :raises JournalError: when an earlier unit does not replay (what followed rests on it), or nothing can be written.
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
    kept = Path(f"{journal.path}.aside")
    try:
        with kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps({**asdict(failed), "reason": reason}, ensure_ascii=False) + "\n")
    except OSError as error:
        raise JournalError(f"{reason}, and it could not be set aside in {kept} ({error})") from error
    journal.append("aside", {"units": [failed.seq], "reason": reason})
    return Quarantined(kept.name, failed.seq)
