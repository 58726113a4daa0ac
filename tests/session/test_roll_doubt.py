"""A doubtful die goes on into the turn, which mostly tells what it shows; it is asked about when that depends on it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.games.burgundy.rules.decisions import EndTurn, TakeWorkers
from companion.journal import Journal
from companion.session import CommandRejectedError, TableSession
from tests.support.doubtful import DoubtfulTable, read_as
from tests.support.present import present
from tests.support.sightings import sighting_of
from tests.support.tables import RULES


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
    table.roll((5, 2), read={0: (5, 6)}, share=0.82)
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
    with pytest.raises(CommandRejectedError, match="die_used_since"):
        table.session.correct_die("red:0", 1)
    assert table.is_right


def test_nobody_has_rolled_as_long_as_no_die_is_seen(table: DoubtfulTable) -> None:
    table.look()
    assert table.session.question is None
    assert table.session.snapshot()["notice"] == {"code": "roll_awaited"}


def test_dice_that_are_rolled_one_after_the_other_are_waited_for(table: DoubtfulTable) -> None:
    table.throw((5, 2))
    sighting = sighting_of(RULES, table.session.state, table.dice[:3])
    table.session.observe(sighting, looks=1)
    assert (table.session.question, table.session.looks_again) == (None, True)
    table.session.observe(replace(sighting, dice=table.dice), looks=1)
    assert table.is_right


def test_the_page_is_told_which_die_is_in_doubt(table: DoubtfulTable) -> None:
    table.roll((5, 2), read={0: (5, 6)})
    dice = {die["name"]: die["doubtful"] for die in table.session.snapshot()["dice"]}
    assert dice == {"red:0": True, "red:1": False, "blue:0": False, "blue:1": False, "white:0": False}


def test_what_people_say_of_a_die_is_not_in_doubt(table: DoubtfulTable) -> None:
    table.roll((5, 2), read={0: (6, 5)})
    table.session.correct_die("red:0", 5)
    assert not any(die["doubtful"] for die in table.session.snapshot()["dice"])


def test_a_die_between_two_values_goes_on_with_the_likelier_one(table: DoubtfulTable) -> None:
    table.throw((5, 2))
    unclear = replace(read_as(table.dice[0], 5, 6, share=0.55), value=None, reason="unclear")
    table.dice = (unclear, *table.dice[1:])
    table.look()
    assert table.session.question is None and table.is_right


def test_a_die_whose_face_is_hidden_is_asked_about_at_once(table: DoubtfulTable) -> None:
    table.throw((5, 2))
    table.dice = (replace(table.dice[0], value=None, reason="hidden"), *table.dice[1:])
    table.look()
    assert present(table.session.question).about == "die:red:0"
