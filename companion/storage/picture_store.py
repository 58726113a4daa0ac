"""Evidence pictures: small pictures of what each confirmed entry is based on, in a file of limited size.

The file is beside the journal. Losing it loses no move: it only answers "why do you think so?".
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from calibration.documents import parse_json
from companion.journal.disk_errors import BLOCKED, cause_at
from companion.service.sqlite_files import obstacle, sidecars

MAX_BYTES = 20_000_000
"""Of pictures of one game; a complete game of four takes about a quarter of it."""

RESERVE_BYTES = 50_000_000
"""Disk space reserved for the moves, which take less than a fiftieth of it in a complete game."""
NEARLY_FULL = "nearly_full"
"""Only the reserve is free."""
DAMAGED = "damaged"
_ERRORS = (sqlite3.Error, ValueError)
"""Errors that an unusable or damaged file raises."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS proof (
    unit INTEGER NOT NULL,
    place TEXT NOT NULL,
    read TEXT NOT NULL,
    before BLOB,
    after BLOB NOT NULL,
    PRIMARY KEY (unit, place)
);
"""


@dataclass(frozen=True, slots=True)
class EvidencePicture:
    """One place that an entry has changed."""

    place: str
    read: Mapping[str, float]
    """How the place was read: label -> probability."""
    before: bytes | None
    """JPEG file; ``None`` if nothing had been confirmed before."""
    after: bytes
    """JPEG file."""


class PictureStore:
    """Represents one game's pictures in the file *path*. Safe to use from several threads.

    The game does not depend on the pictures: if the file fails, :attr:`trouble` says why.
    """

    def __init__(
        self, path: str | Path, max_bytes: int = MAX_BYTES, free_bytes: Callable[[], int] | None = None
    ) -> None:
        """*free_bytes* returns how many bytes are free; ``None``, the default, asks the disk."""
        self.trouble: str | None = None
        """Why no more pictures are stored: NEARLY_FULL, DAMAGED, or a cause of :mod:`companion.journal.disk_errors`;
        ``None`` if they are. The translator has a text ``storage_notices.no_pictures_TROUBLE``."""
        self.enabled = True
        """Whether people want pictures to be stored."""
        self.path, self._max_bytes = Path(path), max_bytes
        self._free_bytes = free_bytes or (lambda: shutil.disk_usage(Path(path).parent).free)
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None
        self._open()

    def _open(self) -> None:
        if obstacle(self.path) is not None or (self.path.exists() and not self.path.is_file()):
            self.trouble = BLOCKED
            return
        try:
            self._db = sqlite3.connect(self.path, check_same_thread=False, isolation_level=None)
            self._db.execute("PRAGMA secure_delete = ON")  # deleted pictures are overwritten in the file
            self._db.executescript(_SCHEMA)
        except _ERRORS as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        self.trouble = cause_at(self.path, error) or DAMAGED

    def add(self, entry: int, evidence_pictures: Sequence[EvidencePicture]) -> None:
        """Stores the *evidence_pictures* of that entry, and deletes the oldest when the file becomes too large."""
        rows = [
            (entry, one.place, json.dumps(dict(one.read)), one.before, one.after) for one in evidence_pictures
        ]
        with self._lock:
            if self._db is None or not rows or not self.enabled:
                return
            try:
                if self._free_bytes() < RESERVE_BYTES:
                    self.trouble = NEARLY_FULL
                    return
                self._db.execute("BEGIN")
                self._db.executemany("INSERT OR REPLACE INTO proof VALUES (?, ?, ?, ?, ?)", rows)
                while self._size() > self._max_bytes and self._oldest() != entry:
                    self._db.execute("DELETE FROM proof WHERE unit = ?", (self._oldest(),))
                self._db.execute("COMMIT")
                self.trouble = None
            except (*_ERRORS, OSError) as error:
                self._give_up(error)
                with suppress(sqlite3.Error):  # the disk's error is known already
                    if self._db.in_transaction:
                        self._db.execute("ROLLBACK")

    def _size(self) -> int:
        assert self._db is not None
        query = "SELECT coalesce(sum(length(after) + coalesce(length(before), 0)), 0) FROM proof"
        return int(self._db.execute(query).fetchone()[0])

    def _oldest(self) -> int:
        assert self._db is not None
        return int(self._db.execute("SELECT min(unit) FROM proof").fetchone()[0])

    def for_entry(self, entry: int) -> list[EvidencePicture]:
        """Returns the pictures of an entry; none if they have been deleted."""
        with self._lock:
            if self._db is None:
                return []
            try:
                rows = self._db.execute(
                    "SELECT place, read, before, after FROM proof WHERE unit = ? ORDER BY rowid", (entry,)
                ).fetchall()
                name = self.path.name
                return [
                    EvidencePicture(place, parse_json(read, name, ValueError), before, after)
                    for place, read, before, after in rows
                ]
            except _ERRORS as error:
                self._give_up(error)
                return []

    def clear(self) -> None:
        """Deletes all pictures; new ones are stored as before.

        :raises OSError: when the file cannot be deleted.
        """
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None
            try:
                for file in (self.path, *sidecars(self.path)):
                    file.unlink(missing_ok=True)
            finally:
                self._open()

    def close(self) -> None:
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None
