"""A table at which a die of the roll is read with doubt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.games.burgundy.rules.decisions import Roll, Take
from tests.support.sightings import dice_of
from tests.support.tables import RULES, Table
from vision.sighting import DieReading


def read_as(die: DieReading, *values: int, share: float = 0.6) -> DieReading:
    """Returns a reading that takes a die for the first of *values* with a probability of *share*, or for another."""
    rest = (1 - share - 0.004 * (6 - len(values))) / max(1, len(values) - 1)
    shown = tuple(share if v == values[0] else rest if v in values else 0.004 for v in range(1, 7))
    return replace(die, value=values[0], confidence=share, probabilities=shown)


class DoubtfulTable(Table):
    """A table in the first round: red begins, and its first die is the one in doubt."""

    def __init__(self, path: Any = ":memory:", bots: dict[str, str] | None = None) -> None:
        super().__init__(path, bots=bots)
        self.set_up()
        self.session.tap(str(self.deal()))

    def roll(
        self,
        red: tuple[int, int],
        *,
        read: Mapping[int, tuple[int, ...]],
        white: int = 1,
        share: float = 0.6,
    ) -> None:
        """Rolls, and looks; *read* are the values that a die is taken for, by its number among all: the likeliest
        first."""
        self.throw(red, white)
        self.dice = tuple(
            read_as(die, *read[number], share=share) if number in read else die
            for number, die in enumerate(self.dice)
        )
        self.look()

    def throw(self, red: tuple[int, int], white: int = 1) -> None:
        roll = Roll((("red", red), ("blue", (1, 1))), white)
        RULES.play(self.state, roll)
        self.dice = dice_of(roll)

    def play_moves(self, *moves: Any) -> None:
        """Makes moves at the table, and looks."""
        for move in moves:
            RULES.play(self.state, move)
        self.look()

    def take(self, die: int) -> Take:
        """The first tile that a die of this value takes without workers."""
        return next(
            m for m in RULES.legal_moves(self.state) if isinstance(m, Take) and (m.die, m.workers) == (die, 0)
        )

    @property
    def is_right(self) -> bool:
        return bool(self.session.state.state_hash() == self.state.state_hash())
