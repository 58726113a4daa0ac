"""Positions with shields, worked out by hand from the rule text; each keeps its number."""

from __future__ import annotations

import pytest

from companion.games.burgundy.rules import Burgundy, GameState
from companion.games.burgundy.rules.state import OVER
from companion.games.burgundy.rules.tiles import tile
from tests.support.positions import (
    RULES,
    build,
    fill_depot,
    illegal_reason,
    notations,
    own,
    play,
    store,
)
from tests.support.shields import at_depots, end_phase, held, hold, shield_turn, state_of

ADDS = {"shield_9_monastery_3": "adds"}


def reason(game: GameState, move: str) -> str | None:
    return illegal_reason(game, move)


def end_game(game: GameState) -> dict[str, int]:
    """Ends the game with everything that can be paid for; returns red's points by source."""
    end_phase(game, 4)
    while game.stage != OVER:
        play(game, "upkeep")
    return RULES.score_sheet(game)["red"]


def test_e35_a_worker_of_monastery_8_makes_the_pair() -> None:
    game = shield_turn((3, 5))
    own(game.player, 8)
    at_depots(game, {5: [7]})
    fill_depot(game, 0, "mine")
    game.player.workers, game.player.silver = 1, 2
    play(game, "shield 7 5 18 dice 3,5 workers 1")
    assert (game.player.workers, game.player.dice, held(game, game.player)) == (0, [], [7])
    assert reason(game, "buy mine 0.0") is None


def test_e36_shield_16_turns_one_die_of_the_pair() -> None:
    game = shield_turn((2, 6))
    hold(game, game.player, 16)
    at_depots(game, {6: [7]})
    play(game, "any 2", "shield 7 6 18 dice 6")
    assert game.player.dice == [] and held(game, game.player) == [7]  # the only castle is bearing it now


def test_e37_a_replaced_shield_leaves_the_game_and_doubles_nothing() -> None:
    game = shield_turn((4, 4))
    hold(game, game.player, 13)
    at_depots(game, {4: [1]})
    game.player.silver = 1
    play(game, "shield 1 4 18 dice 4,4")
    assert held(game, game.player) == [1] and game.box[tile("shield/13")] == 1
    assert end_game(game)["shields"] == 12


def test_e39_upkeep_is_paid_in_silver_and_workers_before_the_mines_pay_double() -> None:
    game = shield_turn()
    player = game.player
    hold(game, player, 1, 3, 8)
    build(player, s24="mine", s29="mine", s33="mine")
    own(player, 2)
    player.silver, player.workers = 1, 2
    end_phase(game)
    play(game, "upkeep workers 2")
    assert held(game, player) == [1, 3, 8]
    assert (player.silver, player.workers) == (0 + 6, 0 + 3)


@pytest.mark.parametrize(("rules", "silver"), [({}, 4), (ADDS, 5)])
def test_e40_shield_9_pays_by_the_tile_and_monastery_4_its_worker(rules: dict[str, str], silver: int) -> None:
    game = shield_turn((6, 6), rules=rules)
    player = game.player
    hold(game, player, 9)
    own(player, 3, 4)
    player.goods[6] = 4
    play(game, "sell 6 die 6")
    assert (player.score, player.silver, player.workers) == (8, silver, 1)


@pytest.mark.parametrize(("rules", "silver"), [({}, 3), (ADDS, 4)])
def test_settled_shield_9_monastery_3_counts_the_shield_only_or_both(
    rules: dict[str, str], silver: int
) -> None:
    game = shield_turn((6, 6), rules=rules)
    hold(game, game.player, 9)
    own(game.player, 3)
    assert game.hooks.sale(game, game.player, 3).silver == silver


def test_e41_shield_12_doubles_the_sale_and_not_monastery_25() -> None:
    game = shield_turn((6, 6))
    player = game.player
    hold(game, player, 12)
    own(player, 25)
    player.goods[6] = 3
    play(game, "sell 6 die 6")
    assert (player.score, player.silver) == (12, 1)
    assert end_game(game)["monastery_25"] == 3


@pytest.mark.parametrize(("left", "points"), [(2, 12), (1, 6)])
def test_e42_shield_7_doubles_a_bonus_tile_and_not_monastery_26(left: int, points: int) -> None:
    game = shield_turn((3, 3), players=3)
    player = game.player
    hold(game, player, 7)
    own(player, 26)
    build(player, s24="mine", s29="mine")
    store(game, "mine")
    game.bonus_tiles_left = {**game.bonus_tiles_left, "mine": left}
    player.silver = 1
    play(game, "place mine 33 die 3")
    assert player.points["bonus_tiles"] == points
    assert end_game(game)["monastery_26"] == 3


def test_e43_shield_13_doubles_all_shields_itself_included() -> None:
    game = shield_turn()
    hold(game, game.player, 1, 7, 13)
    game.player.silver = 3
    assert end_game(game)["shields"] == (12 + 8 + 4) * 2 == 48


def test_e44_shield_10_doubles_what_monasteries_bring_at_the_end() -> None:
    game = shield_turn()
    player = game.player
    hold(game, player, 10)
    own(player, 16, 26)
    build(player, s11="building/warehouse", s13="building/warehouse", s22="building/warehouse")
    player.bonus_tiles = ["mine"]
    player.silver = 1
    sheet = end_game(game)
    assert (sheet["monastery_16"], sheet["monastery_26"], sheet["shields"]) == (24, 6, 8)
    assert sum(sheet.values()) == 38


def test_e46_a_castle_of_the_black_depot_acts_at_the_end_of_the_phase_but_nothing_is_bought() -> None:
    game = shield_turn(castle=1)
    player = game.player
    hold(game, player, 15)
    build(player, s11="building/bank")
    fill_depot(game, 0, "castle", "mine")
    player.silver = 5
    end_phase(game, 2)
    play(game, "free castle 0.0 18")
    assert player.score == 1 + 6
    assert reason(game, "buy mine 0.1") == "wrong_stage"
    play(game, "workers")
    assert player.workers == 2
    assert reason(game, "buy mine 0.1") == "wrong_stage"


def test_e47_shield_5_adds_all_goods_of_a_kind_as_far_as_they_fit() -> None:
    game = shield_turn((5, 5))
    player = game.player
    hold(game, player, 5)
    player.goods[1] = player.goods[4] = 1
    for depot, kinds in {2: (1, 6), 3: (6, 4), 5: (6,)}.items():
        for kind in kinds:
            game.depot_goods[depot - 1][kind] += 1
    store(game, "ship")
    play(game, "place ship 19 die 5", "goods 2 1,6", "more 6")
    assert player.goods == [0, 2, 0, 0, 1, 0, 3]
    assert game.depot_goods[2] == [0, 0, 0, 0, 1, 0, 0]
    assert game.pending == []


@pytest.mark.parametrize(("discarded", "left"), [("castle", 3), ("ship", 2)])
def test_e49_whoever_loses_shield_4_discards_until_three_spaces_are_enough(
    box: Burgundy, discarded: str, left: int
) -> None:
    """A ship of the tests' module takes two key spaces, as a double hex does."""
    game = shield_turn(box=box, also=("cargo",))
    player = game.player
    hold(game, player, 4)
    player.storage = [tile("castle"), tile("mine"), tile("ship")]
    end_phase(game)
    box.play(game, box.parse_move("forgo 4"))
    assert {*map(str, box.legal_moves(game))} == {"discard castle", "discard mine", "discard ship"}
    box.play(game, box.parse_move(f"discard {discarded}"))
    assert sum(map(game.hooks.storage_size, player.storage)) == left and game.pending == []


def test_e50_shield_11_lets_a_castle_of_the_town_hall_fetch_a_shield_for_itself() -> None:
    game = shield_turn((3, 3), castle=1)
    player = game.player
    hold(game, player, 11)
    at_depots(game, {2: [17]})
    build(player, s12="monastery/1")
    store(game, "building/town_hall", "castle")
    play(game, "place building/town_hall 11 die 3", "place castle 18")
    assert player.points["area_1"] == 2 * 1  # town and castle stood alone: shield 17 came too late for either
    play(game, "shield 17 2 18")
    assert player.dice == [3] and held(game, player) == [11, 17] and game.pending == []
    assert state_of(game).held[17] == ("red", 18)


def test_e51_shield_6_copies_all_monasteries_but_27() -> None:
    game = shield_turn((1, 5))
    red, blue = game.players
    hold(game, red, 6, 10)
    own(blue, 8, 25)
    blue.put(12, tile("monastery/27"))
    play(game, "copy red blue")
    assert [n for n in (8, 25, 27) if red.monasteries >> n & 1] == [8, 25]
    red.sold[2] = 5
    red.workers, red.silver = 1, 2
    fill_depot(game, 3, "mine")
    assert notations(game, "take") == ["take mine 3.0 die 1 workers 1", "take mine 3.0 die 5 workers 1"]
    red.workers = 0
    sheet = end_game(game)
    assert sheet["monastery_25"] == 5 * 2
    assert sheet["shields"] == 12 + 8


def test_e52_shield_2_brings_a_worker_for_each_event_in_which_another_gains_some() -> None:
    game = shield_turn((2, 6))
    red, blue = game.players
    hold(game, blue, 2)
    own(red, 4, 2)
    red.goods[6] = 2
    store(game, "building/boarding_house")
    build(red, s24="mine", s29="mine", s33="mine", s12="monastery/1")
    blue.silver = 1
    play(game, "sell 6 die 6")
    assert blue.workers == 1
    red.dice = [2, 3]
    play(game, "place building/boarding_house 11 die 3")
    assert blue.workers == 2
    play(game, "workers die 2")
    assert blue.workers == 3
    end_phase(game)
    play(game, "upkeep")
    assert (red.workers, blue.workers) == (1 + 4 + 2 + 3, 4)
