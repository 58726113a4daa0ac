"""The game so far: what was confirmed, unit by unit, and the state it has led to.

Everything is written to the journal before it counts. Taking back and putting right append to it, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vision.sighting import DieReading

from .game import Event, Game, Move, Reason
from .journal import Entry, Journal, JournalError, Unit, names_of, replay, setup_of, standing_units

SEEN = "seen"
"""Who confirmed a unit that was taken from the table by itself."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """Units that no longer fit after an earlier one was put right."""

    units: tuple[Unit, ...]
    reason: Reason
    """Why the first of them is no longer possible."""


class History:
    """Represents the units that stand in a journal.

    *setup* begins a new game in an empty journal; a journal that holds a game is resumed, and *setup* may be left out.

    :raises JournalError: when the journal does not replay, or is empty and there is no *setup*.
    """

    def __init__(self, rules: Game, journal: Journal, setup: Mapping[str, Any] | None) -> None:
        self._rules = rules
        self._journal = journal
        known = setup_of(journal.records())
        if known is None:
            if setup is None:
                raise JournalError(f"journal {journal.path} holds no game: begin a new one")
            journal.append("setup", setup)
            known = setup
        self.setup: Mapping[str, Any] = known
        self.state: Any = rules.new(known)
        self.units: list[Unit] = []
        self.dice: tuple[DieReading, ...] = ()
        """Where the dice lay when the last roll was read."""
        self.names: dict[str, str] = {}
        """What the players are called, by colour."""
        self.read_again()

    def read_again(self) -> None:
        """Replays the journal."""
        records = self._journal.records()
        self.state, self.units = self._rules.new(self.setup), []
        for unit, state in replay(self._rules, records):
            self.units.append(unit)
            self.state = state
        self.names = names_of(records)
        self.dice = next((unit.dice for unit in reversed(self.units) if unit.dice), ())

    def state_before(self, seq: int) -> Any:
        """The state in which the unit *seq* was confirmed.

        :raises LookupError: when no such unit stands.
        """
        state = self._rules.new(self.setup)
        for unit in self.units[: self._index(seq)]:
            for move in unit.moves:
                self._rules.apply(state, move)
        return state

    def _index(self, seq: int) -> int:
        for index, unit in enumerate(self.units):
            if unit.seq == seq:
                return index
        raise LookupError(seq)

    @property
    def last_by_people(self) -> Unit | None:
        """What would be taken back next: the last unit that people confirmed."""
        return next((unit for unit in reversed(self.units) if unit.by != SEEN), None)

    @property
    def open_units(self) -> list[Unit]:
        """Units that were taken for the likeliest of several, and that nobody has been asked about yet."""
        return [unit for unit in self.units if unit.options]

    def record(
        self,
        moves: Sequence[Move],
        by: str,
        probability: float = 1.0,
        dice: Sequence[DieReading] = (),
        options: Sequence[str] = (),
    ) -> list[Event]:
        """Writes a unit to the journal, then makes its moves, in this order, so that nothing shown can be lost.

        *dice* is where the dice of a roll lie, by which the next roll will be told from it; *options* are the notations
        among which a player has yet to choose.

        :raises JournalError: when the journal cannot be written; nothing has changed then.
        """
        player, state = self._rules.to_move(self.state), self.state.copy()
        events = [event for move in moves for event in self._rules.play(state, move)]
        unit = Unit(0, by, player, tuple(moves), state.state_hash(), probability, tuple(dice), tuple(options))
        (record,) = self._journal.append_all([unit.entry()])
        self.units.append(unit.numbered(record.seq))
        self.dice = tuple(dice) or self.dice
        self.state = state
        return events

    def call(self, player: str, name: str) -> None:
        """Notes what a player is called from now on; an empty *name* is none."""
        self._journal.append("names", {"names": {player: name}})
        self.names = names_of(self._journal.records())

    def undo(self) -> bool:
        """Takes back what people confirmed last, and what was seen by itself since; False when there is nothing.

        A unit that was put right becomes again what it was, and so do those that followed.
        """
        last = self.last_by_people
        if last is None:
            return False
        first = next(
            i
            for i, unit in enumerate(self.units)
            if unit is last or (last.amends is not None and unit.amends == last.amends)
        )
        restored = [] if last.amends is None else self._taken_back_by(last.amends)
        self._rewrite(self.units[first:], [unit.entry() for unit in restored])
        return True

    def _taken_back_by(self, seq: int) -> list[Unit]:
        """The units that the record *seq* has taken back, as they were."""
        records = self._journal.records()
        taken_back = next(record.body["units"] for record in records if record.seq == seq)
        ever = standing_units(self._rules, [record for record in records if record.kind != "undo"])
        return [unit for unit in ever if unit.seq in taken_back]

    def replace_last(self, moves: Sequence[Move], by: str, dice: Sequence[DieReading]) -> list[Event]:
        """Takes back the last unit, whoever confirmed it, and records other moves in its place, all or nothing.

        :raises JournalError: when the journal cannot be written; nothing has changed then.
        """
        last = self.units[-1]
        state = self.state_before(last.seq)
        player = self._rules.to_move(state)
        events = [event for move in moves for event in self._rules.play(state, move)]
        unit = Unit(0, by, player, tuple(moves), state.state_hash(), dice=tuple(dice))
        self._rewrite([last], [unit.entry()])
        return events

    def close(self, seq: int) -> None:
        """Notes that the unit *seq* was what was done, after all.

        :raises LookupError: when no such unit stands.
        """
        self._index(seq)
        self._journal.append("settled", {"unit": seq})
        self.read_again()

    def amend(self, seq: int, moves: Sequence[Move], by: str) -> Dropped | None:
        """Puts the unit *seq* right and replays the later ones; tells those that are no longer possible.

        :raises LookupError: when no such unit stands.
        :raises ValueError: when the moves are not possible there; nothing has changed then.
        """
        index, state = self._index(seq), self.state_before(seq)
        player = self._rules.to_move(state)
        for move in moves:
            self._rules.play(state, move)
        amended = [Unit(0, by, player, tuple(moves), state.state_hash(), amends=0)]
        dropped: Dropped | None = None
        for i, unit in enumerate(self.units[index + 1 :], index + 1):
            after = state.copy()
            if reason := _first_reason(self._rules, after, unit.moves):
                dropped = Dropped(tuple(self.units[i:]), reason)
                break
            state = after
            amended.append(unit.after(state.state_hash()))
        self._rewrite(self.units[index:], [unit.entry() for unit in amended], amends=True)
        return dropped

    def _rewrite(self, old: Iterable[Unit], new: Sequence[Entry], *, amends: bool = False) -> None:
        """Takes back the units *old* and writes *new* ones, all or nothing."""
        undo = ("undo", {"units": [unit.seq for unit in old]})
        self._journal.append_all([undo, *new], amends=amends)
        self.read_again()


def _first_reason(rules: Game, state: Any, moves: Iterable[Move]) -> Reason | None:
    """Makes *moves* as far as they are possible; tells why one of them is not."""
    for move in moves:
        if reason := rules.why_not(state, move):
            return reason
        rules.apply(state, move)
    return None
