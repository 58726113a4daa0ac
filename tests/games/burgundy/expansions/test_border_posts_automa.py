"""Border posts of the Châteauma (S1243-1246), ruling 186, and what is printed in the corners of its cards."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from companion.games.burgundy.instructions import details
from companion.games.burgundy.modules.border_posts.state import links_of
from companion.games.burgundy.modules.chateauma.assumed_print import answers, assumed
from companion.games.burgundy.modules.chateauma.corners import ReportSymbols
from companion.games.burgundy.modules.chateauma.extension import symbols_of
from companion.games.burgundy.plugin import chateauma_module
from companion.games.burgundy.rules import GameState
from companion.games.burgundy.rules.decisions import Override
from companion.games.burgundy.rules.owner_print import AnswerError
from companion.text.translator import Translator
from tests.support.automa_positions import automa_of, automa_turn, codes, kinds, new_automa_game, take_turn
from tests.support.positions import RULES, follow_rules

POSTS = ["border_posts"]
ALMOST_2 = ("building/bank", "building/church", "livestock/cow_2")
WITH_POST, WITHOUT = {"border": True}, {"border": False}


def completing_2(symbols: Mapping[str, Any] | None = None, **options: Any) -> GameState:
    """The Châteauma's turn, in which it completes card 2 by a monastery; card 9 beside it stays open."""
    given: dict[str, Any] = {"on_left": ALMOST_2, "depots": {1: ["monastery/1"]}, **options}
    if symbols is not None:
        given["symbols"] = symbols
    return waiting(automa_turn(2, 9, modules=POSTS, **given))


def waiting(game: GameState) -> GameState:
    """Lets the rules look at a position that was made by hand."""
    follow_rules(game)
    return game


def report(game: GameState, text: str) -> None:
    RULES.play(game, RULES.parse_move(text))


# --- ruling 186 -------------------------------------------------------------------------------------------


def test_ruling_186_the_first_card_with_the_symbol_brings_nothing() -> None:
    """S1245: it counts."""
    game = completing_2({"2": WITH_POST})
    events = take_turn(game)
    assert links_of(game).cards == 1
    assert not {"border_cards", "border_bonus"} & set(kinds(events))
    assert "border_card" in codes(events)


def test_ruling_186_the_second_card_pays_the_phases_points() -> None:
    """S1245."""
    game = completing_2({"2": WITH_POST})
    links_of(game).cards = 1
    (event,) = (event for event in take_turn(game) if event.kind == "border_cards")
    assert event.points == automa_of(game).points["border_links"] == 10


def test_ruling_186_the_third_card_takes_the_tile_and_no_points_of_the_phase() -> None:
    """S1246: the first of two players' tiles is worth 5."""
    game = completing_2({"2": WITH_POST})
    links_of(game).cards = 2
    events = take_turn(game)
    assert "border_cards" not in kinds(events)
    assert automa_of(game).points["border_bonus"] == 5
    assert automa_of(game).bonus_tiles == ["border"]
    assert links_of(game).tiles_left == 1


def test_people_are_told_to_take_the_tile_for_it() -> None:
    game = completing_2({"2": WITH_POST})
    links_of(game).cards = 2
    events = [event.to_json() for event in take_turn(game)]
    spoken = details(events, Translator("en", strict=True))
    assert "Take the uppermost border tile." in [each.text for each in spoken]


def test_ruling_186_the_third_card_finds_no_tile_where_both_are_gone() -> None:
    """S1246."""
    game = completing_2({"2": WITH_POST})
    links_of(game).cards, links_of(game).tiles_left = 2, 0
    assert "border_tiles_gone" in codes(take_turn(game))
    assert "border_bonus" not in automa_of(game).points


def test_ruling_186_later_cards_bring_nothing() -> None:
    game = completing_2({"2": WITH_POST})
    links_of(game).cards = 3
    take_turn(game)
    assert not {"border_links", "border_bonus"} & automa_of(game).points.keys()


def test_ruling_186_two_cards_in_one_turn_bring_both() -> None:
    """A castle fills the left card, and its tile the right one: the second and the third card with the symbol."""
    game = waiting(
        automa_turn(
            4,
            2,
            modules=POSTS,
            symbols={"4": WITH_POST, "2": WITH_POST},
            on_left=("building/bank", None, "monastery/2", "mine", "building/church"),
            on_right=ALMOST_2,
            depots={1: ["castle", "monastery/1"]},
        )
    )
    links_of(game).cards = 1
    events = take_turn(game)
    assert [kind for kind in kinds(events) if kind.startswith(("card_done", "border"))] == [
        "card_done",
        "border_cards",
        "card_done",
        "border_bonus",
    ]


def test_a_card_without_the_symbol_counts_for_nothing() -> None:
    game = completing_2({"2": WITHOUT})
    take_turn(game)
    assert links_of(game).cards == 0


def test_the_corner_counts_after_the_cards_points_and_before_its_tiles_move() -> None:
    game = completing_2({"2": WITH_POST})
    links_of(game).cards = 1
    events = kinds(take_turn(game))
    assert events.index("card_done") < events.index("border_cards") < events.index("to_duchy")


# --- asking for the corner --------------------------------------------------------------------------------


def test_a_turn_that_completes_a_card_with_an_unknown_corner_waits_for_a_report() -> None:
    game = completing_2()
    assert game.stage == "card_symbols"
    assert RULES.stage(game).is_chance and RULES.automatic_turn(game) is None
    assert list(map(str, RULES.unobserved_chance_moves(game))) == [
        "tell symbols:2 -",
        "tell symbols:2 border",
    ]
    report(game, "tell symbols:2 border")
    take_turn(game)
    assert links_of(game).cards == 1


def test_a_card_of_which_the_owner_has_spoken_before_is_not_asked_again() -> None:
    assert completing_2({"2": WITHOUT}).stage == "own_turn"


def test_a_turn_that_completes_no_card_does_not_wait() -> None:
    assert completing_2(on_left=ALMOST_2[:1]).stage == "own_turn"


def test_without_border_posts_nobody_asks_for_corners() -> None:
    game = waiting(automa_turn(2, 9, on_left=ALMOST_2, depots={1: ["monastery/1"]}))
    assert game.stage == "own_turn"


def test_both_cards_that_a_turn_completes_are_asked_for_one_after_the_other() -> None:
    game = waiting(
        automa_turn(
            4,
            2,
            modules=POSTS,
            on_left=("building/bank", None, "monastery/2", "mine", "building/church"),
            on_right=ALMOST_2,
            depots={1: ["castle", "monastery/1"]},
        )
    )
    report(game, "tell symbols:4 -")
    assert game.stage == "card_symbols"
    report(game, "tell symbols:2 border")
    assert game.stage == "own_turn"


def test_a_ruling_that_changes_what_the_turn_completes_changes_what_is_asked() -> None:
    game = completing_2()
    ruling = RULES.parse_move("ruling depot:1:0=empty")
    assert isinstance(ruling, Override)
    RULES.play(game, ruling)
    assert game.stage == "own_turn"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("tell symbols:9 border", "card_not_asked"),
        ("tell symbols:2 shield", "no_such_symbols"),
        ("tell symbols:2 border,border", "no_such_symbols"),
    ],
)
def test_a_report_about_something_else_is_refused(text: str, code: str) -> None:
    game = completing_2()
    reason = RULES.validate(game, RULES.parse_move(text))
    assert reason is not None and reason.code == code


def test_a_report_is_kept_in_the_state() -> None:
    """A replay needs no file."""
    game = completing_2()
    report(game, "tell symbols:2 border")
    again = RULES.from_json(game.to_json())
    assert again.state_hash() == game.state_hash()
    assert automa_of(again).has_symbol(2, "border") is True
    assert automa_of(again).has_symbol(3, "border") is None


def test_a_sampled_report_is_one_of_the_possible_ones() -> None:
    game = completing_2()
    move = RULES.sample_chance(game, random.Random(1))
    assert isinstance(move, ReportSymbols)
    assert move in RULES.unobserved_chance_moves(game)


def test_the_view_tells_what_is_known_of_each_corner() -> None:
    game = completing_2({"9": WITH_POST})
    left, right = RULES.view(game)["chateauma"][0]["cards"]
    assert (left["symbols"], right["symbols"]) == ({"border": None}, {"border": True})


def test_without_symbols_in_play_the_view_of_a_card_has_none() -> None:
    game = automa_turn(2, 9)
    assert all("symbols" not in card for card in RULES.view(game)["chateauma"][0]["cards"])


def test_an_answer_about_a_card_that_is_not_in_the_box_is_refused() -> None:
    with pytest.raises(AnswerError):
        new_automa_game(symbols={"18": WITH_POST})


def test_simulated_games_assume_which_cards_have_the_symbol() -> None:
    """So that nothing is asked; it is said to be assumed."""
    printed = chateauma_module().prints["special"]
    assumptions = assumed(printed, "", {}, symbols_of([RULES.modules["border_posts"]]))
    assert assumptions["symbols:border"] == "2,5,8"
    symbols = answers(assumptions)["symbols"]
    assert symbols["2"] == WITH_POST and symbols["3"] == WITHOUT


# --- the scenario -----------------------------------------------------------------------------------------


def test_e74_its_second_card_pays_the_phase_and_its_third_the_second_tile() -> None:
    """S1245-1246: two players, phase D: +4; phase E, a person has the first tile: +2 and no points of the phase."""
    game = completing_2({"2": WITH_POST})
    game.phase, links_of(game).cards = 3, 1
    take_turn(game)
    assert automa_of(game).points["border_links"] == 4
    later = completing_2({"2": WITH_POST})
    later.phase, links_of(later).cards, links_of(later).tiles_left = 4, 2, 1
    take_turn(later)
    assert automa_of(later).points.get("border_links") is None
    assert automa_of(later).points["border_bonus"] == 2
