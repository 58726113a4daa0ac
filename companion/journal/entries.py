"""The effective entries of a journal: those confirmed and not undone, replayed to the state that they lead to."""

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
    """``confirm`` (button), ``seen`` (by the camera alone), ``tap``, ``ruling`` (an override by the players),
    ``assumed`` (not confirmed, but the next turn builds on it) or ``adjusted`` (counts adjusted by hand)."""
    player: str | None
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


@dataclass(frozen=True, slots=True)
class ReplayedMove:
    """One move of an entry, with its effects."""

    player: str | None
    """Whose turn it was."""
    move: Move
    events: tuple[Event, ...]


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
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise JournalError(f"record {record.seq} cannot be read: {error}") from error
    if not entry.moves:
        raise JournalError(f"record {record.seq} cannot be read: it contains no move")
    if entry.options and entry.player is None:
        raise JournalError(f"record {record.seq} cannot be read: it leaves a turn open that is nobody's")
    adjusts = [rules.is_adjustment(move) for move in entry.moves]
    if entry.by == ADJUSTED and not all(adjusts):
        raise JournalError(
            f"record {record.seq} cannot be read: it corrects nothing by hand, though it says so"
        )
    if entry.by != ADJUSTED and any(adjusts):
        raise JournalError(f"record {record.seq} cannot be read: it corrects by hand, and does not say so")
    return entry


def _entries(rules: Rules, records: Sequence[Record]) -> Iterator[Entry]:
    resolved = {record.body["unit"] for record in records if record.kind == "settled"}
    for record in effective(records):
        entry = entry_of(rules, record)
        yield replace(entry, options=()) if entry.seq in resolved else entry


def replay(rules: Rules, records: Sequence[Record]) -> Iterator[tuple[Entry, Any]]:
    """Yields each effective entry with the state after it, from the beginning.

    :raises JournalError: when a move is not readable or legal, or a state is not the recorded one.
    """
    return ((entry, state) for entry, state, _ in replay_with_events(rules, records))


def replay_with_events(
    rules: Rules, records: Sequence[Record]
) -> Iterator[tuple[Entry, Any, list[ReplayedMove]]]:
    """Yields the same, with the effects of each of the entry's moves.

    If an earlier release made a move differently, the entry is replayed, and returned, with that release's move.

    :raises JournalError: as :func:`replay` does.
    """
    setup = setup_of(records)
    if setup is None:
        raise JournalError("the journal contains no game: nothing to replay")
    state: Any = rules.new(setup)
    colours = {seat["colour"] for seat in rules.seats(setup)}
    for entry in _entries(rules, records):
        if entry.player is not None and entry.player not in colours:
            raise JournalError(f"record {entry.seq} is of {entry.player}, who does not play")
        entry, state, happened = _replayed(rules, state, entry)
        yield entry, state, happened


def _replayed(rules: Rules, state: Any, entry: Entry) -> tuple[Entry, Any, list[ReplayedMove]]:
    """Makes an entry's moves as this release does, else as earlier ones did; may change *state*."""
    earlier = [rules.as_earlier_release(move) for move in entry.moves]
    if not any(earlier):
        return entry, state, _made(rules, state, entry)
    as_before = replace(
        entry, moves=tuple(old or move for old, move in zip(earlier, entry.moves, strict=True))
    )
    now, before = state.copy(), state
    try:
        return entry, now, _made(rules, now, entry)
    except JournalError as error:
        try:
            return as_before, before, _made(rules, before, as_before)
        except JournalError:
            raise error from None


def _made(rules: Rules, state: Any, entry: Entry) -> list[ReplayedMove]:
    """Makes an entry's moves, and checks that they lead to the recorded state."""
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
