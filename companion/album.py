"""The album: small pictures of what each confirmed unit rests on, kept beside the journal and never more than so much.

Losing it loses no move: it answers "why do you think so?", nothing else.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

MOST_BYTES = 20_000_000
"""Of pictures in one album; a whole game of four takes about a quarter of it."""

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
class Proof:
    """One place that a unit has changed."""

    place: str
    read: Mapping[str, float]
    """How it was read then: label -> probability."""
    before: bytes | None
    """JPEG file; None when nothing had been confirmed before."""
    after: bytes


class Album:
    """Represents one game's album in the file *path*. Safe to use from several threads.

    Whatever goes wrong with the file is kept in :attr:`error`, one sentence; the game does not depend on it.
    """

    def __init__(self, path: str | Path, most_bytes: int = MOST_BYTES) -> None:
        self.error: str | None = None
        self._path, self._most = str(path), most_bytes
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None
        try:
            self._db = sqlite3.connect(self._path, check_same_thread=False, isolation_level=None)
            self._db.executescript(_SCHEMA)
        except sqlite3.Error as error:
            self._give_up(error)

    def _give_up(self, error: sqlite3.Error) -> None:
        self.error = f"no more pictures are kept in {self._path} ({error}): free some space; play goes on"

    def keep(self, unit: int, proofs: Sequence[Proof]) -> None:
        """Keeps the *proofs* of the unit with that number, and drops the oldest when they take too much room."""
        rows = [(unit, one.place, json.dumps(dict(one.read)), one.before, one.after) for one in proofs]
        with self._lock:
            if self._db is None or not rows:
                return
            try:
                self._db.execute("BEGIN")
                self._db.executemany("INSERT OR REPLACE INTO proof VALUES (?, ?, ?, ?, ?)", rows)
                while self._size() > self._most and self._oldest() != unit:
                    self._db.execute("DELETE FROM proof WHERE unit = ?", (self._oldest(),))
                self._db.execute("COMMIT")
                self.error = None
            except sqlite3.Error as error:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                self._give_up(error)

    def _size(self) -> int:
        assert self._db is not None
        query = "SELECT coalesce(sum(length(after) + coalesce(length(before), 0)), 0) FROM proof"
        return int(self._db.execute(query).fetchone()[0])

    def _oldest(self) -> int:
        assert self._db is not None
        return int(self._db.execute("SELECT min(unit) FROM proof").fetchone()[0])

    def of(self, unit: int) -> list[Proof]:
        """The proofs of a unit; none when there are none any more."""
        with self._lock:
            if self._db is None:
                return []
            try:
                rows = self._db.execute(
                    "SELECT place, read, before, after FROM proof WHERE unit = ? ORDER BY rowid", (unit,)
                ).fetchall()
            except sqlite3.Error as error:
                self._give_up(error)
                return []
        return [Proof(place, json.loads(read), before, after) for place, read, before, after in rows]

    def close(self) -> None:
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None
