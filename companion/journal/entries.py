"""What stands in a journal: the units that were confirmed and not taken back, replayed to the state they lead to."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.games.api import Event, Game, Move
from vision.sighting import DieReading

from .actions import ADJUSTED, acts_of
from .record import Entry, JournalError, Record, setup_of


@dataclass(frozen=True, slots=True)
class Unit:
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


@dataclass(frozen=True, slots=True)
class Happened:
    """What one move of a unit brought about."""

    player: str | None
    """Whose turn it was."""
    move: Move
    events: tuple[Event, ...]


def standing(records: Sequence[Record]) -> list[Record]:
    """The records of units that count, in the order of play: not taken back by a later one, or done again.

    :raises JournalError: when one does again what was not taken back.
    """
    by_seq = {record.seq: record for record in records}
    return [by_seq[seq] for seq in acts_of(records).standing]


def unit_of(rules: Game, record: Record) -> Unit:
    """The unit that a record holds, whether it counts or not.

    :raises JournalError: when it is not readable.
    """
    try:
        unit = Unit.of(record, tuple(map(rules.parse_move, record.body["moves"])))
        for option in unit.options:
            deque(map(rules.parse_move, option.split("; ")), maxlen=0)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise JournalError(f"record {record.seq} cannot be read: {error}") from error
    if not unit.moves:
        raise JournalError(f"record {record.seq} cannot be read: it holds no move")
    adjusts = [rules.is_adjustment(move) for move in unit.moves]
    if unit.by == ADJUSTED and not all(adjusts):
        raise JournalError(
            f"record {record.seq} cannot be read: it corrects nothing by hand, though it says so"
        )
    if unit.by != ADJUSTED and any(adjusts):
        raise JournalError(f"record {record.seq} cannot be read: it corrects by hand, and does not say so")
    return unit


def _units(rules: Game, records: Sequence[Record]) -> Iterator[Unit]:
    settled = {record.body["unit"] for record in records if record.kind == "settled"}
    for record in standing(records):
        unit = unit_of(rules, record)
        yield replace(unit, options=()) if unit.seq in settled else unit


def replay(rules: Game, records: Sequence[Record]) -> Iterator[tuple[Unit, Any]]:
    """Each standing unit with the state after it, from the beginning.

    :raises JournalError: when a move is not readable or legal, or a state is not the one that was recorded.
    """
    return ((unit, state) for unit, state, _ in replay_told(rules, records))


def replay_told(rules: Game, records: Sequence[Record]) -> Iterator[tuple[Unit, Any, list[Happened]]]:
    """The same, with what each of the unit's moves brought about.

    A unit of an earlier release is replayed as that made its moves; they are so in what is returned.

    :raises JournalError: as :func:`replay` does.
    """
    setup = setup_of(records)
    if setup is None:
        raise JournalError("the journal holds no game: nothing to replay")
    state: Any = rules.new(setup)
    colours = {seat["colour"] for seat in rules.seats(setup)}
    for unit in _units(rules, records):
        if unit.player is not None and unit.player not in colours:
            raise JournalError(f"record {unit.seq} is of {unit.player}, whom nobody plays")
        unit, state, happened = _replayed(rules, state, unit)
        yield unit, state, happened


def _replayed(rules: Game, state: Any, unit: Unit) -> tuple[Unit, Any, list[Happened]]:
    """A unit made from *state*, which may be moved on: as this release makes it, else as earlier ones did."""
    earlier = [rules.earlier(move) for move in unit.moves]
    if not any(earlier):
        return unit, state, _made(rules, state, unit)
    then = replace(unit, moves=tuple(old or move for old, move in zip(earlier, unit.moves, strict=True)))
    now, before = state.copy(), state
    try:
        return unit, now, _made(rules, now, unit)
    except JournalError as error:
        try:
            return then, before, _made(rules, before, then)
        except JournalError:
            raise error from None


def _made(rules: Game, state: Any, unit: Unit) -> list[Happened]:
    """Makes a unit's moves, which lead to what was recorded."""
    happened: list[Happened] = []
    for move in unit.moves:
        player = rules.to_move(state)
        try:
            happened.append(Happened(player, move, tuple(rules.play(state, move))))
        except ValueError as error:
            raise JournalError(f"record {unit.seq} does not replay: {error}") from error
    if state.state_hash() != unit.state_hash:
        raise JournalError(f"record {unit.seq} leads to another state than the one recorded")
    return happened
