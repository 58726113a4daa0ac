"""The doubt about the dice that were rolled last: which values they may show, and what would follow.

A roll is recorded as it was read. Its readings stay with the entry, so that the doubt outlives a restart.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from companion import referee
from companion.games import capabilities
from companion.games.api import Move, Rules
from companion.journal import Entry
from companion.journal.history import History
from companion.referee import Doubt, Premise, Question
from vision.sighting import DieReading

MOST_PREMISES = 24
"""Limit of positions that a turn is explained from besides the recorded one."""


@dataclass(frozen=True, slots=True)
class RolledDie:
    """A die of the last roll of its colour."""

    colour: str
    index: int
    """Among the dice of its colour."""
    value: int
    """As recorded."""
    entry: Entry
    """The roll."""
    reading: DieReading | None
    """``None`` if no camera has seen it."""

    @property
    def name(self) -> str:
        """As the page calls it: ``red:0``."""
        return f"{self.colour}:{self.index}"

    @property
    def about(self) -> str:
        return referee.about_die(self.colour, self.index)

    @property
    def is_doubtful(self) -> bool:
        """Whether it was read with doubt, and nobody has said since what it shows."""
        return self.reading is not None and referee.is_doubtful(self.reading)

    def possible(self, least: float) -> Iterator[tuple[int, float]]:
        """Yields every value that it may show with at least this probability relative to the recorded one, and that
        relative probability."""
        yield self.value, 1.0
        if self.reading is None:
            return
        probabilities = self.reading.value_probabilities
        recorded = probabilities[self.value - 1]
        for value, probability in enumerate(probabilities, 1):
            if value != self.value and probability >= least * recorded:
                yield value, probability / recorded


def rolled_dice(rules: Rules, entries: Sequence[Entry]) -> list[RolledDie]:
    """Returns the dice on the table: those of the last roll, and of the rolls before it that had other colours."""
    known = dict[str, list[RolledDie]]()
    for entry in reversed(entries):
        dice = capabilities.dice(rules).dice_of(entry.moves[0])
        if known.keys() & dice.keys():
            break
        for colour, values in dice.items():
            readings = [die for die in entry.dice if die.colour == colour]
            known[colour] = [
                RolledDie(colour, i, value, entry, readings[i] if i < len(readings) else None)
                for i, value in enumerate(values)
            ]
    return [die for dice in known.values() for die in dice]


class RollDoubt:
    """Represents what may be wrong about the dice of the turn that *history* has come to.

    They are those of the player in turn, and those that are nobody's.
    """

    def __init__(self, rules: Rules, history: History, players: Collection[str]) -> None:
        """*players* are the colours of the seats."""
        self._rules, self._history = rules, history
        to_move = rules.to_move(history.state)
        dice = rolled_dice(rules, history.entries)
        self.dice = [die for die in dice if die.colour == to_move or die.colour not in players]
        self._known: dict[float, list[Premise]] = {}
        """Premises by the least probability that was asked for."""

    def as_doubt(self) -> Doubt:
        """Returns it as the referee needs it."""
        return Doubt({die.about: die.value for die in self.dice}, self._premises)

    def question(self) -> Question | None:
        """Returns the question about a doubtful die, for a turn that the companion determines; None without doubt."""
        doubtful = next((die for die in self.dice if die.is_doubtful), None)
        return None if doubtful is None else referee.die_question(doubtful.about, doubtful.reading)

    def box(self, about: str) -> tuple[int, int, int, int] | None:
        """Returns where a die lay when it was read, px of the frame; None if it was not."""
        reading = next((die.reading for die in self.dice if die.about == about), None)
        return None if reading is None else reading.box

    def _premises(self, least: float) -> list[Premise]:
        if least not in self._known:
            self._known[least] = list(self._possible(least))
        return self._known[least]

    def _possible(self, least: float) -> Iterator[Premise]:
        """Yields the likeliest combinations of values that are legal, without the recorded one."""
        rolled = [die for die in self.dice if die.entry is self.dice[0].entry]
        combinations = _combinations(rolled, least)[:MOST_PREMISES]
        if not combinations:
            return
        entry = rolled[0].entry
        before = self._history.state_before(entry.seq)
        for relative, values in combinations:
            roll = roll_with(self._rules, before, entry, values)
            state = self._history.state_if(before, entry.seq, [roll])
            if state is not None:
                yield Premise(state, values, math.log(relative))


def _combinations(dice: Sequence[RolledDie], least: float) -> list[tuple[float, dict[str, int]]]:
    """Returns the combinations of values besides the recorded one that are probable enough, the likeliest first: the
    probability relative to that one, and the values that differ, by ``about``."""
    found = [
        (
            math.prod(share for _, share in chosen),
            {die.about: value for die, (value, _) in zip(dice, chosen, strict=True) if value != die.value},
        )
        for chosen in product(*(die.possible(least) for die in dice))
    ]
    probable = [(relative, values) for relative, values in found if values and relative >= least]
    return sorted(probable, key=lambda one: -one[0])


def roll_with(rules: Rules, before: Any, roll: Entry, values: Mapping[str, int]) -> Move:
    """Returns the roll of an entry with other values of some dice, by ``about``, given the state *before* it."""
    shown = {
        colour: [values.get(referee.about_die(colour, i), value) for i, value in enumerate(dice)]
        for colour, dice in capabilities.dice(rules).dice_of(roll.moves[0]).items()
    }
    move: Move = capabilities.dice(rules).roll_move(before, shown)
    return move


def readings_with(die: RolledDie, value: int) -> tuple[DieReading, ...]:
    """Returns the readings of the roll of a die after people have said what it shows."""
    return tuple(
        referee.certain(reading, value) if reading is die.reading else reading for reading in die.entry.dice
    )
