"""The effective entries of a journal: those confirmed and not undone."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from calibration.documents import MALFORMED, explained
from companion.games import capabilities
from companion.games.api import Move, Rules
from vision.sighting import DieReading

from .actions import ADJUSTED, OUT_OF_TURN, user_actions_of
from .record import JournalError, NewRecord, Record


@dataclass(frozen=True, slots=True)
class Entry:
    """Moves that were confirmed together."""

    seq: int
    by: str
    """``confirm`` (button), ``seen`` (by the camera alone), ``tap``, ``ruling`` (an override by the players),
    ``assumed`` (not confirmed, but the next turn builds on it), ``adjusted`` (counts adjusted by hand) or
    ``out_of_turn`` (what *player* did while it was not their turn)."""
    player: str | None
    """Whose turn it was, or who did something out of turn; ``None`` if it was nobody's."""
    moves: tuple[Move, ...]
    state_hash: str
    """Hash of the state after them."""
    probability: float = 1.0
    dice: tuple[DieReading, ...] = ()
    """Readings of the dice of a roll."""
    options: tuple[str, ...] = ()
    """Notations of the possible turns among which a player has yet to choose; else empty."""
    amends: int | None = None
    """Number of the record that undid the entries which this one, with others, corrects."""
    repeats: int | None = None
    """Number under which it was first recorded, if it was recorded again because an earlier entry was corrected."""

    @property
    def evidence_seq(self) -> int:
        """Number under which its pictures are stored."""
        return self.seq if self.repeats is None else self.repeats

    def as_record(self) -> NewRecord:
        """Returns the new record to write."""
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
    def of(cls, record: Record, moves: tuple[Move, ...]) -> Entry:
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

    def with_seq(self, seq: int) -> Entry:
        """Returns this entry with the number *seq*."""
        return replace(self, seq=seq)

    def with_state_hash(self, state_hash: str) -> Entry:
        """Returns this entry with the hash of another state after it."""
        return replace(self, state_hash=state_hash)


def effective(records: Sequence[Record]) -> list[Record]:
    """Returns the records of the effective entries, in the order of play.

    :raises JournalError: when a record redoes what was not undone last.
    """
    by_seq = {record.seq: record for record in records}
    return [by_seq[seq] for seq in user_actions_of(records).effective]


def entry_of(rules: Rules, record: Record) -> Entry:
    """Returns the entry that a record holds, effective or not.

    :raises JournalError: when it is not readable.
    """
    try:
        entry = Entry.of(record, tuple(map(rules.parse_move, record.body["moves"])))
        for option in entry.options:
            deque(map(rules.parse_move, option.split("; ")), maxlen=0)
    except MALFORMED as error:
        raise JournalError(f"record {record.seq} cannot be read: {explained(error)}") from error
    if not entry.moves:
        raise JournalError(f"record {record.seq} cannot be read: it contains no move")
    if entry.options and entry.player is None:
        raise JournalError(f"record {record.seq} cannot be read: it leaves a turn open that is nobody's")
    adjusts = [capabilities.correctable(rules).is_adjustment(move) for move in entry.moves]
    if entry.by == ADJUSTED and not all(adjusts):
        raise JournalError(
            f"record {record.seq} cannot be read: it corrects nothing by hand, though it says so"
        )
    if entry.by != ADJUSTED and any(adjusts):
        raise JournalError(f"record {record.seq} cannot be read: it corrects by hand, and does not say so")
    if entry.by == OUT_OF_TURN and any(rules.describe(m).get("player") != entry.player for m in entry.moves):
        raise JournalError(f"record {record.seq} cannot be read: it is not what {entry.player} did")
    return entry


def entries_of(rules: Rules, records: Sequence[Record]) -> Iterator[Entry]:
    """Yields the effective entries, each without its options if a player has resolved it."""
    resolved = {record.body["unit"] for record in records if record.kind == "settled"}
    repeated = _repeated(records)
    for record in effective(records):
        entry = replace(entry_of(rules, record), repeats=repeated.get(record.seq))
        yield replace(entry, options=()) if entry.seq in resolved else entry


def _repeated(records: Sequence[Record]) -> dict[int, int]:
    """Returns the first number of each entry that was recorded again as it, or one before it, was corrected."""
    corrections: dict[int, list[int]] = {}
    for record in records:
        if record.kind == "moves" and (undone := record.body.get("amends")) is not None:
            corrections.setdefault(undone, []).append(record.seq)
    first: dict[int, int] = {}
    for record in records:
        if record.kind == "undo" and record.seq in corrections:
            # Those at the end that became illegal were dropped.
            again = zip(record.body["units"], corrections[record.seq], strict=False)
            first.update((new, first.get(old, old)) for old, new in again)
    return first
