"""Shields: how they are won, paid for and lost, what each of them does, and the table's rulings about them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from companion.games.burgundy.modules.shields.setting_up import SetUpShields
from companion.games.burgundy.modules.shields.state import held_by
from companion.games.burgundy.rules import GameState
from companion.games.burgundy.rules.decisions import StartCastle, StartGoods
from companion.games.burgundy.rules.gains import gain
from companion.games.burgundy.rules.moves import InvalidMoveError
from companion.games.burgundy.rules.state import FILL, OVER, SETUP, Player
from companion.games.burgundy.rules.tiles import tile
from companion.players.bots import greedy_bot
from companion.referee import Evidence, explain_turn
from tests.support.automa_positions import setup_with
from tests.support.modules import played, setup_of
from tests.support.positions import (
    RULES,
    build,
    fill_depot,
    finish_round,
    illegal_reason,
    notations,
    own,
    play,
    store,
)
from tests.support.shields import at_depots, end_phase, held, hold, shield_turn, state_of
from tests.support.sightings import sighting_of

NUMBERS = range(1, 19)


def new_game(people: int = 2) -> GameState:
    return RULES.new(setup_of(people=people, modules=["shields"]))


def laid_out(game: GameState, seed: int = 1) -> SetUpShields:
    event = RULES.sample_chance(game, random.Random(seed))
    assert isinstance(event, SetUpShields)
    return event


def deciding(game: GameState) -> str | None:
    return RULES.to_move(game)


# --- set-up (S880-898) ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("people", "counts"), [(2, [1] * 6), (3, [1, 2, 1, 2, 1, 2]), (4, [2] * 6)], ids=["two", "three", "four"]
)
def test_h1_as_many_shields_lie_at_the_depots_as_the_number_of_players_says(
    people: int, counts: list[int]
) -> None:
    """S880-896; the others go back into the box."""
    game = new_game(people)
    RULES.play(game, laid_out(game))
    assert [len(places) for places in state_of(game).depots] == counts
    boxed = sum(game.box.get(tile(f"shield/{number}"), 0) for number in NUMBERS)
    assert boxed == len(NUMBERS) - sum(counts)


def test_h1_the_first_phase_waits_for_the_shields() -> None:
    game = new_game()
    for player in game.players:
        RULES.play(game, StartCastle(player.colour, 18))
        RULES.play(game, StartGoods(player.colour, (1, 2, 3)))
    assert game.stage == SETUP
    RULES.play(game, laid_out(game))
    assert game.stage == FILL


@pytest.mark.parametrize(
    ("layout", "code"),
    [
        ("shields 1 2 3 4 5", "wrong_depot_count"),
        ("shields 1 2 3 4 5 6,7", "wrong_shield_count"),
        ("shields 1 2 3 4 5 5", "shield_not_left"),
    ],
)
def test_h1_another_layout_is_refused(layout: str, code: str) -> None:
    reason = RULES.validate(new_game(), RULES.parse_move(layout))
    assert reason is not None and reason.code == code


def test_h1_shields_are_laid_out_once() -> None:
    game = new_game()
    RULES.play(game, layout := laid_out(game))
    reason = RULES.validate(game, layout)
    assert reason is not None and reason.code == "shields_lie"


def test_h1_a_camera_reads_each_shield_once() -> None:
    (layout,) = [each for each in RULES.expected_layouts(new_game(3)) if each.what == "shields"]
    assert [place for place, _ in layout.places][:3] == ["shields:1:0", "shields:2:0", "shields:2:1"]
    read = tuple(f"shield/{number}" for number in range(3, 12))
    assert [*map(str, *layout.moves_for(read))] == ["shields 3 4,5 6 7,8 9 10,11"]
    assert layout.remaining == {"shields": {f"shield/{number}": 1 for number in NUMBERS}}


def test_ruling_104_the_chateauma_counts_as_a_player_for_the_shields() -> None:
    game = RULES.new({**setup_with(people=2), "modules": ["shields"]})
    RULES.play(game, laid_out(game))
    assert [len(places) for places in state_of(game).depots] == [1, 2, 1, 2, 1, 2]


def test_h2_shields_stay_over_the_phases_and_nothing_refills_them() -> None:
    """S898, and S266 by which only tiles leave the main board."""
    game = shield_turn((4, 4))
    at_depots(game, {4: [1], 5: [9]})
    game.player.silver = 1
    play(game, "shield 1 4 18 dice 4,4")
    end_phase(game)
    play(game, "upkeep")
    while game.stage != "roll":
        played(RULES, game, 1)
    assert [[*state_of(game).at(depot)] for depot in range(1, 7)] == [[], [], [], [], [9], []]


# --- winning (S902-904) -----------------------------------------------------------------------------------


def test_h3_a_pair_takes_a_shield_of_its_depot_instead_of_both_actions() -> None:
    game = shield_turn((4, 4))
    at_depots(game, {4: [7], 3: [8]})
    assert notations(game, "shield") == ["shield 7 4 18 dice 4,4"]
    play(game, "shield 7 4 18 dice 4,4")
    assert game.player.dice == [] and held(game, game.player) == [7]
    assert not [*state_of(game).at(4)]


def test_h4_a_shield_goes_on_any_castle_or_replaces_one_which_leaves_the_game() -> None:
    game = shield_turn((4, 4), players=4)
    hold(game, game.player, 9)
    build(game.player, s1="castle")
    at_depots(game, {4: [7, 8]})
    assert {move.split()[3] for move in notations(game, "shield")} == {"1", "18"}
    play(game, "shield 7 4 18 dice 4,4")
    assert held(game, game.player) == [7] and game.box[tile("shield/9")] == 1


def test_h5_workers_make_the_pair() -> None:
    """S904: two workers turn a 3 into a 5."""
    game = shield_turn((3, 5))
    at_depots(game, {5: [7]})
    game.player.workers = 1
    assert illegal_reason(game, "shield 7 5 18 dice 3,5 workers 2") == "not_enough_workers_for_pair"
    game.player.workers = 2
    play(game, "shield 7 5 18 dice 3,5 workers 2")
    assert game.player.workers == 0


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("shield 7 5 18 dice 3,5", "wrong_pair_payment"),
        ("shield 7 5 18 dice 5", "no_such_pair"),
        ("shield 8 5 18 dice 3,5 workers 2", "shield_not_there"),
        ("shield 7 5 1 dice 3,5 workers 2", "no_castle_there"),
        ("shield 7 7 18 dice 3,5 workers 2", "no_such_depot"),
    ],
)
def test_h3_another_way_to_take_it_is_refused(move: str, code: str) -> None:
    game = shield_turn((3, 5))
    at_depots(game, {5: [7]})
    game.player.workers = 2
    assert illegal_reason(game, move) == code


def test_ruling_64_a_pair_takes_the_shield_of_that_depot_for_a_castle() -> None:
    game = shield_turn((6, 6))
    at_depots(game, {6: [3], 5: [4]})
    play(game, "shield 3 6 18 dice 6,6")
    assert state_of(game).held == {3: ("red", 18)}


def test_ruling_154_both_dice_must_be_unused() -> None:
    game = shield_turn((4, 4))
    at_depots(game, {4: [7]})
    play(game, "workers die 4")
    assert illegal_reason(game, "shield 7 4 18 dice 4,4") == "pair_needs_both_dice"


def test_ruling_154_free_steps_make_no_pair() -> None:
    game = shield_turn((3, 4))
    own(game.player, 9, 10, 11, 12)
    at_depots(game, {4: [7]})
    assert illegal_reason(game, "shield 7 4 18 dice 3,4") == "not_enough_workers_for_pair"


def test_ruling_154_purchases_stay_open_after_the_pair() -> None:
    game = shield_turn((4, 4))
    own(game.player, 6)
    at_depots(game, {4: [7]})
    fill_depot(game, 0, "mine")
    fill_depot(game, 2, "building/bank")
    game.player.silver, game.player.workers = 2, 2
    play(game, "shield 7 4 18 dice 4,4", "buy mine 0.0", "buy building/bank 2.0")
    assert [t.label for t in game.player.storage] == ["building/bank", "mine"]


def test_ruling_155_replacing_is_a_choice_even_while_another_castle_is_free() -> None:
    game = shield_turn((4, 4))
    build(game.player, s1="castle")
    hold(game, game.player, 9)
    at_depots(game, {4: [7]})
    spaces = {int(move.split()[3]) for move in notations(game, "shield")}
    assert spaces == {1, 18} and len(state_of(game).held) == 1


def test_ruling_155_only_castles_bear_shields() -> None:
    game = shield_turn((4, 4))
    build(game.player, s11="building/church", s24="mine")
    at_depots(game, {4: [7]})
    assert [move.split()[3] for move in notations(game, "shield")] == ["18"]
    assert illegal_reason(game, "shield 7 4 11 dice 4,4") == "no_castle_there"


# --- the end of a phase (S906, S925-926) ------------------------------------------------------------------


def test_ruling_65_shields_are_paid_for_before_the_mines_pay() -> None:
    """H6, S906: what is not paid for leaves the game."""
    game = shield_turn()
    hold(game, game.player, 9)
    build(game.player, s24="mine")
    end_phase(game)
    assert (game.stage, game.player.silver) == ("upkeep", 0)
    assert illegal_reason(game, "upkeep") == "upkeep_short"
    play(game, "forgo 9", "upkeep")
    assert game.players[0].silver == 1 and held(game, game.players[0]) == []


def test_upkeep_for_no_shield_is_nothing_that_happens() -> None:
    game = shield_turn()
    hold(game, game.player, 9)
    end_phase(game)
    play(game, "forgo 9")
    assert [event for event in play(game, "upkeep") if event.kind == "upkeep"] == []


def test_ruling_105_shields_14_and_15_come_before_upkeep_and_upkeep_before_the_mines() -> None:
    game = shield_turn()
    red = game.player
    hold(game, red, 14)
    build(red, s25="building/bank")
    fill_depot(game, 1, "mine", "mine")
    red.silver = 1
    end_phase(game)
    stages = [game.stage]
    play(game, "free mine 1.0 24", "done")
    stages.append(game.stage)
    assert red.silver == 1
    play(game, "upkeep")
    assert (stages, game.stage, red.silver) == (["free_placement", "upkeep"], FILL, 1)


def test_ruling_105_players_lay_in_the_order_of_the_track_each_with_all_that_follows() -> None:
    game = shield_turn(players=3)
    red, blue, green = game.players
    hold(game, green, 14)
    hold(game, red, 15)
    fill_depot(game, 1, "ship")
    fill_depot(game, 0, "ship")
    for player in (red, blue, green):
        build(player, s24="mine")
    game.track = [[1, 0], [2], *game.track[2:]]
    end_phase(game)
    assert deciding(game) == "green"
    play(game, "free ship 1.0 19")
    assert game.track[2] == [2]  # the marker has advanced at once
    play(game, "done")
    assert deciding(game) == "red"


def test_ruling_105_whoever_has_nothing_to_decide_is_not_asked() -> None:
    game = shield_turn()
    hold(game, game.player, 14, 15)
    end_phase(game)
    assert game.stage == "upkeep" and deciding(game) == "red"  # no tile lies anywhere


def test_ruling_156_each_shield_costs_a_silver_in_every_phase_even_the_last() -> None:
    """H6, S906."""
    game = shield_turn()
    hold(game, game.player, 7, 8)
    game.player.silver = 3
    end_phase(game, 4)
    assert game.stage == "upkeep"
    play(game, "upkeep")
    assert game.stage == OVER and RULES.score_sheet(game)["red"] == {"shields": 16, "silver_left": 1}


def test_ruling_156_a_refused_shield_leaves_the_game_with_its_points() -> None:
    game = shield_turn()
    hold(game, game.player, 7, 8)
    game.player.silver = 1
    end_phase(game, 4)
    play(game, "forgo 8", "upkeep")
    assert RULES.score_sheet(game)["red"] == {"shields": 8} and game.box[tile("shield/8")] == 1


def test_ruling_156_everybody_with_a_shield_pays_for_their_own() -> None:
    game = shield_turn(players=3)
    red, blue, green = game.players
    hold(game, red, 7)
    hold(game, green, 8, 9)
    for player in (red, blue, green):
        player.silver = 2
    end_phase(game)
    decided = []
    while game.stage == "upkeep":
        decided.append(deciding(game))
        play(game, "upkeep")
    assert sorted(map(str, decided)) == ["green", "red"]
    assert [player.silver for player in (red, blue, green)] == [1, 2, 0]


def test_ruling_157_what_a_lost_shield_has_brought_is_not_taken_back() -> None:
    game = shield_turn((3, 4))
    player = game.player
    hold(game, player, 17)
    build(player, s12="monastery/1")
    store(game, "building/bank")
    play(game, "place building/bank 11 die 3")
    assert player.points["area_2"] == 3
    end_phase(game)
    play(game, "forgo 17", "upkeep")
    assert player.points["area_2"] == 3
    assert game.hooks.area_size(game, player, player.duchy.area_of[18]) == 1


# --- 1 to 6 (S912-917) ------------------------------------------------------------------------------------


def pastures(game: GameState) -> Player:
    """Gives red cows in both pastures of duchy 1; a third tile goes on space 10."""
    player = game.player
    build(player, s27="livestock/cow_3", s9="livestock/cow_2", s11="building/bank")
    store(game, "livestock/cow_4")
    return player


@pytest.mark.parametrize(("shield", "monastery", "points"), [(9, 1, 6), (1, 1, 9), (9, 7, 8), (1, 7, 12)])
def test_ruling_158_shield_1_joins_pastures_for_livestock_with_monastery_7(
    shield: int, monastery: int, points: int
) -> None:
    game = shield_turn((4, 4))
    player = pastures(game)
    hold(game, player, shield)
    own(player, monastery)
    play(game, "place livestock/cow_4 10 die 4")
    assert player.points["livestock"] == points


def test_ruling_158_shield_1_completes_no_area_and_scores_nothing_again() -> None:
    game = shield_turn((4, 4))
    player = pastures(game)
    hold(game, player, 1)
    assert player.score == 0
    play(game, "place livestock/cow_4 10 die 4")
    assert set(player.points) == {"livestock"}


def test_ruling_159_shield_2_answers_to_others_only_and_to_gains_only() -> None:
    game = shield_turn((1, 2))
    red, blue = game.players
    hold(game, red, 2)
    play(game, "workers die 1")
    assert red.workers == 2
    RULES.play(game, RULES.parse_move("ruling workers:blue=5"))
    assert (red.workers, blue.workers) == (2, 5)


def test_ruling_160_shield_3_lets_workers_pay_for_all_shields_itself_included() -> None:
    game = shield_turn()
    player = game.player
    hold(game, player, 3, 7, 8)
    player.silver, player.workers = 1, 2
    end_phase(game)
    assert notations(game, "upkeep") == ["upkeep workers 2"]
    play(game, "upkeep workers 2")
    assert (player.silver, player.workers, held(game, player)) == (0, 0, [3, 7, 8])


def test_ruling_160_workers_pay_for_nothing_once_shield_3_is_given_up() -> None:
    game = shield_turn()
    player = game.player
    hold(game, player, 3, 7)
    player.workers = 2
    end_phase(game)
    play(game, "forgo 3")
    assert illegal_reason(game, "upkeep workers 1") == "needs_shield"
    assert illegal_reason(game, "upkeep") == "upkeep_short"


def test_ruling_160_people_are_asked_how_upkeep_was_paid_where_both_are_possible() -> None:
    """Neither silver nor workers are seen."""
    game = shield_turn()
    hold(game, game.player, 3)
    game.player.silver = game.player.workers = 1
    end_phase(game)
    verdict = explain_turn(RULES, game, Evidence(sighting_of(RULES, game)))
    assert {str(*found.moves) for found in verdict.explanations} == {"upkeep", "upkeep workers 1"}


@pytest.mark.parametrize("move", ["upkeep workers 3", "upkeep workers -1"])
def test_ruling_160_no_more_workers_pay_than_are_due(move: str) -> None:
    game = shield_turn()
    hold(game, game.player, 3, 7)
    game.player.workers, game.player.silver = 5, 5
    end_phase(game)
    assert illegal_reason(game, move) == "upkeep_workers"


def test_ruling_161_storage_has_no_limit_with_shield_4() -> None:
    """S915."""
    game = shield_turn((1, 1))
    player = game.player
    hold(game, player, 4)
    store(game, "mine", "mine", "mine", "ship")
    fill_depot(game, 1, "castle")
    layout = RULES.visible_layout(game)
    assert layout["storage:red"] == ("mine", "mine", "mine", "ship", "empty")
    play(game, "take castle 1.0 die 1")
    assert len(player.storage) == 5 and game.pending == []


def test_ruling_161_without_shield_4_tiles_are_discarded_at_once_until_three_are_left() -> None:
    game = shield_turn((4, 4))
    player = game.player
    hold(game, player, 4)
    at_depots(game, {4: [7]})
    store(game, "castle", "mine", "mine", "ship", "ship")
    play(game, "shield 7 4 18 dice 4,4")
    assert notations(game) == ["discard castle", "discard mine", "discard ship"]
    play(game, "discard mine", "discard mine")
    assert [t.label for t in player.storage] == ["castle", "ship", "ship"]
    assert illegal_reason(game, "end") is None


def with_ship(*goods: tuple[int, int], owned: tuple[int, ...] = ()) -> GameState:
    """Returns red's turn with shield 5, a ship to place on space 19, goods (depot, kind) and one of each owned kind."""
    game = shield_turn((5, 5))
    hold(game, game.player, 5)
    store(game, "ship")
    for depot, kind in goods:
        game.depot_goods[depot - 1][kind] += 1
    for kind in owned:
        game.player.goods[kind] = 1
    play(game, "place ship 19 die 5")
    return game


def test_ruling_162_shield_5_is_optional() -> None:
    game = with_ship((1, 1), (2, 2))
    play(game, "goods 1 1", "skip")
    assert game.player.goods[1:3] == [1, 0] and illegal_reason(game, "end") is None


def test_ruling_162_what_shield_5_adds_may_take_the_last_space_for_goods() -> None:
    """Pooled with the ship: one new kind fits, whichever of the two it is."""
    game = with_ship((2, 5), (3, 6), (4, 6), owned=(1, 4))
    assert {"goods 2 5", "goods 3 6", "more 5", "more 6", "skip more_goods"} <= set(notations(game))
    play(game, "more 6")
    assert game.player.goods == [0, 1, 0, 0, 1, 0, 2]
    play(game, "goods - -")
    assert game.depot_goods[1][5] == 1


def test_ruling_162_shield_5_loads_after_a_ship_that_loads_nothing() -> None:
    game = with_ship((2, 5), (3, 6), owned=(1, 2, 3))
    play(game, "goods - -")
    assert game.pending == []  # nothing fits, and there is nothing to choose
    game = with_ship((2, 5), (3, 1), (4, 1), owned=(1, 2, 3))
    play(game, "goods - -", "more 1")
    assert game.player.goods[1] == 3


def test_ruling_162_nothing_waits_where_no_goods_lie() -> None:
    game = with_ship()
    assert game.pending == []


def without_goods(game: GameState) -> bool:
    """Whether a ship opens nothing but its own choice."""
    game.depot_goods[0][1] = 1
    game.hooks.tile_effect(game, game.player, tile("ship"), 19, [])
    return [pending.effect for pending in game.pending] == ["ship"]


def workers_with_others(game: GameState) -> int:
    gain(game, game.players[1], [], workers=2)
    return game.player.workers


USUAL: dict[int, tuple[Callable[[GameState], object], object]] = {
    1: (lambda game: game.hooks.pasture(game, game.player, 27), 1 << 27),
    2: (workers_with_others, 0),
    4: (lambda game: game.hooks.storage_spaces(game, game.player), 3),
    5: (without_goods, True),
    7: (lambda game: game.hooks.bonus_tile_points(game, game.player, 5), 5),
    8: (lambda game: game.hooks.mine_income(game, game.player), (1, 0)),
    9: (lambda game: game.hooks.sale(game, game.player, 3).silver, 1),
    10: (lambda game: game.hooks.monastery_points(game, game.player), {"monastery_26": 3}),
    12: (lambda game: game.hooks.sale(game, game.player, 3).points, 6),
    16: (lambda game: illegal_reason(game, "any 1"), "needs_shield"),
    17: (lambda game: game.hooks.area_size(game, game.player, game.player.duchy.area_of[18]), 1),
    18: (lambda game: game.hooks.open_spaces(game, game.player, "mine"), None),
}
"""Shield -> what it changes, and how that is without it; None: as in a game in which nobody has it."""


@pytest.mark.parametrize("number", USUAL)
def test_ruling_157_a_shield_acts_as_long_as_it_is_held(number: int) -> None:
    def furnished() -> GameState:
        game = shield_turn()
        build(game.player, s24="mine", s1="castle")
        own(game.player, 26)
        game.player.bonus_tiles = ["ship"]
        store(game, "mine", "mine", "mine")
        return game

    probe, usual = USUAL[number]
    if usual is None:
        usual = probe(furnished())
    game = furnished()
    hold(game, game.player, number)
    assert probe(game) != usual
    game = furnished()
    hold(game, game.player, number)
    RULES.play(game, RULES.parse_move("ruling shield:red:1=empty"))
    assert probe(game) == usual


def test_ruling_66_four_tiles_are_stored_with_shield_4_and_their_upkeep_is_paid_in_workers_with_3() -> None:
    game = shield_turn((1, 1))
    player = game.player
    hold(game, player, 3, 4)
    store(game, "castle", "mine", "mine")
    fill_depot(game, 1, "ship")
    player.workers = 2
    play(game, "take ship 1.0 die 1")
    end_phase(game)
    play(game, "upkeep workers 2")
    assert (len(player.storage), player.workers, held(game, player)) == (4, 0, [3, 4])


def copying(*numbers: int) -> GameState:
    """Returns red's turn with shield 6, after blue's monasteries have been named."""
    game = shield_turn((1, 5))
    red, blue = game.players
    hold(game, red, 6)
    own(blue, *numbers)
    play(game, "copy red blue")
    return game


def test_ruling_165_shield_6_names_one_player_once() -> None:
    game = shield_turn(players=3)
    hold(game, game.player, 6)
    assert notations(game, "copy") == ["copy red blue", "copy red green"]
    play(game, "copy red green")
    assert illegal_reason(game, "copy red blue") == "copied_already"


def test_ruling_165_later_monasteries_count_too() -> None:
    game = copying(3)
    red, blue = game.players
    play(game, "end")
    store(game, "monastery/5")
    blue.dice = [1]
    build(blue, s11="building/bank")
    play(game, "place monastery/5 12 die 1")
    assert [n for n in (3, 5) if red.monasteries >> n & 1] == [3, 5]


def test_ruling_165_copies_end_with_the_shield() -> None:
    game = copying(3)
    red = game.players[0]
    red.silver = 0
    end_phase(game)
    play(game, "forgo 6")
    assert not red.monasteries >> 3 & 1 and state_of(game).copied is None


def test_ruling_165_own_monasteries_stay_when_copies_end() -> None:
    game = copying(3)
    red = game.players[0]
    own(red, 14)
    end_phase(game)
    play(game, "forgo 6")
    assert [n for n in (3, 14) if red.monasteries >> n & 1] == [14]


def test_ruling_165_a_copied_monastery_6_buys_once_in_ones_own_turn() -> None:
    game = copying(6)
    red = game.players[0]
    fill_depot(game, 2, "building/bank", "building/market")
    red.workers = 4
    play(game, "buy building/bank 2.0")
    assert illegal_reason(game, "buy building/market 2.1") == "monastery_6_used"


def test_ruling_165_the_player_may_be_named_in_anothers_turn() -> None:
    game = shield_turn()
    red, blue = game.players
    hold(game, blue, 6)
    own(red, 8)
    assert notations(game, "copy") == []
    assert [*map(str, RULES.out_of_turn_moves(game))] == ["copy blue red"]
    RULES.play(game, RULES.out_of_turn_moves(game)[0])
    assert blue.monasteries >> 8 & 1 and deciding(game) == "red"


def test_ruling_165_at_the_end_copied_monasteries_score_by_ones_own_things() -> None:
    game = copying(16, 24)
    red, blue = game.players
    build(red, s13="building/warehouse", s14="building/warehouse")
    build(blue, s27="livestock/cow_3")
    points = game.hooks.monastery_points(game, red)
    assert points == {"monastery_16": 8}


def test_ruling_165_copies_are_in_effect_after_a_position_is_read_again() -> None:
    game = copying(3, 8)
    again = RULES.from_json(json.loads(json.dumps(game.to_json())))
    assert again.players[0].monasteries == game.players[0].monasteries
    assert again.state_hash() == game.state_hash()


def test_ruling_165_an_override_of_anothers_monastery_ends_its_copy() -> None:
    game = copying(3)
    space = next(i for i, t in enumerate(game.players[1].spaces) if t is tile("monastery/3"))
    RULES.play(game, RULES.parse_move(f"ruling duchy:blue:{space}=empty"))
    assert not game.players[0].monasteries >> 3 & 1


# --- 7 to 12 (S918-923) -----------------------------------------------------------------------------------


def test_ruling_163_shield_7_doubles_no_phase_points() -> None:
    game = shield_turn((3, 3))
    player = game.player
    hold(game, player, 7)
    build(player, s24="mine", s29="mine")
    store(game, "mine")
    play(game, "place mine 33 die 3")
    assert (player.points["area_3"], player.points["phase"], player.points["bonus_tiles"]) == (6, 10, 10)


def test_ruling_163_shield_7_doubles_only_tiles_that_are_taken_while_it_is_held() -> None:
    game = shield_turn((3, 3))
    player = game.player
    build(player, s24="mine", s29="mine")
    store(game, "mine")
    play(game, "place mine 33 die 3")
    hold(game, player, 7)
    assert player.points["bonus_tiles"] == 5


def test_ruling_164_shield_8_doubles_the_silver_and_monastery_2_adds_workers() -> None:
    """S646, S919."""
    game = shield_turn()
    player = game.player
    hold(game, player, 8)
    own(player, 2)
    build(player, s24="mine", s29="mine")
    assert game.hooks.mine_income(game, player) == (4, 2)


def test_ruling_67_shields_9_and_12_change_a_sale_by_warehouse_too() -> None:
    game = shield_turn((3, 3))
    player = game.player
    hold(game, player, 9, 12)
    build(player, s12="monastery/1")
    store(game, "building/warehouse")
    player.goods[2] = 3
    play(game, "place building/warehouse 11 die 3", "sell 2")
    assert (player.points["sales"], player.silver) == (12, 3)


def test_ruling_166_shield_11_takes_a_shield_of_any_depot_for_any_castle() -> None:
    game = shield_turn((5, 5))
    player = game.player
    hold(game, player, 11)
    build(player, s5="livestock/cow_2")
    at_depots(game, {2: [17], 6: [18]})
    store(game, "castle")
    play(game, "place castle 1 die 5")
    assert {*notations(game, "shield")} == {
        f"shield {number} {depot} {space}" for number, depot in ((17, 2), (18, 6)) for space in (1, 18)
    }
    play(game, "shield 18 6 1")
    assert player.dice == [5] and held(game, player) == [11, 18]


def test_ruling_166_a_castle_fetches_no_shield_without_shield_11() -> None:
    game = shield_turn((5, 5))
    at_depots(game, {2: [17]})
    build(game.player, s5="livestock/cow_2")
    store(game, "castle")
    play(game, "place castle 1 die 5")
    assert illegal_reason(game, "shield 17 2 18") == "needs_shield"


# --- 13 to 18 (S924-929) ----------------------------------------------------------------------------------


def test_ruling_68_shield_13_alone_brings_eight() -> None:
    """S924: doubled like the others."""
    game = shield_turn()
    hold(game, game.player, 13)
    assert game.hooks.final_points(game, game.player) == {"shields": 8}


def laying(*numbers: int, phase: int = 0) -> GameState:
    """Returns red's decision with these shields at a phase's end: a mine at depot 1, a bank at 2, a black ship."""
    game = shield_turn()
    hold(game, game.player, *numbers)
    build(game.player, s25="building/bank")
    fill_depot(game, 1, "mine")
    fill_depot(game, 2, "building/bank")
    fill_depot(game, 0, "ship")
    end_phase(game, phase)
    return game


def test_ruling_167_shield_14_lays_a_tile_whatever_the_number_of_its_space() -> None:
    game = laying(14)
    play(game, "free mine 1.0 24")
    assert game.player.spaces[24] is tile("mine") and game.depots[0][0] is None


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("free mine 1.0 25", "space_taken"),
        ("free mine 1.0 26", "wrong_colour"),
        ("free mine 1.0 29", "not_adjacent"),
        ("free mine 1.0 37", "no_such_space"),
        ("free mine 1.1 24", "tile_not_there"),
        ("free building/bank 2.0 26", "building_twice"),
        ("free mine 7.0 24", "no_such_depot"),
    ],
)
def test_ruling_167_colour_neighbours_and_city_bind_it(move: str, code: str) -> None:
    assert illegal_reason(laying(14), move) == code


def test_ruling_167_it_is_optional() -> None:
    game = laying(14)
    play(game, "done")
    assert game.stage == "upkeep" and game.depots[0][0] is tile("mine")


def test_ruling_106_shield_14_reaches_the_numbered_depots_and_shield_15_the_black_one() -> None:
    game = laying(14)
    assert illegal_reason(game, "free ship 0.0 19") == "needs_shield"
    game = laying(15)
    assert illegal_reason(game, "free mine 1.0 24") == "needs_shield"
    assert notations(game, "free ship 0.0")


def test_ruling_168_a_ship_loads_and_advances_and_a_town_hall_lays_from_storage() -> None:
    game = laying(15)
    game.depot_goods[2][5] = 1
    play(game, "free ship 0.0 17", "goods 3 5")
    assert game.player.goods[5] == 1 and game.track[1] == [0]
    game = laying(14)
    game.depots[0][0] = tile("building/town_hall")
    store(game, "mine")
    play(game, "free building/town_hall 1.0 11", "place mine 24")
    assert game.player.spaces[24] is tile("mine")


def test_ruling_168_nothing_is_bought_outside_a_turn() -> None:
    game = laying(14)
    own(game.player, 6)
    game.player.silver, game.player.workers = 5, 5
    assert illegal_reason(game, "buy ship 0.0") == "wrong_stage"
    assert illegal_reason(game, "buy building/bank 2.0") == "wrong_stage"


def test_ruling_169_whoever_has_both_picks_the_order_and_each_lays_once() -> None:
    game = laying(14, 15)
    play(game, "free ship 0.0 19")
    assert illegal_reason(game, "free ship 0.0 20") == "shield_has_placed"
    play(game, "free mine 1.0 24")
    assert notations(game) == ["done"]
    play(game, "done")
    assert state_of(game).placed_freely == frozenset()


def test_ruling_169_a_shield_won_there_is_paid_for_in_the_next_step() -> None:
    game = shield_turn(castle=1)
    player = game.player
    hold(game, player, 14, 11)
    build(player, s11="building/bank")
    at_depots(game, {3: [7]})
    fill_depot(game, 1, "castle")
    player.silver = 3
    end_phase(game)
    play(game, "free castle 1.0 18", "shield 7 3 18", "done", "upkeep")
    assert player.silver == 0 and held(game, player) == [7, 11, 14]


def test_ruling_170_shield_16_turns_one_die_a_turn() -> None:
    game = shield_turn((2, 3))
    hold(game, game.player, 16)
    fill_depot(game, 6, "mine", "ship")
    play(game, "any 2", "take mine 6.0")
    assert illegal_reason(game, "any 3") == "shield_16_used"
    game.player.silver = 1
    finish_round(game)
    RULES.play(game, RULES.parse_move("roll red=2,3 blue=1,1 white=1"))
    assert illegal_reason(game, "any 3") is None


@pytest.mark.parametrize("dice", [(2, 3), (2, 2)])
def test_ruling_170_the_die_is_used_up_and_the_other_one_stays(dice: tuple[int, int]) -> None:
    game = shield_turn(dice)
    player = game.player
    hold(game, player, 16)
    player.goods[5] = 1
    build(player, s25="building/bank")
    store(game, "mine")
    fill_depot(game, 6, "ship")
    play(game, "any 2")
    choices = set(notations(game))
    assert {"take ship 6.0", "place mine 24", "sell 5", "workers"} <= choices
    assert not any("die" in move or move == "skip" for move in choices)
    play(game, "place mine 24")
    assert player.dice == [dice[1]]


def test_ruling_170_workers_help_the_other_die_of_a_pair() -> None:
    game = shield_turn((2, 5))
    hold(game, game.player, 16)
    at_depots(game, {6: [7]})
    game.player.workers = 1
    assert notations(game, "shield") == []
    play(game, "any 2", "shield 7 6 18 dice 5 workers 1")
    assert held(game, game.player) == [7] and game.player.workers == 0


def test_ruling_170_a_pair_needs_the_other_die() -> None:
    game = shield_turn((6, 2))
    hold(game, game.player, 16)
    at_depots(game, {6: [7]})
    play(game, "workers die 6", "any 2")
    assert illegal_reason(game, "shield 7 6 18 dice 6") == "pair_needs_both_dice"


@pytest.mark.parametrize(("space", "size", "points"), [(11, 2, 3), (13, 4, 10)])
def test_ruling_171_shield_17_scores_the_next_size_and_the_phase_as_usual(
    space: int, size: int, points: int
) -> None:
    """S928: an area of three brings 10 points."""
    game = shield_turn((2, 3))
    player = game.player
    hold(game, player, 17)
    build(player, s12="monastery/1", s7="monastery/2", s14="building/market", s8="building/church")
    store(game, "building/bank")
    play(game, f"place building/bank {space} die {player.duchy.spaces[space].die}")
    assert (player.points[f"area_{size}"], player.points["phase"]) == (points, 10)


def test_ruling_171_shield_18_lets_tiles_lie_apart() -> None:
    game = shield_turn((1, 6))
    player = game.player
    store(game, "livestock/cow_4", "building/bank")
    assert illegal_reason(game, "place livestock/cow_4 0 die 6") == "not_adjacent"
    hold(game, player, 18)
    assert illegal_reason(game, "place livestock/cow_4 1 die 6") == "wrong_colour"
    play(game, "place livestock/cow_4 0 die 6")
    assert player.spaces[0] is tile("livestock/cow_4")


def test_ruling_171_shield_18_waives_castle_links() -> None:
    game = shield_turn((1, 6), duchy="se-11", castle=6, also=("linked_castles",))
    player = game.player
    space = next(
        s for s in player.duchy.spaces if s.tile_type == "livestock" and not player.frontier >> s.index & 1
    )
    store(game, "livestock/cow_4")
    player.dice = [space.die]
    move = f"place livestock/cow_4 {space.index} die {space.die}"
    assert illegal_reason(game, move) in ("not_linked", "not_adjacent")
    hold(game, player, 18)
    assert illegal_reason(game, move) is None


def test_ruling_103_a_shield_fetched_by_a_castle_comes_too_late_for_the_castles_area() -> None:
    game = shield_turn((6, 6), castle=1)
    player = game.player
    hold(game, player, 11)
    build(player, s11="building/bank")
    at_depots(game, {2: [17]})
    store(game, "castle")
    play(game, "place castle 18 die 6", "shield 17 2 18")
    assert player.points["area_1"] == 1


def test_ruling_166_a_camera_finds_the_castle_beneath_the_shield_that_its_action_has_fetched() -> None:
    game = shield_turn((6, 6), castle=1)
    player = game.player
    hold(game, player, 11)
    build(player, s11="building/bank")
    at_depots(game, {2: [17]})
    store(game, "castle")
    after = game.copy()
    moves = ["place castle 18 die 6", "shield 17 2 18", "workers die 6"]
    play(after, *moves)
    verdict = explain_turn(RULES, game, Evidence(sighting_of(RULES, after)))
    assert {*map(str, verdict.explanations[0].moves)} == {*moves, "end"}


# --- overrides, what is seen and shown --------------------------------------------------------------------


def test_what_a_camera_sees_of_a_castle_with_a_shield_becomes_an_override() -> None:
    game = shield_turn()
    shown = list(RULES.visible_layout(game)["duchy:red"])
    shown[18] = "castle/shield_7"
    override = RULES.override(game, {"duchy:red": shown})
    assert str(override) == "ruling shield:red:18=shield/7"
    RULES.play(game, override)
    assert held(game, game.player) == [7]
    assert RULES.visible_layout(game)["duchy:red"][18] == "castle/shield_7"


def test_an_override_puts_castle_and_shield_where_a_camera_sees_both() -> None:
    game = shield_turn()
    shown = list(RULES.visible_layout(game)["duchy:red"])
    shown[1], shown[18] = "castle/shield_7", "empty"
    override = RULES.override(game, {"duchy:red": shown})
    assert str(override) == "ruling duchy:red:1=castle shield:red:1=shield/7 duchy:red:18=empty"
    RULES.play(game, override)
    assert state_of(game).held == {7: ("red", 1)}


def test_an_override_that_removes_a_castle_removes_its_shield() -> None:
    game = shield_turn()
    hold(game, game.player, 7)
    RULES.play(game, RULES.parse_move("ruling duchy:red:18=empty"))
    assert held(game, game.player) == [] and game.box[tile("shield/7")] == 1


def test_an_override_moves_a_shield_from_a_castle_to_a_depot() -> None:
    game = shield_turn()
    hold(game, game.player, 7)
    RULES.play(game, RULES.parse_move("ruling shields:3:0=shield/7 shield:red:18=empty"))
    assert held(game, game.player) == [] and [*state_of(game).at(3)] == [7]


@pytest.mark.parametrize(
    "change",
    [
        "shields:3:1=shield/7",
        "shields:7:0=shield/7",
        "shield:red:24=shield/7",
        "shield:red:18=mine",
        "shield:x:18=-",
        "black:0=shield/7",
        "depot:3:0=shield/7",
        "duchy:red:0=shield/7",
        "storage:red=shield/7",
    ],
)
def test_an_override_of_what_is_no_place_of_a_shield_is_refused(change: str) -> None:
    reason = RULES.validate(shield_turn(), RULES.parse_move(f"ruling {change}"))
    assert reason is not None and reason.code == "ruling_unknown"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ("duchy:red:18=empty shield:red:18=shield/7", "ruling_unknown"),
        ("shield:red:18=shield/7 duchy:red:18=mine", "ruling_unknown"),
        ("duchy:red:0=castle shield:red:0=shield/7", None),
        ("shield:red:0=shield/7 duchy:red:0=castle", None),
    ],
)
def test_an_override_puts_a_shield_only_where_it_leaves_a_castle(changes: str, code: str | None) -> None:
    game, move = shield_turn(), RULES.parse_move(f"ruling {changes}")
    reason = RULES.validate(game, move)
    assert (reason and reason.code) == code
    if reason is None:
        RULES.play(game, move)
        assert state_of(game).held == {7: ("red", 0)}


def test_an_override_takes_a_castle_of_another_space_away_with_its_shield() -> None:
    game = shield_turn()
    RULES.play(game, RULES.parse_move("ruling duchy:red:0=castle shield:red:0=shield/7"))
    shown = list(RULES.visible_layout(game)["duchy:red"])
    shown[0] = "empty"
    RULES.play(game, RULES.override(game, {"duchy:red": shown}))
    assert state_of(game).held == {} and game.box[tile("shield/7")] == 1


def test_an_override_needs_a_shield_that_is_free() -> None:
    game = shield_turn()
    hold(game, game.player, 7)
    reason = RULES.validate(game, RULES.parse_move("ruling shields:3:0=shield/7"))
    assert reason is not None and reason.code == "ruling_none_left"


def test_shields_of_players_who_change_colours_go_with_them() -> None:
    moves = ("copy red blue", "ruling shield:red:18=shield/7")
    renamed = [str(RULES.with_players(RULES.parse_move(m), {"red": "blue", "blue": "red"})) for m in moves]
    assert renamed == ["copy blue red", "ruling shield:blue:18=shield/7"]


def test_the_view_shows_shields_at_depots_and_of_players() -> None:
    game = shield_turn(players=4)
    at_depots(game, {1: [7, 12]})
    hold(game, game.player, 13, 6)
    play(game, "copy red green")
    view = RULES.view(game)
    assert view["shields"]["1"] == [7, 12] and view["shields"]["2"] == [None, None]
    red, blue, *_ = view["players"]
    assert {shield["number"]: shield["points"] for shield in red["shields"]} == {6: 24, 13: 8}
    assert {shield["space"] for shield in red["shields"]} == set(held_by(game, game.players[0]))
    assert (red["copies"], blue["copies"], blue["shields"]) == ("green", None, [])


def test_a_shield_keeps_its_place_when_the_one_beside_it_is_taken() -> None:
    game = shield_turn((1, 1), players=4)
    at_depots(game, {1: [7, 12]})
    play(game, "shield 7 1 18 dice 1,1")
    assert RULES.view(game)["shields"]["1"] == [None, 12]
    assert RULES.visible_layout(game)["shields:1"] == ("empty", "shield/12")


def test_a_game_without_shields_has_no_trace_of_them() -> None:
    game = RULES.new(setup_of())
    assert "shield" not in json.dumps([game.to_json(), RULES.view(game), RULES.visible_layout(game)])


def reminded(game: GameState) -> list[str]:
    return [reminder.code for reminder in RULES.reminders(game, [])]


@pytest.mark.parametrize(
    ("shield", "code"), [(9, "upkeep_short"), (3, "upkeep_short_with_workers")], ids=["silver", "workers"]
)
@pytest.mark.parametrize(("silver", "workers"), [(0, 0), (1, 0), (0, 1)])
def test_a_reminder_says_in_the_last_round_that_upkeep_cannot_be_paid(
    silver: int, workers: int, shield: int, code: str
) -> None:
    """Shield 3 makes workers count as well (S914)."""
    game = shield_turn()
    hold(game, game.player, shield)
    game.player.silver, game.player.workers = silver, workers
    assert code not in reminded(game)
    game.round = 4
    assert (code in reminded(game)) == (silver + (workers if shield == 3 else 0) == 0)


@pytest.mark.parametrize(
    ("written", "code"),
    [("shield 7 r4c4", "not_enough_workers_for_pair"), ("shield 7 r5c3", "no_castle_there")],
)
def test_a_shield_that_cannot_be_taken_is_refused_with_the_reason(written: str, code: str) -> None:
    game = shield_turn((1, 2))
    at_depots(game, {4: [7]})
    assert illegal_reason(game, RULES.parse_short(game, written)) == code


def test_whoever_places_nothing_freely_is_said_to_have_declined() -> None:
    """So the turn is listed among all turns; where a tile was placed, that says enough."""
    game = shield_turn()
    hold(game, game.player, 15)
    fill_depot(game, 0, "ship", "mine")
    end_phase(game)
    another = game.copy()
    assert [event.kind for event in play(game, "done")] == ["skip"]
    play(another, next(move for move in notations(another) if move.startswith("free mine")))
    assert play(another, "done") == []


def test_a_shield_that_lies_nowhere_is_no_move() -> None:
    with pytest.raises(InvalidMoveError, match="shield 8 lies at none of the depots"):
        RULES.parse_short(shield_turn(), "shield 8 r4c4")


def test_bots_keep_a_shield_that_they_can_pay_for() -> None:
    game = shield_turn()
    hold(game, game.player, 7)
    game.player.silver = 1
    end_phase(game, 3)
    assert str(greedy_bot(1)(RULES, game)) == "upkeep"


# --- what always holds ------------------------------------------------------------------------------------


def random_games(seeds: range) -> Iterator[GameState]:
    """Yields every position of games at random among the moves that concern shields, where there are any."""
    shield_words = ("shield", "any", "copy", "free", "more", "upkeep")
    for seed in seeds:
        rng = random.Random(seed)
        game = RULES.new(setup_of(people=2 + seed % 3, modules=["shields"]))
        while not RULES.is_over(game):
            moves = RULES.legal_moves(game)
            liked = [move for move in moves if str(move).split()[0] in shield_words]
            event = RULES.sample_chance(game, rng)
            RULES.play(game, event or rng.choice(liked or moves))
            for player in game.players if game.stage != SETUP else ():
                player.workers, player.silver = max(player.workers, 3), max(player.silver, 3)
            yield game


def test_every_shield_is_in_one_place_and_on_a_castle_if_anybody_has_it() -> None:
    for game in random_games(range(3)):
        there = state_of(game).components()
        assert all(
            there[f"shield/{n}"] + game.supply[tile(f"shield/{n}")] + game.box.get(tile(f"shield/{n}"), 0)
            == 1
            for n in NUMBERS
        )
        for player in game.players:
            for space in held_by(game, player):
                assert player.spaces[space] is tile("castle")


def test_monasteries_in_effect_are_ones_own_and_those_that_are_copied() -> None:
    seen = set()
    for game in random_games(range(6)):
        for player in game.players:
            own_ones = {t.number for t in player.spaces if t is not None and t.type == "monastery"}
            in_effect = {n for n in range(1, 27) if player.monasteries >> n & 1}
            copied = state_of(game).copied if 6 in held(game, player) else None
            others = {
                t.number
                for t in (game.player_of(copied).spaces if copied else ())
                if t is not None and t.type == "monastery"
            }
            assert in_effect == own_ones | others
            seen.add(bool(others - own_ones))
    assert seen == {True, False}


def test_nobody_stores_more_than_fits_once_their_decision_is_over() -> None:
    for before, game in pairwise(game.copy() for game in random_games(range(3))):
        if before.stage == "turn" and game.turn != before.turn:
            player = game.players[before.turn]
            assert len(player.storage) <= game.hooks.storage_spaces(game, player)
