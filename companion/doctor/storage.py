"""Checks of disk, memory, games and their backups."""

from __future__ import annotations

import os
import tempfile
from collections import deque
from pathlib import Path

from companion.games.registry import UnknownGameError, rules_of
from companion.journal import JournalError, read_records, replay, setup_of
from companion.journal.disk_errors import BUSY, UnusableError, problem_of
from companion.journal.reading import verify
from companion.players.errors import SetupError
from companion.players.setup import check_existing_setup
from companion.service.accounts import other_owner
from companion.storage.picture_store import RESERVE_BYTES
from companion.storage.settings import load_or_safe, quarantined_settings

from .finding import Finding, Text, fault, ok, skipped, warning
from .machine import Machine

MB = 1_000_000
ENOUGH_BYTES = 500 * MB
"""Enough for about twenty games with all their pictures."""
MIN_INODES = 100
"""A game needs two files, and two more temporarily."""
MIN_MEMORY_MB, ENOUGH_MEMORY_MB = 100, 350
"""Free MB: below the first the system will soon kill programs; the second is the most that the companion needs."""
NAMED = 3
"""How many damaged games are named; the others are counted."""


def disk(machine: Machine) -> Finding:
    """Checks whether games can be written, and how much space is left."""
    if machine.data.exists() and not machine.data.is_dir():
        return fault("disk_unwritable", folder=str(machine.data), why=Text("problem.no_folder"))
    folder = existing(machine.data)
    if (file := _blocking_file(machine.games_folder or machine.data / "games")) is not None:
        return fault("disk_unwritable", folder=str(file), why=Text("problem.no_folder"))
    if not _is_accessible(folder) and (owner := other_owner(folder)) is not None:
        return fault("disk_of_other", folder=str(folder), owner=owner)
    try:
        with tempfile.NamedTemporaryFile(dir=folder):
            pass
    except OSError as error:
        return fault("disk_unwritable", folder=str(folder), why=Text(f"problem.{problem_of(error).code}"))
    usage = machine.disk_usage(folder)
    free = usage.f_bavail * usage.f_frsize
    if free < RESERVE_BYTES:
        return fault("disk_full", folder=str(folder), free=free // MB)
    if usage.f_files > 0 and usage.f_favail < MIN_INODES:  # f_files is 0 on file systems without inodes
        return fault("disk_no_files", folder=str(folder))
    if free < ENOUGH_BYTES:
        return warning("disk_low", folder=str(folder), free=free // MB)
    return ok("disk", folder=str(folder), gigabytes=round(free / 1e9, 1))


def memory(machine: Machine) -> Finding:
    """Checks how much memory is left for the companion."""
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
    """Checks whether all journals are undamaged, and their games can be continued.

    Only the latest game, which a start would continue, is replayed: replaying many would take long.
    """
    if not _is_accessible(machine.data):
        return skipped("data_closed", folder=str(machine.data))
    paths = machine.games()
    damaged: list[str] = []
    unplayable: dict[str, str] = {}
    """Name -> reason."""
    latest = max(paths, key=lambda path: path.stat().st_mtime, default=None)
    for path in paths:
        try:
            verify(path)
            records = read_records(path)
            if (setup := setup_of(records)) is not None:
                rules = rules_of(setup)
                check_existing_setup(rules, setup)
                if path == latest:
                    deque(replay(rules, records), maxlen=0)
        except (SetupError, UnknownGameError) as error:
            unplayable[path.name] = str(error)
        except UnusableError as error:
            if error.cause != BUSY:  # the companion that is playing it has verified it
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
    """Checks whether the backup folder is there."""
    if not _is_accessible(machine.data):
        return skipped("data_closed", folder=str(machine.data))
    settings, unusable = load_or_safe(machine.data / "settings.json")
    if unusable is not None:
        return fault("settings_unreadable", why=unusable.reason)
    if unusable_files := quarantined_settings(machine.data / "settings.json"):
        return warning("settings_quarantined", file=str(unusable_files[0]))
    folder = settings.backup
    if folder is None:
        return skipped("no_backup")
    if not Path(folder).is_dir():
        return warning("backup_gone", folder=folder)
    return ok("backup", folder=folder)


def _is_accessible(folder: Path) -> bool:
    """Returns whether this account may read *folder*, or the folder does not exist yet."""
    return not folder.exists() or os.access(folder, os.R_OK | os.X_OK)


def _blocking_file(folder: Path) -> Path | None:
    """Returns a file, or a link to nothing, that is where *folder* or one of its parents should be; else `None`."""
    places = (folder, *folder.absolute().parents)
    return next((place for place in places if os.path.lexists(place) and not place.is_dir()), None)


def existing(folder: Path) -> Path:
    """Returns *folder*, or its nearest existing parent: it is created with the first game."""
    return next(place for place in (folder, *folder.absolute().parents) if place.is_dir())
