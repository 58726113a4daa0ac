"""No answer is marked without evidence: a person chooses it, on the page or the panel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.session import CommandRejectedError, TableSession
from companion.session.snapshot import QuestionView
from companion.text.catalogue import LANGUAGES
from tests.support.present import present
from tests.support.solo import Solo
from tests.support.tables import RULES, Table, asking_for_a_die, asking_for_moves, at_dice
from tests.web.test_page import page_of
from vision.sighting import DieReading


def a_die_entered_by_hand() -> TableSession:
    table = Table()
    table.session.watch(dice=False, boards=False)
    at_dice(table)
    return table.session


def a_die_that_is_missing() -> TableSession:
    table = Table()
    at_dice(table)
    table.deal()
    table.dice = table.dice[1:]
    table.look()
    return table.session


def a_die_without_a_face() -> TableSession:
    table = Table()
    at_dice(table)
    table.deal()
    table.dice = (replace(table.dice[0], value=None, reason="hidden"), *table.dice[1:])
    table.look()
    return table.session


def a_die_too_many() -> TableSession:
    table = Table()
    at_dice(table)
    table.deal()
    table.dice = (*table.dice, DieReading(3, "red", (900, 10, 30, 30), 0.98))
    table.look()
    return table.session


def goods_that_are_stacked() -> TableSession:
    table = Table(duchies=("se-1", "se-1"))
    for text in ("castle red 6", "start-goods red 1,1,2", "castle blue 6", "start-goods blue 4,5,6"):
        RULES.play(table.state, RULES.parse_move(text))
    table.look()
    return table.session


def a_county_card() -> TableSession:
    solo = Solo()
    solo.until("county")
    solo.look()
    return solo.session


def an_unobservable_turn() -> TableSession:
    table = Table()
    asking_for_moves(table)
    return table.session


UNOBSERVED: dict[str, Callable[[], TableSession]] = {
    "a die by hand": a_die_entered_by_hand,
    "a die that is missing": a_die_that_is_missing,
    "a die without a face": a_die_without_a_face,
    "a die too many": a_die_too_many,
    "goods that are stacked": goods_that_are_stacked,
    "a county card": a_county_card,
    "a turn without a trace": an_unobservable_turn,
}


@pytest.fixture(params=UNOBSERVED)
def asking(request: pytest.FixtureRequest) -> TableSession:
    """A session that asks for something that nobody has seen."""
    session = UNOBSERVED[request.param]()
    assert session.status == "asking"
    return session


def question_of(session: TableSession) -> QuestionView:
    return present(session.snapshot()["question"])


def test_confirm_does_not_answer_without_a_choice(asking: TableSession) -> None:
    before, recorded = question_of(asking), len(asking.entries())
    for _ in range(3):
        with pytest.raises(CommandRejectedError, match="nothing_to_confirm_asking"):
            asking.confirm()
    assert (question_of(asking), len(asking.entries())) == (before, recorded)
    assert before["chosen"] is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_marks_no_answer_and_offers_no_confirm(asking: TableSession, language: str) -> None:
    shown = page_of(asking).text(f"/table?lang={language}")
    assert "answer chosen" not in shown and 'data-do="confirm"' not in shown
    face = f'data-die="{question_of(asking)["about"].removeprefix("die:")}" aria-pressed="false"'
    assert (shown.count('data-do="answer"') or shown.count(face)) == len(question_of(asking)["options"])


def test_a_rejected_press_names_the_next_step(asking: TableSession) -> None:
    browser = page_of(asking)
    rejected = browser.do("confirm")
    assert rejected.status_code == 422 and "Nothing is marked yet" in rejected.json["error"]
    assert "Nothing is marked yet" in browser.text("/table?lang=en")


def test_next_marks_the_first_answer_and_confirm_takes_it(asking: TableSession) -> None:
    about, first = question_of(asking)["about"], question_of(asking)["options"][0]["value"]
    asking.next_alternative()
    assert question_of(asking)["chosen"] == 0
    shown = page_of(asking).text("/table")
    assert "answer chosen" in shown and 'data-do="confirm"' in shown
    recorded = len(asking.entries())
    asking.confirm()
    can_undo = present(asking.snapshot()["can_undo"])
    assert len(asking.entries()) > recorded or (can_undo["answer_about"], first) == (about, first)


def test_an_answer_about_one_die_is_not_marked_for_the_next() -> None:
    session = a_die_entered_by_hand()
    first = question_of(session)["about"]
    session.next_alternative()
    session.next_alternative()
    session.confirm()
    assert question_of(session)["about"] != first
    assert question_of(session)["chosen"] is None


def test_a_doubtful_die_is_marked_with_its_reading() -> None:
    table = Table()
    asking_for_a_die(table)
    question = question_of(table.session)
    assert question["chosen"] == 0
    assert question["options"][0]["value"] == str(table.dice[0].value)
    table.session.confirm()
    assert table.session.state.state_hash() == table.state.state_hash()


def test_a_selected_answer_stays_marked_when_the_table_is_read_again() -> None:
    table = Table()
    asking_for_a_die(table)
    table.session.next_alternative()
    chosen = question_of(table.session)["options"][1]["value"]
    table.dice = (replace(table.dice[0], value=int(chosen)), *table.dice[1:])
    table.look()
    question = question_of(table.session)
    assert question["options"][present(question["chosen"])]["value"] == chosen
