"""Black's dice and the spaces of the black depot, which are both called ``black:0``: neither is taken for the other."""

from __future__ import annotations

import pytest

from companion.text.translator import Translator
from tests.support.present import present
from tests.support.tables import Table, at_dice, watching

SPACE = "black:0"


@pytest.fixture
def rolling() -> Table:
    """Black is to roll, at a table without a camera."""
    table = Table(colours=("black", "red"))
    table.session.watch(dice=False, boards=False)
    at_dice(table)
    return table


def test_what_lies_in_the_black_depot_answers_no_question_about_a_die(rolling: Table) -> None:
    asked = present(rolling.session.question)
    rolling.session.correct(SPACE, "mine")
    assert rolling.session.question == asked


def test_an_answered_die_of_black_leaves_the_black_depot_as_it_is_read() -> None:
    table = Table(colours=("black", "red"))
    at_dice(table)
    tile = present(table.state.black[0]).label
    roll = table.deal()
    table.dice = table.dice[-1:]  # all but the white one lie out of sight
    table.look()
    for colour, dice in roll.dice:
        for index, value in enumerate(dice):
            table.session.answer(f"die:{colour}:{index}", str(value))
    table.look()
    reading = present(table.session._context.belief.evidence().reading(SPACE))
    assert reading.best == tile


def test_the_camera_awaits_the_dice_of_a_roll() -> None:
    table = Table(colours=("black", "red"))
    at_dice(table)
    assert table.session.awaited_dice() == {"black": 2, "red": 2, "white": 1}


def test_the_camera_awaits_no_dice_that_people_enter(rolling: Table) -> None:
    assert rolling.session.awaited_dice() == {}


def test_the_camera_awaits_no_dice_during_a_turn() -> None:
    table = Table(colours=("black", "red"))
    watching(table)
    assert table.session.awaited_dice() == {}


def test_a_question_about_the_black_depot_names_no_die() -> None:
    table = Table(colours=("black", "red", "blue"))
    table.set_up().deal()
    table.look(wrong={SPACE: {"mine": 0.5, "monastery/25": 0.4}})
    question = present(table.session.snapshot()["question"])
    assert (question["kind"], question["about"]) == ("place", SPACE)
    assert "die" not in Translator("en", strict=True).question(question)
