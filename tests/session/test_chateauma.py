"""The Châteauma at the table: people are instructed what to do in its turn, do it, and confirm it by one press."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from companion.devtools.benchmarks.referee import play_game
from companion.games.burgundy.instructions import instructions
from companion.games.burgundy.modules.chateauma import UnknownPrintError
from companion.session import CommandRejectedError, TableSession
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from companion.virtual.demo import demo_setup
from companion.virtual.misreadings import NO_MISREADINGS, TYPICAL_MISREADINGS
from tests.support.pages import create_app
from tests.support.present import present
from tests.support.sightings import sighting_of
from tests.support.solo import RULES, Solo


@pytest.fixture
def solo() -> Solo:
    return Solo()


def turn_events(session: TableSession) -> list[dict[str, Any]]:
    """Everything that its turn brings about."""
    return [event for step in present(session.snapshot()["bot_turn"])["steps"] for event in step["events"]]


def page(session: TableSession) -> Flask:
    app = create_app(session)
    app.testing = True
    return app


def test_its_first_card_is_asked_for_with_all_possible_cards(solo: Solo) -> None:
    card = solo.until("county")
    solo.look()
    question = solo.session.question
    assert question is not None and question.about == "report"
    assert str(card) in [option.value for option in question.options]
    RULES.apply(solo.truth, card)
    solo.session.answer("report", str(card))
    assert solo.in_sync


def test_its_die_is_asked_for_because_it_is_in_the_box(solo: Solo) -> None:
    roll = solo.until("own-roll")
    solo.look()
    question = solo.session.question
    assert question is not None and (question.kind, question.reason) == ("die", "")
    RULES.apply(solo.truth, roll)
    solo.session.answer(question.about, str(roll.value))
    assert solo.in_sync and solo.session.entries()[-1].by == "tap"


def test_the_corner_of_a_card_is_asked_for_before_the_turn_that_completes_it() -> None:
    solo = Solo(modules=["border_posts"], unanswered=["symbols"])
    report = solo.until("tell")
    solo.look()
    question = solo.session.question
    assert question is not None and question.about == "report"
    assert [option.value.split()[-1] for option in question.options][:2] == ["-", "border"]
    RULES.apply(solo.truth, report)
    solo.session.answer("report", str(report))
    assert solo.in_sync
    assert solo.next_move().word == "chateauma"


def test_nothing_is_asked_about_corners_that_are_known() -> None:
    """A demo assumes them."""
    solo = Solo(modules=["border_posts"])
    for _ in range(100):
        move = solo.next_move()
        assert move.word != "tell"
        solo.tap(move)


def test_its_turn_waits_until_it_is_done_and_is_confirmed_by_one_press(solo: Solo) -> None:
    move = solo.until("chateauma")
    solo.look()
    assert solo.session.status == "watching"
    with pytest.raises(CommandRejectedError):
        solo.session.confirm()
    RULES.apply(solo.truth, move)
    solo.look()
    assert solo.session.status == "proposal"
    solo.session.confirm()
    assert solo.in_sync


def test_a_turn_that_moves_nothing_on_the_main_board_is_confirmed_by_one_press(solo: Solo) -> None:
    """It places what it has stored."""
    for _ in range(60):
        move = solo.until("chateauma")
        after = solo.truth.copy()
        RULES.apply(after, move)
        if RULES.visible_layout(after) == RULES.visible_layout(solo.truth):
            break
        RULES.apply(solo.truth, move)
        solo.session.tap(str(move))
    else:
        pytest.fail("no such turn in this game")
    solo.look()
    RULES.apply(solo.truth, move)
    solo.session.confirm()
    assert solo.in_sync


def test_taking_another_tile_is_not_recognised_as_its_turn(solo: Solo) -> None:
    solo.until("chateauma")
    on_table = [
        (d, s) for d, depot in enumerate(solo.truth.depots, 1) for s, tile in enumerate(depot) if tile
    ]
    expected = {e.get("depot") for e in turn_events(solo.session)}
    depot, slot = next((d, s) for d, s in on_table if d not in expected)
    sighting = sighting_of(RULES, solo.truth, wrong={f"depot:{depot}:{slot}": {"empty": 0.998}})
    solo.session.observe(sighting)
    with pytest.raises(CommandRejectedError):
        solo.session.confirm()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_what_to_move_for_it_and_why(solo: Solo, language: str) -> None:
    solo.until("chateauma")
    translator = Translator(language, view=solo.session.snapshot()["view"], strict=True)
    client = page(solo.session).test_client()
    shown, why = (client.get(f"/{path}?lang={language}").get_data(as_text=True) for path in ("table", "why"))
    events = turn_events(solo.session)
    steps = [step for event in events for step in event.get("steps", ())]
    assert translator("page.automatic_turn") in shown
    assert all(f"<li>{instruction.text}</li>" in shown for instruction in instructions(events, translator))
    assert steps and all(f"<small>{step['rule']}</small>" in why for step in steps)


def test_its_turn_can_be_entered_by_hand(solo: Solo) -> None:
    solo.until("chateauma")
    shown = page(solo.session).test_client().get("/moves")
    assert shown.status_code == 200 and 'data-text="chateauma"' in shown.get_data(as_text=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_score_sheet_shows_where_its_points_come_from(solo: Solo, language: str) -> None:
    while not RULES.is_over(solo.truth):
        move = solo.next_move()
        RULES.apply(solo.truth, move)
        solo.session.tap(str(move))
    translator, (seat,) = Translator(language, strict=True), RULES.view(solo.truth)["chateauma"]
    shown = page(solo.session).test_client().get(f"/table?lang={language}").get_data(as_text=True)
    points = seat["points"]["county_cards"]
    assert (
        f'<th scope="row">{translator("source.county_cards")}</th>' in shown and f"<td>{points}</td>" in shown
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("noise", "seed"), [(NO_MISREADINGS, 1), (NO_MISREADINGS, 2), (TYPICAL_MISREADINGS, 3)]
)
def test_a_complete_game_with_it_ends_as_played(noise: Any, seed: int) -> None:
    game = play_game(2 + seed % 2, seed, noise, chateauma="hard")
    assert (game.wrong, game.differences, game.stuck) == (0, (), "")


def test_unknown_print_is_asked_for_and_not_invented() -> None:
    setup = demo_setup(2, 1)
    with pytest.raises(UnknownPrintError, match="card:8"):
        RULES.new({**setup, "players": setup["players"][:1], "chateauma": {"colour": "green"}})
