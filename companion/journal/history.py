"""The game so far: the effective entries of the journal, and the state that they lead to.

Everything is written to the journal before it counts. Undo, redo and corrections append records as well.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.api import Event, Move, Reason, Rules
from companion.games.lesson import SEED
from companion.games.registry import GAME, RULES_VERSION
from companion.players.setup import check_new_setup
from vision.sighting import DieReading

from . import ADJUSTED as ADJUSTED
from . import (
    OUT_OF_TURN,
    Entry,
    Journal,
    JournalError,
    NewRecord,
    Record,
    entry_of,
    names_of,
    replay,
    setup_of,
    user_actions_of,
)


@dataclass(frozen=True, slots=True)
class Dropped:
    """Entries that are no longer legal after an earlier one was corrected."""

    entries: tuple[Entry, ...]
    reason: Reason
    """Why the first of them is no longer legal."""


class History:
    """Represents the effective entries of a journal.

    *setup* begins a new game in an empty journal. For a journal that holds a game, it may be ``None``.

    :raises JournalError: when the journal does not replay, or is empty and there is no *setup*.
    :raises SetupError: when no game can begin with *setup*; nothing is written then.
    """

    def __init__(self, rules: Rules, journal: Journal, setup: Mapping[str, Any] | None) -> None:
        self._rules = rules
        self._journal = journal
        known = setup_of(journal.records())
        if known is None:
            if setup is None:
                raise JournalError(f"journal {journal.path} contains no game: begin a new one")
            check_new_setup(rules, setup)  # before it is written: every later start would fail on it
            known = {**setup, GAME: rules.name, RULES_VERSION: rules.version}
            journal.append("setup", known)
        self.setup: Mapping[str, Any] = known
        self.state: Any = rules.new(known)
        self.entries: list[Entry] = []
        self.dice: tuple[DieReading, ...] = ()
        """Readings of the dice of the last roll."""
        self.names: dict[str, str] = {}
        """Players' names by colour."""
        self.to_redo: Entry | None = None
        """First entry of the action that redo would restore."""
        self.reload()

    def reload(self) -> None:
        """Replays the journal.

        :raises JournalError: when it does not replay; nothing has changed then.
        """
        self._take(*self._replayed(self._journal.records()))

    def _replayed(self, records: Sequence[Record]) -> tuple[list[Entry], Any]:
        """Returns the effective entries of *records*, and the state that they lead to."""
        entries, state = [], self._rules.new(self.setup)
        for entry, after in replay(self._rules, records):
            entries.append(entry)
            state = after
        return entries, state

    def _take(self, entries: list[Entry], state: Any) -> None:
        """Makes *entries* and *state*, to which the journal leads, the current ones."""
        records = self._journal.records()
        self.entries, self.state = entries, state
        self._actions = user_actions_of(records)
        again = self._actions.undone[-1].added[0] if self._actions.undone else None
        self.to_redo = next(
            (entry_of(self._rules, record) for record in records if record.seq == again), None
        )
        self.names = names_of(records)
        self.dice = next((entry.dice for entry in reversed(self.entries) if entry.dice), ())

    def state_before(self, seq: int) -> Any:
        """Returns the state before the entry *seq*.

        :raises LookupError: when there is no such effective entry.
        """
        state = self._rules.new(self.setup)
        for entry in self.entries[: self._index(seq)]:
            for move in entry.moves:
                self._rules.apply(state, move)
        return state

    def rng(self) -> random.Random:
        """Returns the chance of what comes next: the same again after an undo, and another in each game whose set-up
        names no seed."""
        seed = self.setup.get(SEED) or self._journal.lines()[0].digest
        return random.Random(f"{seed} {len(self.entries)}")

    def state_if(self, before: Any, seq: int, moves: Sequence[Move]) -> Any:
        """Returns the present state if *moves* had been made instead of those of the entry *seq*, given the state
        *before* it, which stays as it is; ``None`` if some move since would not be legal then.

        :raises LookupError: when there is no such effective entry.
        """
        state = before.copy()
        later = (move for entry in self.entries[self._index(seq) + 1 :] for move in entry.moves)
        return None if _first_reason(self._rules, state, (*moves, *later)) else state

    def _index(self, seq: int) -> int:
        for index, entry in enumerate(self.entries):
            if entry.seq == seq:
                return index
        raise LookupError(seq)

    @property
    def to_undo(self) -> Entry | None:
        """First entry of the action that undo would take back."""
        first = self._actions.done[-1].added[0] if self._actions.done else None
        return next((entry for entry in reversed(self.entries) if entry.seq == first), None)

    @property
    def unresolved_entries(self) -> list[Entry]:
        """Entries that are only the likeliest of several possible turns, as no player has chosen yet."""
        return [entry for entry in self.entries if entry.options]

    def record(
        self,
        moves: Sequence[Move],
        by: str,
        probability: float = 1.0,
        dice: Sequence[DieReading] = (),
        options: Sequence[str] = (),
    ) -> list[Event]:
        """Writes an entry, then makes its moves: in this order, nothing that is shown can be lost.

        *dice* are the readings of a roll, from which the next roll is distinguished; *options* are the notations among
        which a player has yet to choose. Returns the effects of the moves.

        :raises JournalError: when the journal cannot be written; nothing has changed then.
        """
        player = self._player_of(moves, by)
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

    def _player_of(self, moves: Sequence[Move], by: str) -> str | None:
        """Returns whose moves these are, recorded now and confirmed in that way."""
        if by == ADJUSTED:
            return None
        if by == OUT_OF_TURN:
            player: str = self._rules.describe(moves[0])["player"]
            return player
        return self._rules.to_move(self.state)

    def set_name(self, player: str, name: str) -> None:
        """Records a player's name; an empty *name* removes it."""
        self._journal.append("names", {"names": {player: name}})
        self.names = names_of(self._journal.records())

    def undo(self) -> bool:
        """Undoes the last user action, with what the camera alone confirmed since; returns False if there is none.

        Entries that the action had corrected become effective again.
        """
        if not self._actions.done:
            return False
        action = self._actions.done[-1]
        again = {"again": action.removed} if action.removed else {}
        self._step("undo", {"units": action.added, **again})
        return True

    def redo(self) -> bool:
        """Redoes what was undone last; returns False if there is nothing, or something else was done since."""
        if not self._actions.undone:
            return False
        self._step("redo", {"units": self._actions.undone[-1].added})
        return True

    def _step(self, kind: str, body: Mapping[str, Any]) -> None:
        """Writes a record that undoes or redoes something.

        :raises JournalError: when it cannot be written, or the journal, which somebody has edited, would not replay any
            more; nothing has changed then.
        """
        records = self._journal.records()
        replayed = self._replayed([*records, Record(len(records) + 1, "", kind, body)])
        self._journal.append(kind, body)
        self._take(*replayed)

    def resolve(self, seq: int) -> None:
        """Records that the entry *seq* is the turn that was played.

        :raises LookupError: when there is no such effective entry.
        """
        self._index(seq)
        self._journal.append("settled", {"unit": seq})
        self.reload()

    def amend(
        self, seq: int, moves: Sequence[Move], by: str, dice: Sequence[DieReading] = ()
    ) -> Dropped | None:
        """Corrects the entry *seq* and replays the later ones; returns those that are no longer legal.

        *dice* are the readings of the dice, if the entry is a roll.

        :raises LookupError: when there is no such effective entry.
        :raises CompanionError: when the moves are not legal there; nothing has changed then.
        """
        index, state = self._index(seq), self.state_before(seq)
        player = self._rules.to_move(state)
        for move in moves:
            self._rules.play(state, move)
        amended = [Entry(0, by, player, tuple(moves), state.state_hash(), dice=tuple(dice), amends=0)]
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
        """Writes *new* entries in place of *old* ones, all or none."""
        undo = ("undo", {"units": [entry.seq for entry in old]})
        self._journal.append_all([undo, *new], amends=True)
        self.reload()


def _first_reason(rules: Rules, state: Any, moves: Iterable[Move]) -> Reason | None:
    """Makes *moves* as far as they are legal; returns why the first illegal one is not."""
    for move in moves:
        if reason := rules.validate(state, move):
            return reason
        rules.apply(state, move)
    return None
