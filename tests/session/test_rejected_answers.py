"""Answers about what was recorded earlier that the session cannot take; the game stays as it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from companion.session import CommandRejectedError
from tests.support.tables import Table, at_dice, drafting, with_proposal


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


def test_what_is_being_entered_outlives_the_correction_of_a_die() -> None:
    table = Table()
    drafting(table)
    mover = table.state.player.colour
    other = next(player for player in table.state.players if player.colour != mover)
    entered = table.session.snapshot()["draft"]
    table.session.correct_die(f"{other.colour}:0", other.dice[0] % 6 + 1 if other.dice else 1)
    assert table.session.status == "drafting" and table.session.snapshot()["draft"] == entered


def test_what_needs_the_corrected_die_is_no_longer_entered() -> None:
    table = Table()
    drafting(table)
    mover = table.state.player
    other = next(v for v in range(1, 7) if v not in mover.dice)
    table.session.correct_die(f"{mover.colour}:0", other)
    assert table.session.status == "watching"


def test_an_earlier_turn_is_still_being_entered_after_the_correction_of_a_die() -> None:
    table = Table()
    at_dice(table)
    table.play(1)
    turn = table.session.entries()[-1]
    table.session.reenter(turn.seq)
    waiting = next(player for player in table.state.players if player.colour != turn.player)
    table.session.correct_die(f"{waiting.colour}:0", waiting.dice[0] % 6 + 1)
    assert table.session.status == "drafting"
    table.session.tap("end")
    assert [str(move) for move in table.session.entries()[-1].moves] == ["end"]


def test_a_turn_about_which_nothing_is_asked_takes_no_late_answer(table: Table) -> None:
    with rejected(table, "question_is_gone"):
        table.session.answer(f"unit:{table.session.entries()[-1].seq}", "end")
