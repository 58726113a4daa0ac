"""Whole games with dice that are often read wrong, by players who never look at the dice on the page."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.support.doubtful import read_as
from tests.support.present import present
from tests.support.tables import RULES, Table
from vision.sighting import DieReading

DOUBTFUL = 0.3
"""Share of the dice that may be one of two values."""
LEAST, MOST = 0.5, 0.75
"""Probability of the likelier value; it is the true one as often."""


class InattentiveTable(Table):
    """A table whose players answer what they are asked, and look at their tiles only."""

    def __init__(self, seed: int) -> None:
        super().__init__(colours=("red", "blue", "green")[: 2 + seed % 2], seed=seed)
        self.doubt = random.Random(seed)
        self.wrong = 0
        self.rolled: dict[str, list[int]] = {}
        self.set_up()

    def roll(self) -> None:
        self.rolled = RULES.dice_of(self.deal())
        true = [die.value for die in self.dice]
        self.dice = tuple(map(self._read, self.dice))
        self.wrong += sum(die.value != value for die, value in zip(self.dice, true, strict=True))
        self.look()
        self.answer_questions()

    def _read(self, die: DieReading) -> DieReading:
        if self.doubt.random() >= DOUBTFUL:
            return die
        share = self.doubt.uniform(LEAST, MOST)
        values = [present(die.value), self.doubt.choice([v for v in range(1, 7) if v != die.value])]
        if self.doubt.random() >= share:
            values.reverse()
        return read_as(die, *values, share=share)

    def answer_questions(self) -> None:
        for _ in range(10):
            if (question := self.session.question) is None:
                return
            if question.kind == "die":
                _, colour, index = question.about.split(":")
                self.session.answer(question.about, str(self.rolled[colour][int(index)]))
            else:
                right = [option.value for option in question.options if self.leads_here(option.value)]
                self.session.answer(question.about, right[0])

    def confirm_turn(self) -> None:
        self.turn()
        self.look()
        if self.session.status == "watching":  # nothing to be seen: the press asks
            self.session.confirm()
        self.answer_questions()
        while self.session.status == "proposal":
            moves = present(self.session.snapshot()["proposal"])["moves"]
            if self.leads_here("; ".join(move["text"] for move in moves)):
                self.session.confirm()
                break
            self.session.next_alternative()

    def leads_here(self, text: str) -> bool:
        state = self.session.state.copy()
        for move in text.split("; "):
            RULES.play(state, RULES.parse_move(move))
        return without_dice(state) == without_dice(self.state)


def without_dice(state: Any) -> dict[str, Any]:
    """Returns a position without the dice, which are not settled before they are used."""
    position: dict[str, Any] = state.to_json()
    players = [
        {key: value for key, value in player.items() if key != "dice"} for player in position["players"]
    ]
    return {**position, "players": players, "white": None}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_with_misread_dice_is_recorded_as_it_was_played(seed: int) -> None:
    table = InattentiveTable(seed)
    while not RULES.is_over(table.state):
        if table.state.stage == "fill":
            table.session.tap(str(table.deal()))
        elif table.state.stage == "roll":
            table.roll()
        else:
            table.confirm_turn()
        assert without_dice(table.session.state) == without_dice(table.state)
    assert table.wrong > 10
