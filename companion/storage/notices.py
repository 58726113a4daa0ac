"""Warnings about how a game is stored: what was repaired at the start, and what cannot be written now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from companion.journal import Journal
from companion.journal.backup import Backup
from companion.journal.disk_errors import FULL
from companion.journal.recovery import Quarantined, Repaired

from .picture_store import NEARLY_FULL, PictureStore


@dataclass(frozen=True, slots=True)
class StorageNotice:
    """The text ``storage_notices.CODE``, with its fields."""

    code: str
    data: Mapping[str, Any] = field(default_factory=dict)


class LearntTiles(Protocol):
    """The file of tiles learnt during play (:class:`companion.runtime.learnt_tiles.LearntTiles`)."""

    @property
    def path(self) -> Path: ...

    @property
    def error(self) -> object:
        """Why it could not be written last; None if it was."""
        ...


StorageNotices = Callable[[], list[StorageNotice]]
"""Returns the warnings that hold now."""


def repair_notices(repaired: Repaired | None, quarantined: Quarantined | None) -> list[StorageNotice]:
    """Returns what a start has done about a damaged journal."""
    notices = []
    if repaired is not None:
        if repaired.empty:
            outcome = "empty" if repaired.backup is None else "empty_backup"
        elif repaired.saved_as is None:
            outcome = "followed_up"
        elif repaired.lost is None:
            outcome = "unknown" if repaired.backup is None else "backup"
        else:
            outcome = "lost" if repaired.lost else "complete"
        notices.append(StorageNotice(f"repaired_{outcome}", asdict(repaired)))
    if quarantined is not None:
        notices.append(StorageNotice("quarantined", asdict(quarantined)))
    return notices


def storage_notices(
    journal: Journal,
    at_start: list[StorageNotice],
    picture_store: PictureStore | None = None,
    backup: Backup | None = None,
    tiles: LearntTiles | None = None,
) -> StorageNotices:
    """Returns a function that checks the *journal* and what is stored beside it.

    The warnings of the start (*at_start*) hold until play has gone on.
    """
    records_at_start = len(journal.lines())

    def notices() -> list[StorageNotice]:
        found = list(at_start) if len(journal.lines()) == records_at_start else []
        restored = journal.restored
        if restored is not None and restored.records == len(journal.lines()):
            found.append(
                StorageNotice("restored" if restored.saved_as is None else "replaced", asdict(restored))
            )
        if journal.unsaved:
            found.append(StorageNotice("unsaved", {"count": journal.unsaved}))
        if journal.allow_unsaved and not journal.pending:
            found.append(StorageNotice("may_hold"))
        if backup is not None and backup.problem is not None:
            about = {"folder": str(backup.folder), "problem": backup.problem}
            found.append(StorageNotice("no_backup", about))
        if picture_store is not None and (trouble := picture_store.trouble) is not None:
            # Also says that moves are still saved, as long as that is so.
            trouble = FULL if trouble == NEARLY_FULL and journal.trouble else trouble
            found.append(StorageNotice(f"no_pictures_{trouble}"))
        if tiles is not None and tiles.error is not None:
            found.append(StorageNotice("no_gallery", {"file": str(tiles.path)}))
        return found

    return notices
