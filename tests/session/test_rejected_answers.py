"""Answers about what was recorded earlier that the session cannot take; the game stays as it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from companion.session import CommandRejectedError
from tests.support.tables import Table, at_dice, with_proposal


@contextmanager
def rejected(table: Table, code: str) -> Iterator[None]:
    """The command made meanwhile is rejected with *code*, and nothing is recorded."""
    before = table.session.state.state_hash()
    with pytest.raises(CommandRejectedError) as rejection:
        yield
    assert rejection.value.code == code
    assert table.session.state.state_hash() == before


@pytest.fixture
def table() -> Table:
    """Dice were rolled and seen, and a turn was seen."""
    table = Table()
    with_proposal(table)
    return table


@pytest.mark.parametrize("value", [0, 7])
def test_a_die_shows_no_other_value_than_one_to_six(table: Table, value: int) -> None:
    with rejected(table, "no_such_value"):
        table.session.correct_die("red:0", value)


@pytest.mark.parametrize("die", ["red:2", "yellow:0", "red"])
def test_a_die_that_nobody_rolled_cannot_be_corrected(table: Table, die: str) -> None:
    with rejected(table, "no_such_die_now"):
        table.session.correct_die(die, 3)


def test_without_a_roll_no_die_can_be_corrected() -> None:
    table = Table()
    with rejected(table, "no_such_die_now"):
        table.session.correct_die("red:0", 3)


def test_before_the_first_roll_no_die_can_be_corrected() -> None:
    table = Table()
    at_dice(table)
    with rejected(table, "no_such_die_now"):
        table.session.correct_die("red:0", 3)


def test_a_turn_about_which_nothing_is_asked_takes_no_late_answer(table: Table) -> None:
    with rejected(table, "question_is_gone"):
        table.session.answer(f"unit:{table.session.entries()[-1].seq}", "end")
