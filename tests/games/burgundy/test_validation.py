"""Reasons: every way in which a move can be illegal has its code, also for each action at a place."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from companion.games.burgundy.rules import GameState, Move
from companion.games.burgundy.rules.decisions import (
    Buy,
    Discard,
    EndTurn,
    Fill,
    Place,
    Roll,
    Sell,
    Skip,
    StartCastle,
    StartGoods,
    Take,
    TakeGoods,
    TakeWorkers,
)
from companion.games.burgundy.rules.state import Pending
from companion.games.burgundy.rules.tiles import tile
from companion.games.burgundy.rules.validation import (
    IllegalMoveError,
    illegal_moves_at,
    play,
    validate,
)
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.support.positions import (
    RULES,
    build,
    dealt,
    fill_depot,
    filled,
    new_game,
    on_turn,
    own,
    rolled,
    set_up,
    store,
)


def position() -> GameState:
    """Dice 3 and 5 and nothing else; a mine in depot 3 and a ship in the black depot."""
    game = on_turn((3, 5))
    fill_depot(game, 3, "mine")
    fill_depot(game, 0, "ship")
    return game


def wrong(value: object) -> Any:
    """Returns *value* untyped, where a move cannot hold it."""
    return value


def code(game: GameState, move: Any) -> str | None:
    reason = validate(game, move)
    return None if reason is None else reason.code


@pytest.mark.parametrize(
    "move",
    [
        Take("palace", 3, 0, 3),
        Place("livestock/goose_3", 4, 3),
        Buy("monastery/27", 0, 0),
        Discard("building/"),
    ],
)
def test_a_tile_that_the_game_does_not_have_is_named(move: Any) -> None:
    reason = validate(position(), move)
    assert reason is not None and (reason.code, reason.data["label"]) == ("no_such_tile", move.tile)


@pytest.mark.parametrize(
    "move",
    [
        "take 3 mine",
        None,
        Take("mine", 3, wrong(None), 3),
        Sell(wrong("four"), 3),
        TakeWorkers(wrong("both")),
        TakeGoods(wrong(None), (1,)),
        StartCastle("red", wrong(None)),
    ],
)
def test_what_no_notation_can_express_is_not_a_move(move: Any) -> None:
    assert code(position(), move) == "not_a_move"


def test_a_fill_with_a_tile_that_does_not_exist_is_refused() -> None:
    game = set_up()
    fill = dealt(game)
    assert isinstance(fill, Fill)
    wrong = dataclasses.replace(fill, black=("palace", *fill.black[1:]))
    assert code(game, wrong) == "no_such_tile"


def test_a_roll_of_three_dice_is_not_a_move() -> None:
    game = filled()
    three: Any = (("red", (1, 2, 3)), ("blue", (1, 2)))
    assert code(game, Roll(three, 4)) == "not_a_move"
    assert code(game, rolled(game, (1, 2), (3, 4))) is None


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        (Take("mine", 7, 0, 3), "no_such_depot"),
        (Take("mine", 3, -1, 3), "tile_not_there"),
        (Take("mine", 3, 9, 3), "tile_not_there"),
        (Take("mine", 3, 0, 4), "no_such_die"),
        (Take("mine", 3, 0, 5, -1), "not_enough_workers"),
        (Take("mine", 3, 0, 3, 1), "wrong_payment"),
        (Take("mine", 3, 0, None), "needs_die"),
        (Place("ship", 19, 5), "tile_not_stored"),
        (Sell(7, 3), "no_such_goods"),
        (Sell(0, 3), "no_such_goods"),
        (Buy("ship", 9, 0), "no_such_depot"),
        (Buy("ship", 0, 0), "not_enough_silver"),
        (Skip(), "no_effect"),
        (Discard("ship"), "no_effect"),
        (TakeGoods((1,), (1,)), "no_effect"),
        (StartCastle("red", 18), "wrong_stage"),
        (StartGoods("red", (1, 1, 1)), "wrong_stage"),
    ],
)
def test_a_made_up_move_has_its_reason(move: Move, expected: str) -> None:
    assert code(position(), move) == expected


def test_while_an_effect_waits_no_die_is_used_and_no_turn_ended() -> None:
    game = position()
    game.pending.append(Pending("market"))
    assert code(game, Take("mine", 3, 0, 3)) == code(game, EndTurn()) == "other_choice_first"
    assert code(game, Take("mine", 3, 0)) == "not_for_this_building"


def test_a_refused_move_is_raised_with_its_reason_and_changes_nothing() -> None:
    game, move = position(), Take("mine", 3, 0, 4)
    before = game.to_json()
    with pytest.raises(IllegalMoveError, match=r"'take mine 3\.0 die 4': no_such_die .*\[3, 5\]") as rejected:
        play(game, move)
    assert (rejected.value.move, rejected.value.reason) == (move, validate(game, move))
    assert game.to_json() == before


def test_a_place_gives_the_reason_against_each_stored_tile() -> None:
    """Space 19 takes a ship with a 5."""
    game = position()
    store(game, "mine", "ship")
    game.player.dice = [4]
    reasons = {
        getattr(move, "tile", None): reason.code for move, reason in illegal_moves_at(game, "duchy:red:19")
    }
    assert reasons == {"mine": "wrong_colour", "ship": "not_enough_workers"}


def test_a_place_gives_no_reason_against_what_can_be_done() -> None:
    game = position()
    store(game, "ship")
    assert list(illegal_moves_at(game, "duchy:red:19")) == []
    assert list(illegal_moves_at(game, "depot:3:0")) == []


def test_a_place_gives_the_reason_against_the_cheapest_way() -> None:
    game = position()
    fill_depot(game, 6, "castle")
    ((move, reason),) = illegal_moves_at(game, "depot:6:0")
    assert (move, reason.code, reason.data["needed"]) == (Take("castle", 6, 0, 5, 1), "not_enough_workers", 1)


def test_after_both_dice_a_place_gives_the_reason_that_none_is_left() -> None:
    game = position()
    game.player.dice.clear()
    ((_, reason),) = illegal_moves_at(game, "depot:3:0")
    assert reason.code == "no_such_die"


def test_the_black_depot_gives_what_a_purchase_lacks() -> None:
    ((move, reason),) = illegal_moves_at(position(), "black:0")
    assert (move, reason.code) == (Buy("ship", 0, 0), "not_enough_silver")


@pytest.mark.parametrize(("monastery", "place"), [(10, "duchy:red:19"), (12, "depot:3:0")])
def test_a_place_knows_the_free_step_of_a_monastery(monastery: int, place: str) -> None:
    """With a 4, a ship goes on a 5 and a mine comes from depot 3; without the monastery a worker is missed."""
    game = position()
    store(game, "ship")
    game.player.dice = [4]
    assert [reason.code for _, reason in illegal_moves_at(game, place)] == ["not_enough_workers"]
    own(game.player, monastery)
    assert list(illegal_moves_at(game, place)) == []


def test_taken_or_empty_places_and_other_players_boards_give_no_reason() -> None:
    game = position()
    store(game, "ship", "mine")
    for place in ("depot:1:0", "black:1", "duchy:red:18", "duchy:blue:19", "storage:red:0"):
        assert list(illegal_moves_at(game, place)) == []


def test_while_an_effect_waits_a_place_is_asked_without_a_die() -> None:
    game = position()
    game.pending.append(Pending("market"))
    ((move, reason),) = illegal_moves_at(game, "depot:3:0")
    assert (move, reason.code) == (Take("mine", 3, 0), "not_for_this_building")


def test_a_place_gives_no_reason_between_turns() -> None:
    game = filled()
    assert list(illegal_moves_at(game, "depot:1:0")) == list(illegal_moves_at(game, "black:0")) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_worker_is_reported_with_the_number_the_die_and_what_one_has(language: str) -> None:
    game = position()
    fill_depot(game, 6, "castle")
    reason = validate(game, Take("castle", 6, 0, 3, 3))
    assert reason is not None
    sentence = Translator(language, strict=True, view=RULES.view(game)).reason(reason.code, reason.data)
    assert all(number in sentence for number in ("6", "3", "0"))


def test_a_building_twice_in_a_city_is_named() -> None:
    game = on_turn((3, 5))
    build(game.player, s13="building/bank")
    store(game, "building/bank")
    reason = validate(game, Place("building/bank", 14, 3))
    assert reason is not None and (reason.code, reason.data["tile"]) == ("building_twice", "building/bank")
    own(game.player, 1)
    assert code(game, Place("building/bank", 14, 3)) is None


def test_a_game_before_its_set_up_waits_for_castles() -> None:
    assert code(new_game(), EndTurn()) == "wrong_stage"
    assert tile("mine") not in new_game().player.storage
