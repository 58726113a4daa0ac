"""Shields with the tiles of other expansions, two by two."""

from __future__ import annotations

import pytest

from companion.games.burgundy.rules.tiles import tile
from tests.support.positions import RULES, build, fill_depot, illegal_reason, notations, own, play, store
from tests.support.shields import at_depots, end_phase, held, hold, shield_turn, without_shields
from tests.support.trade_positions import on_route, on_squares

EXTRA = ("extra_tiles",)
WHITE = ("white_castles",)


@pytest.mark.parametrize(("shields", "points"), [((1,), 9), ((9,), 2)])
def test_e10_geese_score_in_all_pastures_with_shield_1(shields: tuple[int, ...], points: int) -> None:
    """S912, S731."""
    game = shield_turn((2, 2), also=EXTRA)
    player = game.player
    hold(game, player, *shields)
    build(player, s9="livestock/cow_3", s10="livestock/cow_4", s26="building/bank")
    store(game, "livestock/geese_2")
    play(game, "place livestock/geese_2 27 die 2")
    assert player.points["livestock"] == points


def test_one_silver_pays_for_two_shields_with_monastery_28_and_shield_3() -> None:
    """S717, S914: at any time, so during the upkeep too."""
    game = shield_turn(also=EXTRA)
    player = game.player
    build(player, s12="monastery/28")
    hold(game, player, 3, 7)
    player.silver = 1
    end_phase(game)
    play(game, "hire", "upkeep workers 2")
    assert (player.silver, player.workers, held(game, player)) == (0, 0, [3, 7])


def test_ruling_159_each_use_of_monastery_28_brings_the_owner_of_shield_2_a_worker() -> None:
    """S717, S913."""
    game = shield_turn(also=EXTRA)
    red, blue = game.players
    build(red, s12="monastery/28")
    hold(game, blue, 2)
    red.silver = 2
    play(game, "hire", "hire")
    assert (red.workers, blue.workers) == (4, 2)


def test_ruling_165_monastery_28_is_copied_and_27_is_not() -> None:
    game = shield_turn(also=EXTRA)
    red, blue = game.players
    build(blue, s12="monastery/27", s7="monastery/28")
    hold(game, red, 6)
    play(game, "copy red blue")
    red.silver = 1
    assert illegal_reason(game, "hire") is None
    assert not red.monasteries >> 27 & 1


@pytest.mark.parametrize(("shields", "points"), [((9,), 4), ((10,), 8)])
def test_a_crane_brings_eight_with_shield_10(shields: tuple[int, ...], points: int) -> None:
    """S725, S921."""
    game = shield_turn(also=EXTRA)
    player = game.player
    hold(game, player, *shields)
    build(player, s12="monastery/20", s11="building/crane")
    assert sum(game.hooks.monastery_points(game, player).values()) == points


def test_a_crane_serves_a_copied_monastery() -> None:
    """S725, S917."""
    game = shield_turn(also=EXTRA)
    red, blue = game.players
    build(blue, s12="monastery/20")
    build(red, s11="building/crane")
    hold(game, red, 6)
    play(game, "copy red blue")
    assert game.hooks.monastery_points(game, red) == {"monastery_20": 4}


def test_e14_shield_16_does_not_turn_the_white_die() -> None:
    """S761, S927: the die is not the player's."""
    game = shield_turn((3, 5), also=WHITE, white=2)
    player = game.player
    hold(game, player, 16)
    build(player, s12="monastery/1")
    store(game, "building/white_castle")
    fill_depot(game, 2, "mine")
    fill_depot(game, 6, "ship")
    play(game, "place building/white_castle 11 die 3")
    assert notations(game, "take") == ["take mine 2.0"]
    assert illegal_reason(game, "any 5") == "other_choice_first"


def test_ruling_155_a_white_castle_bears_no_shield() -> None:
    """S902, S759: it is a building."""
    game = shield_turn((4, 4), also=WHITE)
    build(game.player, s11="building/white_castle")
    at_depots(game, {4: [7]})
    assert illegal_reason(game, "shield 7 4 11 dice 4,4") == "no_castle_there"


def test_ruling_166_a_white_castle_fetches_no_shield() -> None:
    """S922 names castles."""
    game = shield_turn((3, 4), also=WHITE, white=2)
    player = game.player
    hold(game, player, 11)
    build(player, s12="monastery/1")
    at_depots(game, {2: [7]})
    store(game, "building/white_castle")
    play(game, "place building/white_castle 11 die 3")
    assert notations(game, "shield") == []
    assert not any(move.startswith("shield") for move in notations(game))


def test_ruling_168_a_white_castle_laid_at_the_phases_end_acts_by_the_last_white_die() -> None:
    """S761, S925."""
    game = shield_turn(also=WHITE, white=2)
    player = game.player
    hold(game, player, 14)
    build(player, s12="monastery/1")
    fill_depot(game, 1, "building/white_castle")
    fill_depot(game, 2, "mine")
    fill_depot(game, 4, "ship")
    end_phase(game)
    play(game, "free building/white_castle 1.0 11")
    assert notations(game, "take") == ["take mine 2.0"]
    play(game, "take mine 2.0", "done")
    assert player.storage == [tile("mine")]


def test_ruling_165_monastery_29_is_copied_and_counts_ones_own_white_castles() -> None:
    game = shield_turn(also=WHITE)
    red, blue = game.players
    build(blue, s12="monastery/29", s11="building/white_castle")
    build(red, s11="building/white_castle", s13="building/white_castle")
    hold(game, red, 6)
    play(game, "copy red blue")
    assert game.hooks.monastery_points(game, red) == {"monastery_29": 8}


def test_shields_double_what_all_other_modules_add() -> None:
    assert [*RULES.modules][-1] == "shields"


def test_shields_9_and_12_and_monasteries_change_a_sale_as_without_a_trade_route() -> None:
    """S781, S920, S923."""
    game = on_route((1, "silver_2"), goods={5: 3}, dice=(5, 1), modules=("shields",))
    without_shields(game)
    hold(game, game.player, 9, 12)
    own(game.player, 4)
    play(game, "sell 5 die 5")
    player = game.player
    assert (player.score, player.silver, player.workers) == (3 * 2 * 2, 3, 1)
    assert on_squares(game)[:1] == [5]


def test_the_die_icon_of_a_trade_route_fetches_no_shield() -> None:
    """S922 names castles only."""
    game = on_route((5, "extra_action"), goods={5: 1}, dice=(5, 1), modules=("shields",))
    without_shields(game)
    hold(game, game.player, 11)
    at_depots(game, {2: [7]})
    play(game, "sell 5 die 5")
    assert notations(game, "workers") == ["workers"] and notations(game, "shield") == []


def test_a_trade_route_goes_on_once_shield_5_has_nothing_to_add() -> None:
    """S781, S916: a ship placed by the first square takes the only goods, then the second square is covered."""
    game = on_route((5, "place_tile"), (5, "silver_2"), goods={5: 2}, dice=(5, 1), modules=("shields",))
    without_shields(game)
    player = game.player
    build(player, s18="castle")
    hold(game, player, 5)
    store(game, "ship")
    game.depot_goods[0][3] = 1
    play(game, "sell 5 die 5", "place ship 19", "goods 1 3")
    assert game.pending == [] and on_squares(game) == [5, 5]
    assert player.silver == 1 + 2
