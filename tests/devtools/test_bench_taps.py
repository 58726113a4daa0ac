"""``companion bench taps``: what counts as a tap, and what people enter."""

from __future__ import annotations

import json
import threading
from collections import Counter
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli.bench_taps import to_json, to_text
from companion.cli.main import main
from companion.devtools.benchmarks.taps import DICE, FORM, LAYOUT, MOVES, Hand, TapCounts, TapFigures
from companion.devtools.games.burgundy.people import entered, reporting
from companion.games.burgundy.modules.trade_routes.routes import route_of
from companion.games.burgundy.plugin import burgundy, with_assumed_print
from companion.games.burgundy.rules.decisions import StartGoods
from companion.players.bots import greedy_bot
from tests.support.modules import setup_of
from tests.support.positions import RULES, play
from tests.support.trade_positions import on_route

FIGURES = TapFigures(
    TapCounts(
        2, turns=4, rolls=2, phases=2, before_first_roll=27, taps=Counter({DICE: 10, MOVES: 17, LAYOUT: 36})
    ),
    {2: 27, 4: 49},
)
PAGE = """<div id="state" data-version="1" data-status="{status}"></div><dialog id="sheet"></dialog>
<button data-do="hidden" style="display: none"></button>
<button data-do="shown" {more} onclick="document.getElementById('state').dataset.version = 2"></button>"""


def test_taps_per_turn_are_those_for_dice_and_moves() -> None:
    assert (FIGURES.game.per_turn, FIGURES.game.per_layout) == (27 / 4, 18)
    assert TapCounts(2, turns=4, taps=FIGURES.game.taps).per_layout is None


def test_what_is_tapped_before_the_first_roll_counts_for_no_turn() -> None:
    counts = TapCounts(2, turns=1, taps=Counter({FORM: 3, LAYOUT: 20}))
    counts.end_setup()
    counts.taps[DICE] += 5
    assert (counts.before_first_roll, counts.per_turn, counts.taps[LAYOUT]) == (23, 5, 0)


def test_the_figures_are_reported_as_json_and_as_text() -> None:
    result = json.loads(json.dumps(to_json(FIGURES)))
    assert (result["taps_per_turn"], result["taps_per_turn_rolled"]) == (6.75, (17 + 2) / 4)
    assert (result["taps_setup_2"], result["taps_setup_4"]) == (27, 49)
    assert (result["dice_per_turn"], result["moves_per_turn"], result["taps_per_layout"]) == (2.5, 4.25, 18)
    assert "6.75  target: 4 or less" in to_text(result)


def test_dealt_goods_are_tapped_one_by_one() -> None:
    assert list(entered(StartGoods("red", (3, 5)))) == ["start-goods red 3", "start-goods red 5"]
    assert list(entered(RULES.parse_move("end"))) == []


def test_people_answer_what_is_printed_on_their_routes() -> None:
    setup = setup_of(people=2, modules=["trade_routes"])
    printed = route_of(*_first_player(burgundy().new(with_assumed_print(setup, 1)))).squares
    number, bonus = printed[0]
    bot = reporting(greedy_bot(1), setup, 1)
    for kind, answer in ((number, f"square 1 {number} {bonus}"), (number % 6 + 1, "square 1 -")):
        game = on_route(None, goods={kind: 1}, dice=(kind, 1))
        play(game, f"sell {kind} die {kind}")
        assert str(bot(RULES, game)) == answer


def _first_player(game: Any) -> tuple[Any, Any]:
    return game, game.players[0]


@pytest.mark.browser
@pytest.mark.parametrize(("status", "more"), [("watching", ""), ("drafting", "data-aside")])
def test_each_control_that_is_tapped_counts_once(chromium: Any, status: str, more: str) -> None:
    counts, page = TapCounts(2), chromium.new_page()
    page.set_content(PAGE.format(status=status, more=more))
    hand = Hand(page, counts)
    assert hand.offers("[data-do=shown]") and not hand.offers("[data-do=hidden]")
    hand.command("[data-do]", MOVES)
    assert counts.taps == {MOVES: 1} and hand.value("#state, [data-do=shown]", "data-do") == "shown"
    page.close()


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(
    ("turns", "options"),
    [(50, []), (2, ["--modules", "inns,border_posts"])],
    ids=["a whole game", "with expansions"],
)
def test_a_game_is_played_by_touching_pieces(chromium: object, turns: int, options: list[str]) -> None:
    """With a browser of its own; the fixture is there to skip without chromium."""
    result: list[Any] = []
    arguments = ["bench", "taps", "--turns", str(turns), "--json", *options]
    thread = threading.Thread(target=lambda: result.append(CliRunner().invoke(main, arguments)))
    thread.start()  # Playwright allows one event loop a thread, and this one has the fixture's
    thread.join(timeout=300)
    figures = json.loads(result[0].stdout)
    assert figures["turns"] == turns and figures["dice_per_turn"] == 2.5
    assert 2 <= figures["moves_per_turn"] < 4
    assert figures["taps_setup_4"] > figures["taps_setup_2"] > 20
