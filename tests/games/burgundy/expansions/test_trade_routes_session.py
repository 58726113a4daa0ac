"""Trade routes at the table: what a camera sees of a sale, what people are asked, and the journal."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from companion.games.burgundy.modules.trade_routes.routes import routes_of
from companion.journal import OUT_OF_TURN, Journal
from companion.players.opponents import with_opponents
from companion.referee import REPORT, Evidence, explain_turn
from companion.session import CommandRejectedError, TableSession
from tests.support.expansions import by_hand, tap_at_random
from tests.support.modules import setup_of
from tests.support.positions import RULES, fill_depot, notations, play
from tests.support.present import present
from tests.support.sightings import sighting_of
from tests.support.trade_positions import on_route

MOST_POSITIONS = 1000
"""For four squares; 1,700 if bonuses are tried together."""


def seen_after(game: Any, *moves: str, reported: Sequence[str] = ()) -> Any:
    """Returns what the referee makes of the table after these moves, when people have *reported* something."""
    after = game.copy()
    play(after, *moves)
    return explain_turn(RULES, game, Evidence(sighting_of(RULES, after)), reported=reported)


def answers(verdict: Any) -> list[str]:
    return [option.value for option in verdict.question.options]


def texts(verdict: Any) -> list[str]:
    return [str(move) for move in verdict.explanations[0].moves]


def test_a_sale_is_recognised_by_the_goods_on_the_route() -> None:
    game = on_route((3, "points_4"), (4, "workers_4"), goods={3: 2}, dice=(3,))
    found = seen_after(game, "sell 3 die 3")
    assert found.clear and texts(found) == ["sell 3 die 3", "end"]


def test_a_bonus_is_recognised_by_what_was_taken_for_it() -> None:
    game = on_route((3, "take_any_hex"), (4, "workers_4"), goods={3: 2}, dice=(3,))
    fill_depot(game, 4, "mine")
    found = seen_after(game, "sell 3 die 3", "take mine 4.0")
    assert found.clear and texts(found) == ["sell 3 die 3", "take mine 4.0", "end"]


def test_several_unknown_squares_are_explained_without_trying_all_bonuses_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An end that fits makes it pointless to suppose two bonuses or more that nobody can see."""
    game = on_route(None, None, None, None, goods={3: 4}, dice=(3, 5))
    looked_at, key = [], RULES.transposition_key

    def counting(state: Any) -> Any:
        looked_at.append(state)
        return key(state)

    monkeypatch.setattr(RULES, "transposition_key", counting)
    found = seen_after(game, "sell 3 die 3", "square 1,2,3,4 -")
    assert {"sell 3 die 3", "square 1,2,3,4 -"} <= set(texts(found))
    assert len(looked_at) < MOST_POSITIONS


def test_what_no_camera_can_see_of_unknown_squares_is_asked_at_once() -> None:
    """Whatever is printed there, people say so: the explanation that brings most is not simply believed."""
    found = seen_after(three_covered(), "sell 3 die 3", "square 1,2,3 -")
    assert found.question.about == REPORT
    assert answers(found)[0] == "square 1,2,3 -"
    assert {"square 1 3 points_4", "square 3 3 take_building"} <= set(answers(found))


def test_a_turn_with_two_sales_is_asked_about_once() -> None:
    game = on_route(None, None, goods={3: 1, 5: 1}, dice=(3, 5))
    found = seen_after(game, "sell 3 die 3", "square 1 -", "sell 5 die 5", "square 2 -")
    none, *others = answers(found)
    assert set(none.split("; ")) == {"square 1 -", "square 2 -"}
    assert any(other.startswith(f"{none.split('; ')[0]}; square 2") for other in others)
    assert "square 1 3 points_4" in others or "square 1 5 points_4" in others


def test_what_is_seen_of_a_bonus_is_the_first_answer() -> None:
    game = three_covered()
    fill_depot(game, 4, "mine")
    game.player.dice = [3]
    found = seen_after(game, "sell 3 die 3", "square 2 3 take_any_hex", "take mine 4.0", "square 3 -")
    assert "take_" in answers(found)[0] and "square 1,2,3 -" not in answers(found)[0]


def test_a_turn_is_proposed_with_what_people_have_reported() -> None:
    moves = ["sell 3 die 3", "square 1,2,3 -"]
    found = seen_after(three_covered(), *moves, reported=["square 1,2,3 -"])
    assert found.clear and texts(found) == [*moves, "end"]


def test_two_bonuses_that_nobody_sees_are_proposed_once_they_are_reported() -> None:
    """Without the reports they would be too unlikely."""
    reports = ["square 1 3 points_4", "square 3 3 workers_4"]
    moves = ["sell 3 die 3", *reports]
    first = seen_after(three_covered(), *moves, reported=reports[:1])
    assert first.question.about == REPORT and reports[1] in answers(first)
    found = seen_after(three_covered(), *moves, reported=reports)
    assert found.clear and texts(found) == [*moves, "end"]


def three_covered() -> Any:
    """Returns a turn whose only sale puts goods on three squares that nobody knows."""
    return on_route(None, None, None, goods={3: 3}, dice=(3,))


def test_an_answer_about_a_seen_sale_is_in_its_entry_and_can_be_taken_back(tmp_path: Path) -> None:
    session = by_hand(tmp_path, "trade_routes")
    session.watch(dice=True, boards=True)
    while not (sales := [m for m in session.legal_moves() if m["word"] == "sell"]):
        tap_at_random(session, random.Random(3))
    sale, after = RULES.parse_move(sales[0]["text"]), session.state.copy()
    play(after, sale)
    none = notations(after, "square")[-1]
    session.observe(sighting_of(RULES, after))
    assert present(session.question).about == REPORT
    session.answer(REPORT, none)
    assert session.status == "proposal"
    session.undo()
    assert present(session.question).about == REPORT
    session.answer(REPORT, none)
    session.confirm()
    assert none in map(str, session.entries()[-1].moves)


def test_naming_a_tile_is_no_part_of_the_turn_that_is_entered_or_seen(tmp_path: Path) -> None:
    session = by_hand(tmp_path, "trade_routes")
    move = next(move["text"] for move in session.legal_moves() if move["word"] != "end")
    session.tap(move)
    session.tap("route blue 1 2:take_building,4:take_any_hex,1:workers_4")
    assert [entry["text"] for entry in session.snapshot()["draft"]] == [move]
    entry = session.entries()[-1]
    assert (entry.by, entry.player) == (OUT_OF_TURN, "blue")
    session.journal.close()
    again = TableSession(RULES, Journal(tmp_path / "1.journal"))
    assert again.state.state_hash() == session.state.state_hash()


def tapped(path: Path, bots: dict[str, str], is_enough: Callable[[TableSession], bool]) -> TableSession:
    """Returns a game that is tapped until it is enough, with a person who plays at random and these *bots*."""
    setup = with_opponents(setup_of(modules=["trade_routes"]), bots)
    session, rng = TableSession(RULES, Journal(path), setup), random.Random(5)
    session.watch_nothing()
    while not is_enough(session):
        if session.bot_turn:
            with suppress(CommandRejectedError):
                session.confirm()
        else:
            state = session.read(lambda one: one._context.shown_state)
            chosen = RULES.sample_chance(state, rng) or rng.choice(RULES.legal_moves(state))
            session.tap(str(chosen))
    return session


def reports(session: TableSession) -> list[tuple[str | None, str]]:
    """Returns who was in turn at each report of a square, and the report."""
    return [
        (entry.player, str(move))
        for entry in session.entries()
        for move in entry.moves
        if str(move).startswith("square")
    ]


def test_a_report_is_tapped_within_the_turn_and_replayed_from_the_journal(tmp_path: Path) -> None:
    session = tapped(tmp_path / "game", {}, lambda one: len(reports(one)) > 3)
    session.journal.close()
    again = TableSession(RULES, Journal(tmp_path / "game"))
    assert again.state.state_hash() == session.state.state_hash()
    assert any(
        square.is_known for route in routes_of(again.state).routes.values() for square in route.squares
    )


@pytest.mark.parametrize("by_tap", [True, False])
def test_people_answer_for_a_bot_which_then_goes_on(tmp_path: Path, by_tap: bool) -> None:
    session = tapped(tmp_path / "game", {"blue": "greedy"}, is_asked)
    question = present(session.question)
    if by_tap:
        session.tap(question.options[-1].value)
    else:
        session.answer(REPORT, question.options[-1].value)
    *_, sale, report = session.entries()
    assert str(sale.moves[-1]).startswith("sell") and sale.player == "blue"
    assert str(*report.moves) == question.options[-1].value
    assert session.bot_turn or is_asked(session)


def is_asked(session: TableSession) -> bool:
    return session.question is not None and session.question.about == REPORT
