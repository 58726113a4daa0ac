"""What is kept: the disk, the games on it, their second copies; and the memory."""

from __future__ import annotations

import errno
import os
import tempfile
from collections import deque
from pathlib import Path

from companion.games.burgundy.plugin import burgundy
from companion.journal import JournalError, read_records, replay, setup_of
from companion.journal.disk_errors import BUSY, UnusableError
from companion.journal.reading import verify
from companion.players.setup import SetupError, check_existing_setup
from companion.service.accounts import other_owner
from companion.storage.picture_store import RESERVE_BYTES
from companion.storage.settings import load_or_safe, quarantined_settings

from .finding import Finding, fault, ok, skipped, warning
from .machine import Machine

MB = 1_000_000
ENOUGH_BYTES = 500 * MB
"""Room for some twenty games with all their pictures."""
MIN_INODES = 100
"""A game takes two files, and two more for a moment."""
MIN_MEMORY_MB, ENOUGH_MEMORY_MB = 100, 350
"""MB that are free: below the first the system ends programs soon; the second is what the companion takes at most."""
NAMED = 3
"""Damaged games that are named; the others are counted."""


def disk(machine: Machine) -> Finding:
    """Whether games can be written, and for how long."""
    if machine.data.exists() and not machine.data.is_dir():
        return fault("disk_unwritable", folder=str(machine.data), why=os.strerror(errno.ENOTDIR))
    folder = existing(machine.data)
    if (file := _blocking_file(machine.data)) is not None:
        return fault("disk_unwritable", folder=str(file), why=os.strerror(errno.ENOTDIR))
    if not _is_accessible(folder) and (owner := other_owner(folder)) is not None:
        return fault("disk_of_other", folder=str(folder), owner=owner)
    try:
        with tempfile.NamedTemporaryFile(dir=folder):
            pass
    except OSError as error:
        return fault("disk_unwritable", folder=str(folder), why=error.strerror or str(error))
    room = machine.disk_usage(folder)
    free = room.f_bavail * room.f_frsize
    if free < RESERVE_BYTES:
        return fault("disk_full", folder=str(folder), free=free // MB)
    if room.f_files > 0 and room.f_favail < MIN_INODES:  # file systems without inodes have none at all
        return fault("disk_no_files", folder=str(folder))
    if free < ENOUGH_BYTES:
        return warning("disk_low", folder=str(folder), free=free // MB)
    return ok("disk", folder=str(folder), gigabytes=round(free / 1e9, 1))


def memory(machine: Machine) -> Finding:
    """How much memory is left for the companion."""
    try:
        lines = (machine.root / "proc/meminfo").read_text(encoding="ascii").splitlines()
    except FileNotFoundError:
        return skipped("no_meminfo")
    sizes = {
        name: int(size.split()[0]) * 1024 // MB for name, _, size in (line.partition(":") for line in lines)
    }
    free, total = sizes["MemAvailable"], sizes["MemTotal"]
    if free < MIN_MEMORY_MB:
        return fault("memory_out", free=free)
    if free < ENOUGH_MEMORY_MB and not machine.playing:
        return warning("memory_low", free=free)
    return ok("memory", free=free, total=total)


def games(machine: Machine) -> Finding:
    """Whether all that was ever confirmed is still as it was written, and can be played on.

    Only the latest game, with which a start would go on, is played through: that takes long where there are many.
    """
    if not _is_accessible(machine.data):
        return skipped("data_closed", folder=str(machine.data))
    paths = machine.games()
    damaged: list[str] = []
    unplayable: dict[str, str] = {}
    """Name -> why."""
    latest = max(paths, key=lambda path: path.stat().st_mtime, default=None)
    for path in paths:
        try:
            verify(path)
            records = read_records(path)
            if (setup := setup_of(records)) is not None:
                check_existing_setup(burgundy(), setup)
                if path == latest:
                    deque(replay(burgundy(), records), maxlen=0)
        except SetupError as error:
            unplayable[path.name] = str(error)
        except UnusableError as error:
            if error.cause != BUSY:  # a companion that plays it has verified it
                damaged.append(path.name)
        except JournalError:
            damaged.append(path.name)
    if damaged:
        return fault(
            "games_damaged", count=len(damaged), names=tuple(damaged[:NAMED]), folder=str(paths[0].parent)
        )
    if unplayable:
        name, why = next(iter(unplayable.items()))
        return warning(
            "games_unplayable", count=len(unplayable), name=name, why=why, folder=str(paths[0].parent)
        )
    return ok("games", count=len(paths)) if paths else skipped("no_games")


def backup(machine: Machine) -> Finding:
    """Whether the folder in which every game is kept once more is there."""
    if not _is_accessible(machine.data):
        return skipped("data_closed", folder=str(machine.data))
    settings, unusable = load_or_safe(machine.data / "settings.json")
    if unusable is not None:
        return fault("settings_unreadable", why=unusable.reason)
    if aside := quarantined_settings(machine.data / "settings.json"):
        return warning("settings_aside", kept=str(aside[0]))
    folder = settings.backup
    if folder is None:
        return skipped("no_backup")
    if not Path(folder).is_dir():
        return warning("backup_gone", folder=folder)
    return ok("backup", folder=folder)


def _is_accessible(folder: Path) -> bool:
    """Whether this account may look into *folder*, or there is nothing yet to look into."""
    return not folder.exists() or os.access(folder, os.R_OK | os.X_OK)


def _blocking_file(folder: Path) -> Path | None:
    """A file where *folder*, or one above it, should be; None when there is none."""
    places = (folder, *folder.absolute().parents)
    return next((place for place in places if place.exists() and not place.is_dir()), None)


def existing(folder: Path) -> Path:
    """*folder*, or the nearest one above it that is there: before the first game it is not made yet."""
    return next(place for place in (folder, *folder.absolute().parents) if place.is_dir())
