"""Shields and the Châteauma (S1249-1261)."""

from __future__ import annotations

import pytest

from companion.games.burgundy.instructions import instructions
from companion.games.burgundy.modules.chateauma import VIRTUAL
from companion.games.burgundy.modules.chateauma.context import Turn
from companion.games.burgundy.modules.shields.automa import take_shield
from companion.games.burgundy.rules import Event, GameState
from companion.games.burgundy.rules.state import SETUP, TURN
from companion.games.burgundy.rules.tiles import tile
from companion.text.translator import Translator
from tests.support.automa_positions import (
    AUTOMA,
    automa_of,
    automa_turn,
    codes,
    cover,
    set_cards,
    setup_with,
    take_turn,
)
from tests.support.modules import played
from tests.support.positions import RULES, follow_rules
from tests.support.shields import at_depots, hold, state_of, without_shields


def automa_game(people: int = 1) -> GameState:
    """Returns a person's first turn against the Châteauma; no shield lies anywhere."""
    game = RULES.new({**setup_with(people), "modules": ["shields"]})
    while game.stage != TURN:
        played(RULES, game, 1)
    without_shields(game)
    for player in game.players:
        player.replace(next(i for i, t in enumerate(player.spaces) if t is not None), None)
        player.put(18, tile("castle"))
    return game


def taken(game: GameState, white: int) -> list[Event]:
    """Lets it take a shield while the white die shows a value; returns the events, which must have sentences."""
    game.white = white
    turn = Turn(game, automa_of(game))
    take_shield(turn)
    for language in ("en", "fr"):
        translator = Translator(language, strict=True)
        for event in turn.events:
            assert translator.event(event.to_json())
            assert all(sentence for sentence, _ in translator.steps(event.data["steps"]))
    return turn.events


def test_h8_shield_2_is_out_before_set_up() -> None:
    """S1251."""
    game = RULES.new({**setup_with(), "modules": ["shields"]})
    assert game.stage == SETUP and game.box[tile("shield/2")] == 1
    reason = RULES.validate(game, RULES.parse_move("shields 2 3 4 5 6 7"))
    assert reason is not None and reason.code == "shield_not_left"


@pytest.mark.parametrize("people", [1, 2])
def test_h8_setting_up_says_that_shield_2_stays_in_the_box(people: int) -> None:
    """S1251."""
    steps = RULES.setup_steps(RULES.new({**setup_with(people), "modules": ["shields"]}))
    assert [step for step in steps if step["step"] == "shield_out"] == [{"step": "shield_out", "number": 2}]


def test_h8_shield_2_is_in_play_without_it() -> None:
    game = RULES.new({**{k: v for k, v in setup_with(2).items() if k != "chateauma"}, "modules": ["shields"]})
    assert RULES.validate(game, RULES.parse_move("shields 2 3 4 5 6 7")) is None


def test_ruling_187_it_takes_the_smallest_shield_of_the_white_dies_depot() -> None:
    """S1253-1255."""
    game = automa_game(people=3)
    at_depots(game, {4: [9, 7], 5: [1]})
    (event,) = taken(game, 4)
    assert (event.data["number"], event.data["depot"]) == (7, 4)
    assert state_of(game).automa == (7,) and [*state_of(game).at(4)] == [9]


@pytest.mark.parametrize(("pieces", "place"), [("table", ""), (VIRTUAL, " in the box")])
def test_people_are_told_which_shield_to_move_for_it(pieces: str, place: str) -> None:
    game = automa_game()
    at_depots(game, {4: [7]})
    (event,) = taken(game, 4)
    translator = Translator(
        "en", view={"chateauma": [{"colour": AUTOMA, "virtual": pieces == VIRTUAL}]}, strict=True
    )
    (instruction,) = instructions([event.to_json()], translator)
    assert instruction.text == f"{'Put' if place else 'Take'} shield 7 from depot 4{place}."


def test_ruling_187_else_it_goes_on_clockwise() -> None:
    game = automa_game()
    at_depots(game, {2: [9], 3: [1]})
    (event,) = taken(game, 5)
    assert (event.data["number"], event.data["depot"]) == (9, 2)


def test_ruling_187_with_no_shield_left_it_gets_nothing() -> None:
    game = automa_game()
    (event,) = taken(game, 5)
    assert event.kind == "no_benefit" and state_of(game).automa == ()


@pytest.mark.parametrize(("count", "points"), [(0, 0), (1, 8), (2, 15), (3, 25), (4, 40), (5, 40)])
def test_ruling_187_its_shields_score_by_their_number(count: int, points: int) -> None:
    """S1257-1261."""
    game = automa_game()
    state_of(game).automa = tuple(range(3, 3 + count))
    assert game.hooks.final_points(game, automa_of(game)).get("shields", 0) == points


def test_ruling_187_it_pays_no_upkeep_and_has_no_abilities() -> None:
    """S1256."""
    game = automa_game()
    state_of(game).automa = (3, 7, 8, 14)
    seat = automa_of(game)
    game.stage = "upkeep"
    assert not game.hooks.decides(game, seat)
    assert game.hooks.bonus_tile_points(game, seat, 5) == 5
    assert game.hooks.mine_income(game, seat) == (0, 0)


def test_ruling_165_shield_6_copies_its_monasteries_in_the_duchy_and_face_up_on_its_cards() -> None:
    """S1252: not those of the inventory, and not the points that they bring it."""
    game = automa_game()
    red, seat = game.player, automa_of(game)
    hold(game, red, 6)
    set_cards(game, 2, 9)
    cover(game, "left", "monastery/3", "(monastery/4)")
    seat.duchy["monastery"].append(tile("monastery/8"))
    seat.stored.append(tile("monastery/14"))
    RULES.play(game, RULES.parse_move(f"copy red {AUTOMA}"))
    assert [n for n in (3, 4, 8, 14) if red.monasteries >> n & 1] == [3, 8]


def test_ruling_165_a_copied_monastery_of_it_scores_by_ones_own_things() -> None:
    game = automa_game()
    red, seat = game.player, automa_of(game)
    hold(game, red, 6)
    seat.duchy["monastery"].append(tile("monastery/25"))
    red.sold[1] = 4
    RULES.play(game, RULES.parse_move(f"copy red {AUTOMA}"))
    assert game.hooks.monastery_points(game, red) == {"monastery_25": 4}


def test_its_shields_are_shown_by_their_number() -> None:
    game = automa_game()
    state_of(game).automa = (3, 7)
    (view,) = RULES.view(game)["chateauma"]
    assert view["shields"] == 2


def test_a_completed_card_with_the_symbol_takes_a_shield_after_its_border_post() -> None:
    """S1253: the turn waits until the corner is reported, in which both symbols may be."""
    game = automa_turn(
        2,
        modules=["border_posts", "shields"],
        on_left=("building/bank", "building/church", "livestock/cow_2"),
        depots={1: ["monastery/1"]},
    )
    without_shields(game)
    at_depots(game, {1: [9]})
    follow_rules(game)
    assert [str(move) for move in RULES.unobserved_chance_moves(game)] == [
        "tell symbols:2 -",
        "tell symbols:2 shield",
        "tell symbols:2 border",
        "tell symbols:2 border,shield",
    ]
    RULES.play(game, RULES.parse_move("tell symbols:2 border,shield"))
    events = take_turn(game)
    assert state_of(game).automa == (9,)
    assert codes(events).index("border_card") < codes(events).index("looks_for_shield")
