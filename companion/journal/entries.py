"""What stands in a journal: the units that were confirmed and not taken back, replayed to the state they lead to."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from calibration.errors import CompanionError
from companion.games.api import Event, Move, Rules
from vision.sighting import DieReading

from .actions import ADJUSTED, user_actions_of
from .record import JournalError, NewRecord, Record, setup_of


@dataclass(frozen=True, slots=True)
class Entry:
    """Moves that were confirmed together."""

    seq: int
    by: str
    """``confirm`` (pressed), ``seen`` (taken from the table by itself), ``tap``, ``ruling`` (decided by the table),
    ``assumed`` (not confirmed, but play has gone on from it) or ``adjusted`` (counts put right by hand)."""
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

    def as_record(self) -> NewRecord:
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
        """The same, as the record *seq*."""
        return replace(self, seq=seq)

    def with_state_hash(self, state_hash: str) -> Entry:
        """The same moves, leading to another state."""
        return replace(self, state_hash=state_hash)


@dataclass(frozen=True, slots=True)
class ReplayedMove:
    """What one move of a unit brought about."""

    player: str | None
    """Whose turn it was."""
    move: Move
    events: tuple[Event, ...]


def effective(records: Sequence[Record]) -> list[Record]:
    """The records of units that count, in the order of play: not taken back by a later one, or done again.

    :raises JournalError: when one does again what was not taken back.
    """
    by_seq = {record.seq: record for record in records}
    return [by_seq[seq] for seq in user_actions_of(records).effective]


def entry_of(rules: Rules, record: Record) -> Entry:
    """The unit that a record holds, whether it counts or not.

    :raises JournalError: when it is not readable.
    """
    try:
        entry = Entry.of(record, tuple(map(rules.parse_move, record.body["moves"])))
        for option in entry.options:
            deque(map(rules.parse_move, option.split("; ")), maxlen=0)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise JournalError(f"record {record.seq} cannot be read: {error}") from error
    if not entry.moves:
        raise JournalError(f"record {record.seq} cannot be read: it holds no move")
    adjusts = [rules.is_adjustment(move) for move in entry.moves]
    if entry.by == ADJUSTED and not all(adjusts):
        raise JournalError(
            f"record {record.seq} cannot be read: it corrects nothing by hand, though it says so"
        )
    if entry.by != ADJUSTED and any(adjusts):
        raise JournalError(f"record {record.seq} cannot be read: it corrects by hand, and does not say so")
    return entry


def _entries(rules: Rules, records: Sequence[Record]) -> Iterator[Entry]:
    settled = {record.body["unit"] for record in records if record.kind == "settled"}
    for record in effective(records):
        entry = entry_of(rules, record)
        yield replace(entry, options=()) if entry.seq in settled else entry


def replay(rules: Rules, records: Sequence[Record]) -> Iterator[tuple[Entry, Any]]:
    """Each standing unit with the state after it, from the beginning.

    :raises JournalError: when a move is not readable or legal, or a state is not the one that was recorded.
    """
    return ((entry, state) for entry, state, _ in replay_with_events(rules, records))


def replay_with_events(
    rules: Rules, records: Sequence[Record]
) -> Iterator[tuple[Entry, Any, list[ReplayedMove]]]:
    """The same, with what each of the unit's moves brought about.

    A unit of an earlier release is replayed as that made its moves; they are so in what is returned.

    :raises JournalError: as :func:`replay` does.
    """
    setup = setup_of(records)
    if setup is None:
        raise JournalError("the journal holds no game: nothing to replay")
    state: Any = rules.new(setup)
    colours = {seat["colour"] for seat in rules.seats(setup)}
    for entry in _entries(rules, records):
        if entry.player is not None and entry.player not in colours:
            raise JournalError(f"record {entry.seq} is of {entry.player}, whom nobody plays")
        entry, state, happened = _replayed(rules, state, entry)
        yield entry, state, happened


def _replayed(rules: Rules, state: Any, entry: Entry) -> tuple[Entry, Any, list[ReplayedMove]]:
    """A unit made from *state*, which may be moved on: as this release makes it, else as earlier ones did."""
    earlier = [rules.as_earlier_release(move) for move in entry.moves]
    if not any(earlier):
        return entry, state, _made(rules, state, entry)
    then = replace(entry, moves=tuple(old or move for old, move in zip(earlier, entry.moves, strict=True)))
    now, before = state.copy(), state
    try:
        return entry, now, _made(rules, now, entry)
    except JournalError as error:
        try:
            return then, before, _made(rules, before, then)
        except JournalError:
            raise error from None


def _made(rules: Rules, state: Any, entry: Entry) -> list[ReplayedMove]:
    """Makes a unit's moves, which lead to what was recorded."""
    happened: list[ReplayedMove] = []
    for move in entry.moves:
        player = rules.to_move(state)
        try:
            happened.append(ReplayedMove(player, move, tuple(rules.play(state, move))))
        except CompanionError as error:
            raise JournalError(f"record {entry.seq} does not replay: {error}") from error
    if state.state_hash() != entry.state_hash:
        raise JournalError(f"record {entry.seq} leads to another state than the one recorded")
    return happened
