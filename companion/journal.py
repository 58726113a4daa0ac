"""The journal: an append-only SQLite file of all that was confirmed. Every state is the journal replayed.

A record is the set-up, a unit of moves (a turn, a roll, a phase's layout), an undo of units, the answer that an open
unit was right, or what the players are called. Records of one human intent are written together. They are on disk
before :meth:`Journal.append` returns (``synchronous=FULL``), so whoever shows a light afterwards shows the truth.
Changing or deleting a record is refused by the file itself.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

from vision.sighting import DieReading

from .game import Game, Move

Entry: TypeAlias = tuple[str, Mapping[str, Any]]
"""Kind and body of a record to be written."""
VERSION = 1
BUSY_S = 0.5
"""How long to wait for another process to let go of the file: a reader is done sooner, a companion never."""

_SCHEMA = f"""
PRAGMA user_version = {VERSION};
CREATE TABLE record (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE TRIGGER record_is_not_changed BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER record_is_not_deleted BEFORE DELETE ON record
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""


class JournalError(ValueError):
    """The file is no journal, cannot be used, or does not replay; the message names it and the cure."""


@dataclass(frozen=True, slots=True)
class Record:
    """One line of the journal."""

    seq: int
    at: str
    """UTC, ISO 8601."""
    kind: str
    """``setup``, ``moves``, ``undo``, ``settled`` or ``names``."""
    body: Mapping[str, Any]


class Journal:
    """Represents one game's journal file. Safe to use from several threads.

    :raises JournalError: when the file cannot be opened, or is not a journal of this version.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        self._lock = threading.Lock()
        try:
            self._db = sqlite3.connect(
                self.path, timeout=BUSY_S, check_same_thread=False, isolation_level=None
            )
            self._db.execute("PRAGMA synchronous = FULL")
            # One process writes a journal; a second one is refused instead of being mixed in.
            self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._db.execute("BEGIN IMMEDIATE")
            if not self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                self._db.execute("COMMIT")
                self._db.executescript(_SCHEMA)
            else:
                self._db.execute("COMMIT")
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.OperationalError as error:
            busy = "locked" in str(error)
            cure = "another companion is using it; close that one first" if busy else "check the folder"
            raise JournalError(f"journal {self.path} cannot be opened ({error}): {cure}") from error
        except sqlite3.DatabaseError as error:
            raise JournalError(
                f"{self.path} is not a journal ({error}): name another file, or restore a backup"
            ) from error
        if version != VERSION:
            raise JournalError(
                f"journal {self.path} has version {version}, this companion reads {VERSION}: "
                "update the companion, or name another file"
            )

    def append(self, kind: str, body: Mapping[str, Any]) -> Record:
        """Writes a record; it is on disk when this returns.

        :raises JournalError: when it could not be written; nothing was added then.
        """
        (record,) = self.append_all([(kind, body)])
        return record

    def append_all(self, entries: Sequence[Entry], *, amends: bool = False) -> list[Record]:
        """Writes records that belong together, all or nothing; they are on disk when this returns.

        With *amends*, those after the first say so in ``amends``, by the number of the first.

        :raises JournalError: when they could not be written; nothing was added then.
        """
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        records: list[Record] = []
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                for kind, body in entries:
                    told = {**body, "amends": records[0].seq} if amends and records else body
                    text = json.dumps(told, separators=(",", ":"), ensure_ascii=False)
                    row = self._db.execute(
                        "INSERT INTO record (at, kind, body) VALUES (?, ?, ?)", (at, kind, text)
                    ).lastrowid
                    records.append(Record(int(row or 0), at, kind, told))
                self._db.execute("COMMIT")
            except sqlite3.Error as error:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise JournalError(
                    f"journal {self.path} could not be written ({error}): free some space, then confirm again"
                ) from error
        return records

    def records(self) -> list[Record]:
        """All records, oldest first.

        :raises JournalError: when the file is damaged.
        """
        with self._lock:
            try:
                return _records(self._db)
            except sqlite3.Error as error:
                raise JournalError(f"journal {self.path} is damaged ({error}): restore a backup") from error
            except ValueError as error:
                raise JournalError(
                    f"journal {self.path} is damaged (a record is no JSON): restore a backup"
                ) from error

    def close(self) -> None:
        with self._lock:
            self._db.close()


def records_in(path: str | Path) -> list[Record]:
    """All records of the journal at *path*, which is left as it is.

    :raises JournalError: when it cannot be read now, or is no journal of this version.
    """
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", timeout=BUSY_S, uri=True)) as db:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            records = _records(db) if version == VERSION else []
    except (sqlite3.Error, ValueError) as error:
        raise JournalError(f"journal {path} cannot be read now ({error})") from error
    if version != VERSION:
        raise JournalError(f"{path} is no journal of version {VERSION}")
    return records


def _records(db: sqlite3.Connection) -> list[Record]:
    rows = db.execute("SELECT seq, at, kind, body FROM record ORDER BY seq").fetchall()
    return [Record(seq, at, kind, json.loads(body)) for seq, at, kind, body in rows]


@dataclass(frozen=True, slots=True)
class Unit:
    """Moves that were confirmed together."""

    seq: int
    by: str
    """``confirm`` (pressed), ``seen`` (taken from the table by itself), ``tap``, ``ruling`` (decided by the table) or
    ``assumed`` (not confirmed, but play has gone on from it)."""
    player: str | None
    moves: tuple[Move, ...]
    state_hash: str
    """Hash of the state after them."""
    probability: float = 1.0
    dice: tuple[DieReading, ...] = ()
    """Where the dice of a roll lay."""
    options: tuple[str, ...] = ()
    """Notations of what may have been done, when a player has yet to say which it was."""
    amends: int | None = None
    """The record that took back what this unit, and others with it, put right."""

    def entry(self) -> Entry:
        """What to write into a journal."""
        body: dict[str, Any] = {
            "by": self.by,
            "player": self.player,
            "moves": [str(move) for move in self.moves],
            "probability": round(self.probability, 4),
            "hash": self.state_hash,
        }
        if self.dice:
            body["dice"] = [die.to_json() for die in self.dice]
        if self.options:
            body["options"] = list(self.options)
        return "moves", body

    @classmethod
    def of(cls, record: Record, moves: tuple[Move, ...]) -> Unit:
        body = record.body
        dice = tuple(map(DieReading.from_json, body.get("dice", ())))
        options = tuple(body.get("options", ()))
        return cls(
            record.seq,
            body["by"],
            body.get("player"),
            moves,
            body["hash"],
            body.get("probability", 1.0),
            dice,
            options,
            body.get("amends"),
        )

    def numbered(self, seq: int) -> Unit:
        """The same, as the record *seq*."""
        return replace(self, seq=seq)

    def after(self, state_hash: str) -> Unit:
        """The same moves, leading to another state."""
        return replace(self, state_hash=state_hash)


def standing_units(rules: Game, records: list[Record]) -> list[Unit]:
    """Units that no undo has taken back, oldest first.

    :raises JournalError: when a record's moves are not readable.
    """
    undone = {seq for r in records if r.kind == "undo" for seq in r.body["units"]}
    settled = {r.body["unit"] for r in records if r.kind == "settled"}
    units = []
    for record in records:
        if record.kind == "moves" and record.seq not in undone:
            try:
                moves = tuple(rules.parse_move(text) for text in record.body["moves"])
            except ValueError as error:
                raise JournalError(f"record {record.seq} cannot be read: {error}") from error
            unit = Unit.of(record, moves)
            units.append(replace(unit, options=()) if unit.seq in settled else unit)
    return units


def setup_of(records: list[Record]) -> Mapping[str, Any] | None:
    """The set-up that the journal begins with, None for an empty one."""
    return next((r.body for r in records if r.kind == "setup"), None)


def names_of(records: Sequence[Record]) -> dict[str, str]:
    """What the players are called, by colour; those without a name are left out."""
    names: dict[str, str] = {}
    for record in records:
        if record.kind in ("setup", "names"):
            names |= record.body.get("names", {})
    return {colour: name for colour, name in names.items() if name}


def replay(rules: Game, records: list[Record]) -> Iterator[tuple[Unit, Any]]:
    """Each standing unit with the state after it, from the beginning.

    :raises JournalError: when a move is not legal or a state is not the one that was recorded.
    """
    setup = setup_of(records)
    if setup is None:
        raise JournalError("the journal holds no game: nothing to replay")
    state = rules.new(setup)
    for unit in standing_units(rules, records):
        for move in unit.moves:
            try:
                rules.play(state, move)
            except ValueError as error:
                raise JournalError(f"record {unit.seq} does not replay: {error}") from error
        if state.state_hash() != unit.state_hash:
            raise JournalError(f"record {unit.seq} leads to another state than the one recorded")
        yield unit, state
