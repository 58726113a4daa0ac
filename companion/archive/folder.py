"""All games of a folder. What their journals hold is worked out once, and remembered in an embedded database."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from calibration.documents import parse_json

from ..game import Game
from ..journal import JournalError, records_in
from ..journal.file import write
from ..journal.record import Line
from .record import GameRecord, record_of

SUFFIX = ".journal"
INDEX = "archive.sqlite"
VERSION = 2
"""Of what is remembered; with another one all journals are read anew."""

_SCHEMA = f"""
DROP TABLE IF EXISTS game;
CREATE TABLE game (name TEXT PRIMARY KEY, size INTEGER, changed INTEGER, record TEXT, error TEXT);
PRAGMA user_version = {VERSION};
"""


@dataclass(frozen=True, slots=True)
class Archived:
    """One journal of the folder."""

    name: str
    """The file's name without its ending."""
    record: GameRecord | None
    """None where no game was begun, or it cannot be read."""
    error: str | None = None
    """Why it cannot be read."""


class Archive:
    """Represents the games folder. Safe to use from several threads.

    The database is only a memory: deleting it, or not being able to write it, costs time and nothing else.
    """

    def __init__(self, folder: str | Path, rules: Game) -> None:
        self.folder = Path(folder)
        self._rules = rules
        self._lock = threading.Lock()
        self._db = self._opened()

    def _opened(self) -> sqlite3.Connection:
        for path in (str(self.folder / INDEX), ":memory:"):
            try:
                db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
                if db.execute("PRAGMA user_version").fetchone()[0] != VERSION:
                    db.executescript(_SCHEMA)
                return db
            except sqlite3.Error:
                continue  # a full or read-only disk: it is remembered for as long as the companion runs
        raise AssertionError("memory cannot be written")

    def path(self, name: str) -> Path:
        """The journal that is called *name*.

        :raises LookupError: when there is none.
        """
        path = self.folder / f"{name}{SUFFIX}"
        if path not in self._journals():
            raise LookupError(name)
        return path

    def games(self, but: str | Path | None = None) -> list[Archived]:
        """What every journal holds in which a game was begun, the latest first; *but* is the one being played."""
        with self._lock:
            found = [self._archived(path) for path in self._journals() if str(path) != str(but)]
        begun = (one for one in found if one.record or one.error)
        return sorted(begun, key=lambda one: one.record.began if one.record else "", reverse=True)

    def records(self, but: str | Path | None = None) -> list[GameRecord]:
        """The games themselves, as far as they can be read."""
        return [one.record for one in self.games(but) if one.record]

    def game(self, name: str) -> Archived:
        """What one journal holds.

        :raises LookupError: when there is none of that name.
        """
        path = self.path(name)
        with self._lock:
            return self._archived(path)

    def names(self) -> list[str]:
        """What the journals are called, in order."""
        return sorted(path.stem for path in self._journals())

    def add(self, name: str, lines: Sequence[Line]) -> str:
        """Keeps a game of *lines*, called *name* or the first free name after it, which is returned.

        Its file is as old as its last record: what was played elsewhere long ago is not tonight's game.

        :raises JournalError: when it cannot be written.
        """
        played = datetime.fromisoformat(lines[-1].at).timestamp()
        with self._lock:
            path = journal_for(self.folder, name)
            write(path, lines)
            os.utime(path, (played, played))
        return path.stem

    def forget(self) -> None:
        """Remembers nothing any more, not on the disk either.

        :raises OSError: when that cannot be deleted.
        """
        with self._lock:
            self._db.close()
            try:
                for name in (INDEX, f"{INDEX}-journal"):
                    (self.folder / name).unlink(missing_ok=True)
            finally:
                self._db = self._opened()

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def _journals(self) -> list[Path]:
        return sorted(self.folder.glob(f"*{SUFFIX}"))

    def _archived(self, path: Path) -> Archived:
        stat = path.stat()
        known = (path.stem, stat.st_size, stat.st_mtime_ns)
        with suppress(
            sqlite3.Error, ValueError, LookupError, TypeError
        ):  # the memory is damaged: all is read anew
            query = "SELECT record, error FROM game WHERE name = ? AND size = ? AND changed = ?"
            for record, error in self._db.execute(query, known):
                return _archived(path, record, error)
        record, error = self._read(path)
        with suppress(sqlite3.Error):  # not remembered, it is read anew next time
            self._db.execute("INSERT OR REPLACE INTO game VALUES (?, ?, ?, ?, ?)", (*known, record, error))
        return _archived(path, record, error)

    def _read(self, path: Path) -> tuple[str | None, str | None]:
        """What the journal holds, or why it cannot be read; neither for one in which no game was begun."""
        try:
            records = records_in(path)
            return (json.dumps(record_of(self._rules, records).to_json()) if records else None), None
        except (JournalError, ValueError, LookupError) as error:
            return None, str(error)


def journal_for(folder: Path, name: str) -> Path:
    """Where a new game is kept in *folder*: a file of its own, called *name* if nothing is called so yet."""
    names = (f"{name}{SUFFIX}", *(f"{name}-{number}{SUFFIX}" for number in range(2, 1000)))
    return next(
        path for file in names if not (path := folder / file).exists() and not Path(f"{path}.album").exists()
    )


def _archived(path: Path, record: str | None, error: str | None) -> Archived:
    """*record* is that of the game as JSON."""
    return Archived(
        path.stem, GameRecord.from_json(parse_json(record, INDEX, ValueError)) if record else None, error
    )
