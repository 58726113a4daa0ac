"""What stands in a journal: the units that were confirmed and not taken back, replayed to the state they lead to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vision.sighting import DieReading

from ..game import Game, Move
from .acts import ADJUSTED, acts_of
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


def standing(records: Sequence[Record]) -> list[Record]:
    """The records of units that count, in the order of play: not taken back by a later one, or done again.

    :raises JournalError: when one does again what was not taken back.
    """
    by_seq = {record.seq: record for record in records}
    return [by_seq[seq] for seq in acts_of(records).standing]


def standing_units(rules: Game, records: Sequence[Record]) -> list[Unit]:
    """Units that count, in the order of play.

    :raises JournalError: when a record's moves are not readable.
    """
    return list(_units(rules, records))


def unit_of(rules: Game, record: Record) -> Unit:
    """The unit that a record holds, whether it counts or not.

    :raises JournalError: when it is not readable.
    """
    try:
        unit = Unit.of(record, tuple(rules.parse_move(text) for text in record.body["moves"]))
        for option in unit.options:
            for text in option.split("; "):
                rules.parse_move(text)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise JournalError(f"record {record.seq} cannot be read: {error}") from error
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
    setup = setup_of(records)
    if setup is None:
        raise JournalError("the journal holds no game: nothing to replay")
    state = rules.new(setup)
    colours = {seat["colour"] for seat in rules.seats(setup)}
    for unit in _units(rules, records):
        if unit.player is not None and unit.player not in colours:
            raise JournalError(f"record {unit.seq} is of {unit.player}, whom nobody plays")
        if (unit.by == ADJUSTED) != any(rules.is_adjustment(move) for move in unit.moves):
            raise JournalError(
                f"record {unit.seq} puts counts right by what is no such move, or does not say so"
            )
        for move in unit.moves:
            try:
                rules.play(state, move)
            except ValueError as error:
                raise JournalError(f"record {unit.seq} does not replay: {error}") from error
        if state.state_hash() != unit.state_hash:
            raise JournalError(f"record {unit.seq} leads to another state than the one recorded")
        yield unit, state
