"""A doubtful die goes on into the turn, which mostly tells what it shows; it is asked about when that depends on it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.games.burgundy.rules.decisions import EndTurn, Roll, Take, TakeWorkers
from companion.journal import Journal
from companion.session import CommandRejectedError, TableSession
from tests.support.present import present
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
        self, red: tuple[int, int], *, read: dict[int, tuple[int, ...]], white: int = 1, share: float = 0.6
    ) -> None:
        """Rolls; *read* are the values that a die is taken for, by its number among all: the likeliest first."""
        roll = Roll((("red", red), ("blue", (1, 1))), white)
        RULES.play(self.state, roll)
        self.dice = tuple(
            DieReading(value, colour, (100 + 40 * i, 10, 30, 30), 0.99)
            for i, (colour, value) in enumerate(
                [("red", red[0]), ("red", red[1]), ("blue", 1), ("blue", 1), ("white", white)]
            )
        )
        for number, values in read.items():
            dice = list(self.dice)
            dice[number] = read_as(dice[number], *values, share=share)
            self.dice = tuple(dice)
        self.look()

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


@pytest.fixture
def table() -> DoubtfulTable:
    return DoubtfulTable()


def recorded(session: TableSession, colour: str) -> list[int]:
    dice: list[int] = present(session.state.person(colour)).dice
    return dice


def test_a_doubtful_roll_is_recorded_without_a_question(table: DoubtfulTable) -> None:
    table.roll((5, 2), read={0: (5, 6)})
    assert table.is_right and table.session.status == "watching"


def test_a_turn_that_needs_the_value_read_settles_it(table: DoubtfulTable) -> None:
    table.roll((5, 2), read={0: (5, 6)})
    table.play_moves(table.take(5), TakeWorkers(2), EndTurn())
    assert table.session.status == "proposal"
    table.session.confirm()
    assert table.is_right


def test_a_turn_that_any_value_pays_for_leaves_it_open(table: DoubtfulTable) -> None:
    table.roll((5, 2), read={0: (6, 5)})
    table.play_moves(table.take(2), TakeWorkers(5), EndTurn())
    assert table.session.status == "proposal"
    table.session.confirm()
    assert present(table.session.state.person("red")).workers == present(table.state.person("red")).workers


def test_a_turn_that_needs_another_value_asks_for_the_die_with_its_picture(table: DoubtfulTable) -> None:
    table.roll((5, 2), read={0: (6, 5)})
    table.play_moves(table.take(5), TakeWorkers(2), EndTurn())
    question = present(table.session.question)
    assert (question.kind, question.about, question.box) == ("die", "die:red:0", table.dice[0].box)
    assert question.options[0].value == "5"
    table.session.answer("die:red:0", "5")
    assert table.session.status == "proposal"
    table.session.confirm()
    assert table.is_right


def test_one_press_accepts_the_value_that_the_turn_needs_and_the_turn(table: DoubtfulTable) -> None:
    table.roll((5, 2), read={0: (6, 5)})
    table.play_moves(table.take(5), TakeWorkers(2), EndTurn())
    table.session.confirm()
    assert table.is_right


def test_no_question_is_asked_twice(table: DoubtfulTable) -> None:
    table.roll((5, 2), read={0: (6, 5)})
    table.play_moves(table.take(5), TakeWorkers(2), EndTurn())
    table.session.answer("die:red:0", "6")  # against the table: then the turn needs a worker
    assert table.session.status != "asking"
    assert recorded(table.session, "red") == [6, 2]


def test_a_die_read_wrong_with_certainty_is_asked_about_before_a_rule_is_said_to_be_broken(
    table: DoubtfulTable,
) -> None:
    """Nobody has the workers that would make both 1s a 4."""
    table.roll((4, 4), read={0: (1, 4), 1: (1, 4)}, share=0.97)
    RULES.play(table.state, table.take(4))
    table.play_moves(table.take(4), EndTurn())
    assert table.session.status == "asking"
    assert present(table.session.question).kind == "die"


def test_goods_at_another_depot_ask_for_the_white_die(table: DoubtfulTable) -> None:
    table.roll((5, 2), read={4: (2, 3)}, white=3)
    table.look()
    table.play_moves(table.take(5), TakeWorkers(2), EndTurn())
    question = present(table.session.question)
    assert (question.about, question.options[0].value) == ("die:white:0", "3")
    table.session.confirm()
    assert table.is_right


def test_the_doubt_outlives_a_restart(tmp_path: Path) -> None:
    table = DoubtfulTable(tmp_path / "game.journal")
    table.roll((5, 2), read={0: (6, 5)})
    table.session.journal.close()
    table.session = TableSession(RULES, Journal(tmp_path / "game.journal"))
    table.play_moves(table.take(5), TakeWorkers(2), EndTurn())
    assert present(table.session.question).about == "die:red:0"


def test_a_die_of_a_turn_that_the_companion_plays_is_asked_about_at_once() -> None:
    table = DoubtfulTable(bots={"red": "greedy"})
    table.roll((5, 2), read={0: (6, 5)})
    assert present(table.session.question).about == "die:red:0"
    table.session.answer("die:red:0", "5")
    assert table.session.status == "watching" and table.is_right


def test_a_doubtful_die_is_asked_about_at_once_where_boards_are_entered_by_hand(table: DoubtfulTable) -> None:
    table.session.watch(boards=False)
    table.roll((5, 2), read={0: (5, 6)})
    assert present(table.session.question).about == "die:red:0"


def test_a_die_is_corrected_while_others_have_played_since(table: DoubtfulTable) -> None:
    table.roll((5, 2), read={2: (3, 1)})
    table.play_moves(table.take(5), TakeWorkers(2), EndTurn())
    table.session.confirm()
    assert recorded(table.session, "blue") == [3, 1]
    table.session.correct_die("blue:0", 1)
    assert table.is_right


def test_a_die_that_a_turn_was_played_with_is_not_corrected(table: DoubtfulTable) -> None:
    table.roll((5, 2), read={0: (5, 6)})
    table.play_moves(table.take(5), TakeWorkers(2), EndTurn())
    table.session.confirm()
    with pytest.raises(CommandRejectedError, match="no_such_die_now"):
        table.session.correct_die("red:0", 1)
    assert table.is_right
