"""The game so far: what was confirmed, unit by unit, and the state it has led to.

Everything is written to the journal before it counts. Taking back and putting right append to it, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.api import Event, Move, Reason, Rules
from companion.players.setup import check_new_setup
from vision.sighting import DieReading

from . import ADJUSTED as ADJUSTED
from . import Entry, Journal, JournalError, NewRecord, entry_of, names_of, replay, setup_of, user_actions_of


@dataclass(frozen=True, slots=True)
class Dropped:
    """Units that no longer fit after an earlier one was put right."""

    entries: tuple[Entry, ...]
    reason: Reason
    """Why the first of them is no longer possible."""


class History:
    """Represents the units that stand in a journal.

    *setup* begins a new game in an empty journal; a journal that holds a game is resumed, and *setup* may be left out.

    :raises JournalError: when the journal does not replay, or is empty and there is no *setup*.
    :raises SetupError: when no game can begin with *setup*; nothing is written then.
    """

    def __init__(self, rules: Rules, journal: Journal, setup: Mapping[str, Any] | None) -> None:
        self._rules = rules
        self._journal = journal
        known = setup_of(journal.records())
        if known is None:
            if setup is None:
                raise JournalError(f"journal {journal.path} holds no game: begin a new one")
            check_new_setup(rules, setup)  # what is written stands, and would be found again at every start
            journal.append("setup", setup)
            known = setup
        self.setup: Mapping[str, Any] = known
        self.state: Any = rules.new(known)
        self.entries: list[Entry] = []
        self.dice: tuple[DieReading, ...] = ()
        """Where the dice lay when the last roll was read."""
        self.names: dict[str, str] = {}
        """What the players are called, by colour."""
        self.to_redo: Entry | None = None
        """What the act that would be done again next began with."""
        self.reload()

    def reload(self) -> None:
        """Replays the journal."""
        records = self._journal.records()
        self.state, self.entries = self._rules.new(self.setup), []
        for entry, state in replay(self._rules, records):
            self.entries.append(entry)
            self.state = state
        self._actions = user_actions_of(records)
        again = self._actions.undone[-1].added[0] if self._actions.undone else None
        self.to_redo = next(
            (entry_of(self._rules, record) for record in records if record.seq == again), None
        )
        self.names = names_of(records)
        self.dice = next((entry.dice for entry in reversed(self.entries) if entry.dice), ())

    def state_before(self, seq: int) -> Any:
        """The state in which the unit *seq* was confirmed.

        :raises LookupError: when no such unit stands.
        """
        state = self._rules.new(self.setup)
        for entry in self.entries[: self._index(seq)]:
            for move in entry.moves:
                self._rules.apply(state, move)
        return state

    def _index(self, seq: int) -> int:
        for index, entry in enumerate(self.entries):
            if entry.seq == seq:
                return index
        raise LookupError(seq)

    @property
    def to_undo(self) -> Entry | None:
        """What the act that would be taken back next began with."""
        first = self._actions.done[-1].added[0] if self._actions.done else None
        return next((entry for entry in reversed(self.entries) if entry.seq == first), None)

    @property
    def unresolved_entries(self) -> list[Entry]:
        """Units that were taken for the likeliest of several, and that nobody has been asked about yet."""
        return [entry for entry in self.entries if entry.options]

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
        player = None if by == ADJUSTED else self._rules.to_move(self.state)
        state = self.state.copy()
        events = [event for move in moves for event in self._rules.play(state, move)]
        entry = Entry(
            0, by, player, tuple(moves), state.state_hash(), probability, tuple(dice), tuple(options)
        )
        (record,) = self._journal.append_all([entry.as_record()])
        self.entries.append(entry.with_seq(record.seq))
        self._actions.add(record)
        self.to_redo = None
        self.dice = tuple(dice) or self.dice
        self.state = state
        return events

    def set_name(self, player: str, name: str) -> None:
        """Notes what a player is called from now on; an empty *name* is none."""
        self._journal.append("names", {"names": {player: name}})
        self.names = names_of(self._journal.records())

    def undo(self) -> bool:
        """Takes back the last act of people, and what was seen by itself since; False when there is nothing.

        What it had put right becomes again what it was.
        """
        if not self._actions.done:
            return False
        action = self._actions.done[-1]
        again = {"again": action.removed} if action.removed else {}
        self._journal.append("undo", {"units": action.added, **again})
        self.reload()
        return True

    def redo(self) -> bool:
        """Does again what was taken back last; False when there is nothing, or something else has been done since."""
        if not self._actions.undone:
            return False
        self._journal.append("redo", {"units": self._actions.undone[-1].added})
        self.reload()
        return True

    def replace_last(self, moves: Sequence[Move], by: str, dice: Sequence[DieReading]) -> list[Event]:
        """Takes back the last unit, whoever confirmed it, and records other moves in its place, all or nothing.

        :raises JournalError: when the journal cannot be written; nothing has changed then.
        """
        last = self.entries[-1]
        state = self.state_before(last.seq)
        player = self._rules.to_move(state)
        events = [event for move in moves for event in self._rules.play(state, move)]
        entry = Entry(0, by, player, tuple(moves), state.state_hash(), dice=tuple(dice))
        self._rewrite([last], [entry.as_record()])
        return events

    def resolve(self, seq: int) -> None:
        """Notes that the unit *seq* was what was done, after all.

        :raises LookupError: when no such unit stands.
        """
        self._index(seq)
        self._journal.append("settled", {"unit": seq})
        self.reload()

    def amend(self, seq: int, moves: Sequence[Move], by: str) -> Dropped | None:
        """Puts the unit *seq* right and replays the later ones; tells those that are no longer possible.

        :raises LookupError: when no such unit stands.
        :raises CompanionError: when the moves are not possible there; nothing has changed then.
        """
        index, state = self._index(seq), self.state_before(seq)
        player = self._rules.to_move(state)
        for move in moves:
            self._rules.play(state, move)
        amended = [Entry(0, by, player, tuple(moves), state.state_hash(), amends=0)]
        dropped: Dropped | None = None
        for i, entry in enumerate(self.entries[index + 1 :], index + 1):
            after = state.copy()
            if reason := _first_reason(self._rules, after, entry.moves):
                dropped = Dropped(tuple(self.entries[i:]), reason)
                break
            state = after
            amended.append(entry.with_state_hash(state.state_hash()))
        self._rewrite(self.entries[index:], [entry.as_record() for entry in amended])
        return dropped

    def _rewrite(self, old: Iterable[Entry], new: Sequence[NewRecord]) -> None:
        """Writes *new* units in the place of *old* ones, all or nothing."""
        undo = ("undo", {"units": [entry.seq for entry in old]})
        self._journal.append_all([undo, *new], amends=True)
        self.reload()


def _first_reason(rules: Rules, state: Any, moves: Iterable[Move]) -> Reason | None:
    """Makes *moves* as far as they are possible; tells why one of them is not."""
    for move in moves:
        if reason := rules.validate(state, move):
            return reason
        rules.apply(state, move)
    return None
