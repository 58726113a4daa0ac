"""The rulings, each by its number in docs/rulings.md: where players and other programs go wrong.

Every expected value is worked out from the rule text: S lines of the Special Edition, A lines of 2011.
"""

from __future__ import annotations

import dataclasses
import random
import re
from collections import Counter
from pathlib import Path

import pytest

from companion.games.burgundy.rules import Event, GameState
from companion.games.burgundy.rules.decisions import Fill
from companion.games.burgundy.rules.legality import legal_moves
from companion.games.burgundy.rules.state import FILL, OVER, ROLL, TURN, Player
from companion.games.burgundy.rules.tiles import BUILDINGS, tile
from companion.games.burgundy.rules.validation import validate
from tests.games.burgundy import test_rules_examples, test_rulings_chateauma
from tests.support.paths import DOCS
from tests.support.positions import (
    RULES,
    build,
    dealt,
    fill_depot,
    filled,
    final_sheet,
    finish_phase,
    finish_round,
    illegal_reason,
    last_round,
    new_game,
    notations,
    on_turn,
    own,
    play,
    rolled,
    set_up,
    store,
)

PAGE = DOCS / "rulings.md"
BASE_RULINGS = range(1, 102)
"""Of the base game and the Châteauma; expansions have more."""
EXPANSIONS = Path(__file__).with_name("expansions")
NO_GOODS = [[0] * 7 for _ in range(6)]
"""Goods in six empty depots."""
PLAIN_TILES = {
    "castle": ["castle"] * 4,
    "mine": ["mine"] * 3,
    "ship": ["ship"] * 6,
    "livestock": ["livestock/pig_2"] * 6,
}
"""As many tiles as a duchy has spaces for a type."""


def cover(player: Player, tile_type: str, *, but: int) -> None:
    """Places a tile on every free space for a tile type but one, without any effect."""
    free = [
        s.index for s in player.duchy.spaces if s.tile_type == tile_type and player.spaces[s.index] is None
    ]
    free.remove(but)
    build(player, **{f"s{i}": label for i, label in zip(free, PLAIN_TILES[tile_type], strict=False)})


def kinds(events: list[Event]) -> list[str]:
    """What happened, one word an event."""
    return [event.kind for event in events]


def stored(player: Player) -> list[str]:
    """Labels of a player's stored tiles."""
    return sorted(t.label for t in player.storage)


def workers_by_depot(game: GameState) -> list[int]:
    """Workers that it takes to read red's die as 1, 2, ... 6, found by taking a mine from each depot."""
    game.player.workers = 3
    game.depots = [[tile("mine")] for _ in range(6)]
    takes = [move.split() for move in notations(game, "take")]
    assert [words[2] for words in takes] == [f"{depot}.0" for depot in range(1, 7)]
    return [int(words[-1]) if "workers" in words else 0 for words in takes]


# --- 1 to 14: set-up, rounds and turn order ---------------------------------------------------------------


@pytest.mark.parametrize("space", [3, 15, 18, 36])
def test_ruling_01_a_starting_castle_that_fills_its_area_brings_no_points(space: int) -> None:
    """S517: duchy 2 has four castle areas of one space."""
    game = new_game(duchy="se-2")
    events = play(game, f"castle red {space}")
    assert game.players[0].points == {} and kinds(events) == ["start_castle"]


def test_ruling_02_a_starting_castle_is_one_of_the_spaces_of_its_colour() -> None:
    """S519: on duchy 2 the castle covered last brings 1 for its area, 10 for the phase, 5 for the colour."""
    game = on_turn((3, 1), duchy="se-2", castle=36)
    cover(game.player, "castle", but=3)
    build(game.player, s7="livestock/cow_2")
    store(game, "castle")
    play(game, "place castle 3 die 3")
    assert game.player.points == {"area_1": 1, "phase": 10, "bonus_tiles": 5}


def test_ruling_02_a_starting_castle_is_no_empty_space_in_a_tie() -> None:
    """S599: two spaces are covered on either board, so the track decides, for red."""
    game = on_turn()
    build(game.players[0], s24="mine")
    game.seats[1] = Player("blue", game.players[1].duchy)
    build(game.players[1], s29="mine", s33="mine")
    game.track[0] = [0, 1]
    assert RULES.ranking(game) == ["red", "blue"]


def test_ruling_03_the_first_tile_touches_the_starting_castle() -> None:
    """S348: from the corner of duchy 2, two spaces for buildings and one for a mine are within reach."""
    game = on_turn((5, 5), duchy="se-2", castle=36)
    game.player.workers = 3
    store(game, "building/bank", "mine", "livestock/cow_2")
    places = [move.split()[1:3] for move in notations(game, "place")]
    assert sorted(places) == [["building/bank", "31"], ["building/bank", "35"], ["mine", "32"]]
    assert illegal_reason(game, "place building/bank 19 die 5") == "wrong_colour"
    assert illegal_reason(game, "place building/bank 16 die 5 workers 2") == "not_adjacent"


def test_ruling_04_a_tile_left_lying_goes_to_the_box_and_never_comes_again() -> None:
    """S262, S22: a monastery that was in depot 2 in phase A cannot turn up there in phase B."""
    game = filled()
    left = game.depots[1][0]
    assert left is not None and left.type == "monastery"
    finish_phase(game)
    fill = dealt(game, 1)
    assert isinstance(fill, Fill)
    again = dataclasses.replace(
        fill, depots=(fill.depots[0], (left.label, *fill.depots[1][1:]), *fill.depots[2:])
    )
    reason = validate(game, again)
    assert reason is not None and reason.code == "tile_not_in_supply"
    play(game, fill)
    assert game.box[left] == 1


def test_ruling_04_in_2011_mines_ships_and_castles_go_to_the_box_too() -> None:
    """A202 leaves them there, which the companion does not offer: equal tiles are drawn in their place."""
    game = filled(edition="2011")
    left = Counter(t for depot in (*game.depots, game.black) for t in depot if t)
    assert {"ship", "mine", "castle"} <= {t.label for t in left}
    finish_phase(game)
    play(game, dealt(game, 1))
    assert Counter(game.box) == left


@pytest.mark.parametrize("edition", ["special", "2011"])
def test_ruling_04_five_phases_of_four_players_use_up_the_coloured_tiles(edition: str) -> None:
    """S18-23: four of the 14 castles are on the boards from the start."""
    game = set_up(4, edition)
    coloured: Counter[str] = Counter()
    for t, count in game.supply.items():
        coloured[t.type] += 0 if t.black else count
    assert coloured == {
        "building": 40,
        "ship": 20,
        "livestock": 20,
        "monastery": 20,
        "mine": 10,
        "castle": 10,
    }
    for phase in range(5):
        game.phase, game.stage = phase, FILL
        play(game, dealt(game, phase))
    assert not any(count for t, count in game.supply.items() if not t.black)


@pytest.mark.parametrize(
    ("phase", "right", "wrong"),
    [
        (0, "castle", "mine"),
        (1, "mine", "castle"),
        (2, "castle", "mine"),
        (3, "mine", "castle"),
        (4, "castle", "mine"),
    ],
)
def test_ruling_05_depot_6_of_three_players_takes_a_castle_in_a_c_e_and_a_mine_in_b_d(
    phase: int, right: str, wrong: str
) -> None:
    """S268, S603."""
    game = set_up(3)
    game.phase = phase
    fill = dealt(game)
    assert isinstance(fill, Fill) and right in fill.depots[5]
    swapped = tuple(wrong if label == right else label for label in fill.depots[5])
    reason = validate(game, dataclasses.replace(fill, depots=(*fill.depots[:5], swapped)))
    assert reason is not None and reason.code == "wrong_slot_colour"


def test_ruling_05_depot_6_of_four_players_takes_a_castle_in_phase_b() -> None:
    """S268."""
    game = set_up(4)
    game.phase = 1
    play(game, dealt(game))
    assert [t.type for t in game.depots[5] if t].count("castle") == 1


def test_ruling_06_goods_pile_up_over_two_phases_until_a_ship_takes_them_all() -> None:
    """S264, S281: five goods arrive in depot 3 in phase A, a sixth in phase B."""
    game = filled()
    game.round_goods = [4, 4, 1, 4, 1]
    for _ in range(5):
        play(game, rolled(game, white=3))
        finish_round(game)
    play(game, dealt(game, 1))
    game.round_goods[0] = 1
    play(game, rolled(game, (2, 5), white=3))
    game.player.goods = [0] * 7
    store(game, "ship")
    play(game, "place ship 17 die 2", "goods 3 1,4")
    assert game.player.goods == [0, 3, 0, 0, 3, 0, 0] and game.depot_goods == NO_GOODS


@pytest.mark.parametrize("kind", range(1, 7))
def test_ruling_07_the_kind_of_goods_is_the_value_that_sells_them(kind: int) -> None:
    """S241, S561: six kinds by six values, seven of each."""
    assert new_game().goods_supply == [0, 7, 7, 7, 7, 7, 7]
    game = on_turn((kind, kind % 6 + 1))
    game.player.goods[kind] = 2
    assert notations(game, "sell") == [f"sell {kind} die {kind}"]


def test_ruling_08_the_goods_of_a_round_go_in_order_from_the_first_round_space() -> None:
    """S281: the first goods tile is in the white die's depot, the other four wait."""
    game = filled()
    before = RULES.visible_layout(game)["round"]
    play(game, rolled(game, white=6))
    assert RULES.visible_layout(game)["round"] == ("empty", *before[1:])
    assert RULES.visible_layout(game)["depot_goods:6"][:2] == (before[0], "empty")


@pytest.mark.parametrize(
    ("track", "first"),
    [([[3, 2, 1, 0]], "red"), ([[0, 1], [3], [2]], "green"), ([[0], [1, 2, 3]], "black")],
)
def test_ruling_09_the_front_most_space_plays_first_and_in_a_stack_the_top(
    track: list[list[int]], first: str
) -> None:
    """S277, S283."""
    game = filled(4)
    game.track = [*track, *[[] for _ in range(7 - len(track))]]
    assert RULES.view(game)["white_die"] == first
    play(game, rolled(game))
    assert RULES.to_move(game) == first


def test_ruling_10_a_ship_that_reaches_a_stack_plays_before_it() -> None:
    """S368: red joins blue and green, who are a space ahead."""
    game = filled(4)
    game.track = [[3, 0], [2, 1], [], [], [], [], []]
    play(game, rolled(game), "end", "end")
    game.depot_goods = [depot[:] for depot in NO_GOODS]
    store(game, "ship")
    play(game, "place ship 17 die 2")
    assert RULES.view(game)["order"] == ["red", "blue", "green", "black"]


def test_ruling_11_a_new_order_counts_from_the_next_round_and_everybody_has_one_turn() -> None:
    """S283-285, S368, A408: green overtakes all when both others have played."""
    game = on_turn(players=3)
    turns = []
    for _ in range(2):
        if game.stage == ROLL:
            play(game, rolled(game))
        while game.stage == TURN:
            turns.append(RULES.to_move(game))
            if turns == ["red", "blue", "green"]:
                store(game, "ship")
                play(game, "place ship 17 die 2")
            play(game, "end")
    assert turns == ["red", "blue", "green", "green", "red", "blue"]


def test_ruling_11_the_white_die_changes_hands_at_once() -> None:
    """S368: in the middle of the round, with red still to play."""
    game = filled(3)
    game.track = [[0, 1], [2], [], [], [], [], []]
    play(game, rolled(game), "end")
    game.depot_goods = [depot[:] for depot in NO_GOODS]
    store(game, "ship")
    events = play(game, "place ship 17 die 2")
    assert [e.player for e in events if e.kind == "white_die"] == ["blue"]
    assert RULES.view(game)["white_die"] == "blue"
    play(game, "end")
    assert RULES.to_move(game) == "red"


def test_ruling_11_a_ship_of_the_first_player_does_not_move_the_white_die() -> None:
    """S368: it changes hands only when somebody else has become first."""
    game = on_turn()
    store(game, "ship")
    assert "white_die" not in kinds(play(game, "place ship 17 die 2"))


def test_ruling_12_the_white_die_passed_on_is_not_rolled_again_in_the_round() -> None:
    """S281: no second goods tile arrives."""
    game = on_turn()
    white, waiting = game.white, game.round_goods[:]
    play(game, "end")
    store(game, "ship")
    events = play(game, "place ship 17 die 2")
    assert "white_die" in kinds(events) and "goods_arrive" not in kinds(events)
    assert (game.white, game.round_goods, game.depot_goods) == (white, waiting, NO_GOODS)
    assert RULES.expected_dice(game) == {}


def test_ruling_13_the_first_player_neither_uses_nor_turns_the_white_die() -> None:
    """S281: it shows a 5; red has 1 and 1 and needs two workers to take from depot 5."""
    game = filled()
    play(game, rolled(game, (1, 1), white=5))
    game.player.workers = 6
    game.depots = [[None] * 2 for _ in range(6)]
    fill_depot(game, 5, "mine")
    assert illegal_reason(game, "take mine 5.0 die 5") == "no_such_die"
    assert notations(game, "take") == ["take mine 5.0 die 1 workers 2"]
    assert [sum(goods) for goods in game.depot_goods] == [0, 0, 0, 0, 1, 0]


@pytest.mark.parametrize("edition", ["special", "2011"])
def test_ruling_14_a_turn_may_end_with_dice_unused_and_tells_which(edition: str) -> None:
    """S291; A319 asks for two actions, which two workers for any die always make possible."""
    game = on_turn((3, 4), edition=edition)
    play(game, "workers die 4")
    (ended,) = play(game, "end")
    assert ended.data["unused"] == [3]


# --- 15 to 21: dice and workers ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("die", "workers"),
    [
        (1, [0, 1, 2, 3, 2, 1]),
        (2, [1, 0, 1, 2, 3, 2]),
        (3, [2, 1, 0, 1, 2, 3]),
        (4, [3, 2, 1, 0, 1, 2]),
        (5, [2, 3, 2, 1, 0, 1]),
        (6, [1, 2, 3, 2, 1, 0]),
    ],
)
def test_ruling_15_workers_go_round_the_ring_of_six(die: int, workers: list[int]) -> None:
    """S293-295: one a step, 1 and 6 being neighbours."""
    assert workers_by_depot(on_turn((die, die))) == workers


def test_ruling_16_workers_of_a_boarding_house_turn_the_other_die() -> None:
    """S293, S485: four arrive, three turn a 1 into a 4; turning it is no action."""
    game = on_turn((3, 1))
    fill_depot(game, 4, "castle")
    store(game, "building/boarding_house")
    assert illegal_reason(game, "take castle 4.0 die 1 workers 3") == "not_enough_workers"
    play(game, "place building/boarding_house 25 die 3", "take castle 4.0 die 1 workers 3")
    assert game.player.workers == 1 and stored(game.player) == ["castle"]


@pytest.mark.parametrize(("die", "workers"), [(1, [0, 1, 1, 2, 1, 1]), (5, [1, 2, 1, 1, 0, 1])])
def test_ruling_17_with_monastery_8_a_worker_goes_one_step_or_two(die: int, workers: list[int]) -> None:
    """S655-657."""
    game = on_turn((die, die))
    own(game.player, 8)
    assert workers_by_depot(game) == workers


@pytest.mark.parametrize(
    ("monasteries", "workers"),
    [
        ([], [0, 1, 2, 3]),
        ([10], [0, 0, 1, 2]),
        ([8], [0, 1, 1, 2]),
        ([8, 10], [0, 0, 1, 1]),
    ],
)
def test_ruling_18_a_free_step_adds_to_workers_and_to_monastery_8(
    monasteries: list[int], workers: list[int]
) -> None:
    """S655-662: a ship on a 1, with dice 1, 6, 5 and 4."""
    spent = []
    for die in (1, 6, 5, 4):
        game = on_turn((die, die))
        own(game.player, *monasteries)
        build(game.player, s17="ship")
        store(game, "ship")
        game.player.workers = 3
        (move,) = (m for m in notations(game, "place") if m.split()[2] == "16")
        spent.append(int(move.split()[-1]) if "workers" in move else 0)
    assert spent == workers


def test_ruling_19_monastery_12_does_not_help_to_place() -> None:
    """S662: only when taking from the main board."""
    game = on_turn((2, 2))
    own(game.player, 12)
    store(game, "building/bank")
    assert illegal_reason(game, "place building/bank 25 die 2") == "not_enough_workers"


@pytest.mark.parametrize(
    ("number", "label"),
    [(9, "building/bank"), (10, "ship"), (10, "livestock/pig_3"), (11, "mine"), (11, "castle")],
)
def test_ruling_19_monasteries_9_to_11_do_not_help_to_take(number: int, label: str) -> None:
    """S659-661: only when placing."""
    game = on_turn((2, 2))
    own(game.player, number)
    fill_depot(game, 3, label)
    assert illegal_reason(game, f"take {label} 3.0 die 2") == "not_enough_workers"


@pytest.mark.parametrize("number", [9, 10, 11, 12])
def test_ruling_19_no_free_step_helps_to_sell_or_makes_a_purchase_cheaper(number: int) -> None:
    """S568, S582, S659-662."""
    game = on_turn((6, 6))
    own(game.player, number)
    game.player.goods[1] = 1
    game.player.silver = 1
    fill_depot(game, 0, "ship")
    assert illegal_reason(game, "sell 1 die 6") == "not_enough_workers"
    assert illegal_reason(game, "buy ship 0.0") == "not_enough_silver"


def test_ruling_20_a_castles_action_reaches_all_six_depots_without_workers() -> None:
    """S372: as with a die of any value."""
    game = on_turn((6, 1))
    build(game.player, s12="monastery/15")
    store(game, "castle")
    for depot in range(1, 7):
        fill_depot(game, depot, "mine")
    play(game, "place castle 6 die 6")
    assert notations(game, "take") == [f"take mine {depot}.0" for depot in range(1, 7)]


def test_ruling_21_monasteries_13_and_14_both_add_to_each_workers_action() -> None:
    """S663-667: four workers and one silver, twice."""
    game = on_turn((2, 5))
    own(game.player, 13, 14)
    play(game, "workers die 2", "workers die 5")
    assert (game.player.workers, game.player.silver) == (8, 2)


@pytest.mark.parametrize("edition", ["special", "2011"])
def test_ruling_21_monasteries_13_and_14_leave_a_boarding_house_alone(edition: str) -> None:
    """S665; A901 says so of 13, and 14 speaks of the dice action only (A903)."""
    game = on_turn((5, 5), edition=edition)
    own(game.player, 13, 14)
    build(game.player, s25="building/bank")
    store(game, "building/boarding_house")
    play(game, "place building/boarding_house 31 die 5")
    assert (game.player.workers, game.player.silver) == (4, 0)


def test_ruling_21_monasteries_13_and_14_add_to_the_workers_of_a_castle() -> None:
    """S372, S663-667."""
    game = on_turn((4, 1))
    build(game.player, s7="monastery/15")
    own(game.player, 13, 14)
    store(game, "castle")
    play(game, "place castle 2 die 4", "workers")
    assert (game.player.workers, game.player.silver) == (4, 1)


# --- 22 to 28: taking and buying --------------------------------------------------------------------------


def test_ruling_22_a_full_storage_discards_one_first_to_the_box() -> None:
    """S338: equal tiles are one choice; the tile taken then has its space."""
    game = on_turn((5, 5))
    store(game, "ship", "ship", "building/church")
    fill_depot(game, 5, "castle")
    play(game, "take castle 5.0 die 5")
    assert notations(game) == ["discard ship", "discard building/church"]
    play(game, "discard ship")
    assert stored(game.player) == ["building/church", "castle", "ship"] and game.box == {tile("ship"): 1}


def test_ruling_22_nothing_is_discarded_while_a_space_is_free() -> None:
    """S338: two tiles stored, and a third one just taken."""
    game = on_turn((5, 5))
    store(game, "ship", "mine")
    fill_depot(game, 5, "castle")
    assert illegal_reason(game, "discard mine") == "no_effect"
    play(game, "take castle 5.0 die 5")
    assert illegal_reason(game, "discard mine") == "no_effect" and len(game.player.storage) == 3


def test_ruling_23_a_placed_building_has_left_room_for_the_tile_it_takes() -> None:
    """S433-477: from a full storage, without a discard."""
    game = on_turn((3, 1))
    store(game, "building/carpenter", "mine", "castle")
    fill_depot(game, 2, "building/bank")
    play(game, "place building/carpenter 25 die 3", "take building/bank 2.0")
    assert stored(game.player) == ["building/bank", "castle", "mine"] and not game.pending


@pytest.mark.parametrize("by", ["die", "castle"])
def test_ruling_24_no_tile_goes_from_the_main_board_to_the_duchy_in_one_step(by: str) -> None:
    """S336, S508."""
    game = on_turn((4, 6))
    build(game.player, s12="monastery/15")
    fill_depot(game, 4, "mine")
    store(game, "castle")
    if by == "castle":
        play(game, "place castle 6 die 6")
    assert illegal_reason(game, f"place mine 24{' die 4' if by == 'die' else ''}") == "tile_not_stored"


@pytest.mark.parametrize(
    ("building", "awaited", "unwanted"),
    [
        ("market", "livestock/sheep_2", "mine"),
        ("market", "ship", "castle"),
        ("carpenter", "building/bank", "ship"),
        ("church", "monastery/3", "livestock/cow_2"),
    ],
)
def test_ruling_25_a_building_takes_its_types_from_the_six_numbered_depots_whatever_the_die(
    building: str, awaited: str, unwanted: str
) -> None:
    """S433-477, S501: not from the black depot."""
    game = on_turn((1, 3))
    for depot in range(1, 7):
        fill_depot(game, depot, awaited, unwanted)
    fill_depot(game, 0, awaited)
    store(game, f"building/{building}")
    play(game, f"place building/{building} 11 die 3")
    assert notations(game) == [*(f"take {awaited} {depot}.0" for depot in range(1, 7)), "skip"]


def test_ruling_25_a_building_that_finds_nothing_is_placed_all_the_same() -> None:
    """S502: no building is in a numbered depot; the area's 1 and phase A's 10 points count."""
    game = on_turn((1, 3))
    fill_depot(game, 1, "ship", "mine")
    fill_depot(game, 0, "building/bank")
    store(game, "building/carpenter")
    play(game, "place building/carpenter 11 die 3")
    assert not game.pending and game.player.score == 11


def test_ruling_26_a_tile_may_still_be_bought_when_both_dice_are_used_but_only_one() -> None:
    """S580-582: the turn goes on until the player ends it."""
    game = on_turn((1, 3))
    fill_depot(game, 0, "ship", "mine")
    game.player.silver = 5
    play(game, "workers die 1", "workers die 3")
    assert notations(game) == ["buy ship 0.0", "buy mine 0.1", "end"]
    play(game, "buy mine 0.1")
    assert notations(game) == ["end"] and (game.player.silver, game.player.workers) == (3, 4)


def test_ruling_27_monastery_6_buys_a_building_for_two_workers_besides_the_purchase() -> None:
    """S650: in either order, and neither uses the other up."""
    game = on_turn()
    own(game.player, 6)
    game.player.workers, game.player.silver = 3, 2
    fill_depot(game, 6, "building/watchtower", "ship")
    fill_depot(game, 0, "castle")
    play(game, "buy castle 0.0")
    assert notations(game, "buy") == ["buy building/watchtower 6.0"]
    play(game, "buy building/watchtower 6.0")
    assert (game.player.workers, game.player.silver) == (1, 0)


def test_ruling_27_monastery_6_serves_every_owner_each_turn_the_first_player_too() -> None:
    """S650: once in a turn, in two rounds of two players."""
    game = on_turn()
    for player in game.players:
        own(player, 6)
        player.workers = 4
    for number, depot in enumerate((1, 2, 3, 4)):
        if game.stage == ROLL:
            play(game, rolled(game))
        game.depots[depot - 1] = [tile("building/bank"), tile("building/market")]
        play(game, f"buy building/bank {depot}.0")
        assert illegal_reason(game, f"buy building/market {depot}.1") == "monastery_6_used"
        assert game.player.workers == (2 if number < 2 else 0)
        play(game, "end")


def test_ruling_27_in_2011_monastery_6_opens_all_depots_to_the_one_purchase_in_silver() -> None:
    """A861-863: any type, still one a turn."""
    game = on_turn(edition="2011")
    own(game.player, 6)
    game.player.workers, game.player.silver = 4, 4
    fill_depot(game, 6, "building/watchtower", "ship")
    play(game, "buy building/watchtower 6.0")
    assert (game.player.workers, game.player.silver) == (4, 2)
    assert illegal_reason(game, "buy ship 6.1") == "already_bought"


def test_ruling_28_a_tile_taken_by_a_building_is_not_the_turns_purchase() -> None:
    """S437, S580, S998."""
    game = on_turn((1, 3))
    own(game.player, 6)
    game.player.workers = game.player.silver = 2
    fill_depot(game, 5, "building/bank", "building/church")
    fill_depot(game, 0, "ship")
    store(game, "building/carpenter")
    play(game, "place building/carpenter 11 die 3", "take building/bank 5.0")
    play(game, "buy building/church 5.1", "buy ship 0.0")
    assert stored(game.player) == ["building/bank", "building/church", "ship"]


# --- 29 to 34: placing ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("place monastery/15 12 die 1", None),
        ("place monastery/15 12 die 5", "not_enough_workers"),
        ("place monastery/15 7 die 5", "not_adjacent"),
        ("place monastery/15 19 die 5", "wrong_colour"),
    ],
)
def test_ruling_29_colour_number_and_neighbour_must_all_be_right(move: str, reason: str | None) -> None:
    """S346: each of the four moves but the first has one thing wrong."""
    game = on_turn((1, 5))
    game.player.workers = 1
    store(game, "monastery/15")
    assert illegal_reason(game, move) == reason


@pytest.mark.parametrize("by", ["town hall", "castle"])
def test_ruling_29_an_effect_waives_the_number_only(by: str) -> None:
    """S372, S493, S501."""
    game = on_turn((3, 6))
    build(game.player, s12="monastery/16")
    store(game, "building/town_hall", "castle", "monastery/15")
    play(game, "place building/town_hall 11 die 3" if by == "town hall" else "place castle 6 die 6")
    places = {move for move in notations(game, "place") if "monastery" in move}
    assert places == {"place monastery/15 7"}
    assert illegal_reason(game, "place monastery/15 30") == "not_adjacent"
    assert illegal_reason(game, "place monastery/15 17") == "wrong_colour"


@pytest.mark.parametrize(
    ("label", "space"),
    [("building/bank", 26), ("ship", 17), ("building/bank", 11), ("mine", 24), ("ship", 19), ("castle", 6)],
)
def test_ruling_30_a_town_hall_places_on_every_number_from_1_to_6(label: str, space: int) -> None:
    """S493: the spaces want 1, 2, 3, 4, 5 and 6; the die that is left shows a 3."""
    game = on_turn((3, 3))
    build(game.player, s12="monastery/16")
    store(game, "building/town_hall", label)
    play(game, "place building/town_hall 25 die 3", f"place {label} {space}")
    assert game.player.spaces[space] == tile(label) and game.player.dice == [3]


def test_ruling_30_the_tile_of_a_town_hall_has_its_full_effect() -> None:
    """S493, S497: a watchtower brings its four points."""
    game = on_turn((3, 3))
    store(game, "building/town_hall", "building/watchtower")
    play(game, "place building/town_hall 25 die 3", "place building/watchtower 31")
    assert game.player.points == {"watchtowers": 4}


def test_ruling_30_a_town_hall_may_place_nothing() -> None:
    """S493: the player *can* choose a second tile."""
    game = on_turn((3, 3))
    store(game, "building/town_hall", "mine")
    play(game, "place building/town_hall 25 die 3", "skip", "workers die 3")
    assert stored(game.player) == ["mine"]


def test_ruling_31_town_halls_and_castles_follow_one_another_as_long_as_there_are_tiles() -> None:
    """S372, S493, S580: four tiles by one die, the last of them bought on the way."""
    game = on_turn((3, 1))
    build(game.player, s12="monastery/16")
    game.player.silver = 2
    fill_depot(game, 0, "ship")
    store(game, "building/town_hall", "castle", "building/town_hall")
    play(game, "place building/town_hall 11 die 3", "place castle 6", "place building/town_hall 25")
    play(game, "buy ship 0.0", "place ship 17")
    assert game.player.dice == [1] and not game.player.storage and not game.pending
    assert game.track[1] == [0]


def test_ruling_32_a_castle_offers_each_of_the_four_actions_once() -> None:
    """S372-374."""
    game = on_turn((6, 1))
    build(game.player, s12="monastery/16")
    game.player.goods[2] = 1
    fill_depot(game, 5, "castle")
    store(game, "castle", "mine")
    play(game, "place castle 6 die 6")
    assert notations(game) == ["take castle 5.0", "place mine 24", "sell 2", "workers", "skip"]
    play(game, "sell 2")
    assert not game.pending and illegal_reason(game, "workers") == "needs_die"


@pytest.mark.parametrize("building", BUILDINGS)
def test_ruling_33_a_city_holds_each_of_the_eight_buildings_once(building: str) -> None:
    """S425: the city of five in duchy 1; the city of three beside it is another."""
    game = on_turn((1, 2))
    build(game.player, s25=f"building/{building}", s17="ship")
    store(game, f"building/{building}")
    game.player.workers = 6
    assert illegal_reason(game, f"place building/{building} 26 die 1") == "building_twice"
    assert illegal_reason(game, f"place building/{building} 23 die 2 workers 3") is None


def test_ruling_33_a_town_hall_is_bound_by_it_too() -> None:
    """S425, S493: a second town hall cannot follow the first into its city, but into another."""
    game = on_turn((3, 2))
    store(game, "building/town_hall", "building/town_hall")
    play(game, "place building/town_hall 25 die 3")
    assert illegal_reason(game, "place building/town_hall 31") == "building_twice"
    assert illegal_reason(game, "place building/town_hall 11") is None


def test_ruling_33_monastery_1_frees_its_owner_only() -> None:
    """S645."""
    game = on_turn((5, 2))
    build(game.players[0], s25="building/church")
    own(game.players[1], 1)
    store(game, "building/church")
    assert illegal_reason(game, "place building/church 31 die 5") == "building_twice"
    own(game.players[0], 1)
    assert illegal_reason(game, "place building/church 31 die 5") is None


def test_ruling_34_no_move_touches_a_tile_that_lies_in_the_duchy() -> None:
    """S509."""
    game = on_turn((2, 5))
    store(game, "ship", "ship")
    play(game, "place ship 17 die 2")
    assert illegal_reason(game, "place ship 17 die 5 workers 3") == "space_taken"
    assert illegal_reason(game, "discard ship") == "no_effect"
    play(game, "place ship 19 die 5")
    assert illegal_reason(game, "place ship 16 die 5") == "no_such_die" and not game.player.storage


def test_ruling_34_placed_tiles_stay_where_they_are_for_a_whole_game() -> None:
    """S509: any moves, drawn at random."""
    game, rng = set_up(3), random.Random(34)
    on_table: dict[tuple[str, int], str] = {}
    while game.stage != OVER:
        RULES.apply(game, RULES.sample_chance(game, rng) or rng.choice(legal_moves(game)))
        now = {(p.colour, i): t.label for p in game.players for i, t in enumerate(p.spaces) if t is not None}
        assert on_table.items() <= now.items()
        on_table = now
    assert len(on_table) > 3


# --- 35 to 40: goods --------------------------------------------------------------------------------------


def with_ship(
    goods: dict[int, list[int]],
    stored: list[int],
    *,
    monastery_5: bool = False,
    rules: dict[str, str] | None = None,
) -> GameState:
    """Red that has just placed a ship with a 2, *goods* by depot and kinds *stored*."""
    game = on_turn((2, 1), rules=rules or {})
    for depot, there in goods.items():
        for kind in there:
            game.depot_goods[depot - 1][kind] += 1
    for kind in stored:
        game.player.goods[kind] += 1
    if monastery_5:
        own(game.player, 5)
    store(game, "ship")
    play(game, "place ship 17 die 2")
    return game


def test_ruling_35_a_ship_loads_at_any_depot() -> None:
    """S362: placed with a 2, it finds goods at 1, 4 and 6, and takes all of a depot."""
    game = with_ship({1: [3], 4: [3, 5], 6: [2]}, stored=[])
    assert {"goods 1 3", "goods 4 3,5", "goods 6 2"} <= set(notations(game, "goods"))
    assert "goods 4 3" not in notations(game) and "goods 4 5" not in notations(game)


def test_ruling_35_known_kinds_always_stack_and_the_player_chooses_among_the_new() -> None:
    """S364-366: 4 and 5 are stored; one space is left for either 1 or 6."""
    game = with_ship({3: [5, 5, 6, 1, 1]}, stored=[4, 5])
    assert set(notations(game, "goods 3")) == {"goods 3 1,5", "goods 3 5,6"}
    play(game, "goods 3 1,5")
    assert game.player.goods == [0, 2, 0, 0, 1, 3, 0] and game.depot_goods[2] == [0, 0, 0, 0, 0, 0, 1]


def test_ruling_36_a_ship_sails_though_there_are_no_goods_anywhere() -> None:
    """S368: the last of four players comes to the top of the second space."""
    game = on_turn(players=4)
    play(game, "end", "end", "end")
    store(game, "ship")
    events = play(game, "place ship 17 die 2")
    assert not game.pending and game.player.spaces[17] == tile("ship")
    assert game.track[1] == [3] and "advance" in kinds(events)


def test_ruling_37_monastery_5_adds_one_neighbouring_depot_on_the_ring() -> None:
    """S649: of the pairs that hold goods 5 and 6, and 6 and 1, are neighbours."""
    game = with_ship({1: [1], 3: [3], 5: [5], 6: [6]}, stored=[], monastery_5=True)
    pairs = {move.split()[1] for move in notations(game, "goods") if "," in move.split()[1]}
    assert pairs == {"1,6", "5,6"}
    play(game, "goods 5,6 5,6")
    assert game.player.goods == [0, 0, 0, 0, 0, 1, 1]


def test_ruling_37_the_neighbouring_depot_is_optional() -> None:
    """S649: the player *may* load there as well."""
    game = with_ship({5: [5], 6: [6]}, stored=[], monastery_5=True)
    assert illegal_reason(game, "goods 6 6") is None


def test_ruling_37_without_monastery_5_there_is_one_depot() -> None:
    """S362."""
    assert illegal_reason(with_ship({5: [5], 6: [6]}, stored=[]), "goods 5,6 5,6") == "goods_do_not_fit"


def test_ruling_38_a_warehouse_sells_as_the_action_does_with_monasteries_3_and_4() -> None:
    """S481, S647-648: three tiles at three players are 9 points, 2 silver and 1 worker."""
    game = on_turn((3, 1), players=3)
    own(game.player, 3, 4)
    game.player.goods[6] = 3
    store(game, "building/warehouse")
    play(game, "place building/warehouse 25 die 3", "sell 6")
    assert (game.player.score, game.player.silver, game.player.workers) == (9, 2, 1)
    assert game.player.dice == [1] and game.player.sold[6] == 3


@pytest.mark.parametrize(("players", "points"), [(2, 8), (3, 12), (4, 16)])
def test_ruling_39_each_sale_is_a_whole_kind_for_one_silver_and_points_per_tile(
    players: int, points: int
) -> None:
    """S565-568: three of one kind and one of another are two sales."""
    game = on_turn((2, 6), players=players)
    game.player.goods = [0, 0, 3, 0, 2, 0, 1]
    play(game, "sell 2 die 2", "sell 6 die 6")
    assert (game.player.score, game.player.silver) == (points, 2)
    assert game.player.goods == [0, 0, 0, 0, 2, 0, 0]


def test_ruling_40_a_ship_at_the_end_of_the_track_goes_to_the_top_of_the_last_space() -> None:
    """S828, which speaks of team play; with the white die, as on any space."""
    game = on_turn((2, 1), players=3)
    game.track = [[], [], [], [], [], [], [1, 0, 2]]
    store(game, "ship")
    events = play(game, "place ship 17 die 2")
    assert game.track[6] == [1, 2, 0] and "white_die" in kinds(events)


# --- 41 to 46: points in play -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "points", "duchy"),
    [
        (1, 1, "se-1"),
        (2, 3, "se-2"),
        (3, 6, "se-2"),
        (4, 10, "se-6"),
        (5, 15, "se-1"),
        (6, 21, "se-6"),
        (7, 28, "se-7"),
        (8, 36, "se-10"),
    ],
)
def test_ruling_41_a_city_brings_points_for_its_size_and_the_phase_at_once(
    size: int, points: int, duchy: str
) -> None:
    """S513-515: in phase C, closed by a bank."""
    game = on_turn(duchy=duchy)
    game.phase = 2
    red = game.player
    city = next(a for a in red.duchy.areas if (a.tile_type, a.size) == ("building", size))
    *others, last = (s for s in red.duchy.spaces if city.spaces >> s.index & 1)
    names = (name for name in BUILDINGS if name != "bank")
    build(red, **{f"s{s.index}": f"building/{name}" for s, name in zip(others, names, strict=False)})
    red.dice = [last.die]
    store(game, "building/bank")
    play(game, f"place building/bank {last.index} die {last.die}")
    assert red.points == {f"area_{size}": points, "phase": 6}


@pytest.mark.parametrize("by", ["castle", "town hall"])
def test_ruling_41_an_effect_closes_an_area_as_a_die_does(by: str) -> None:
    """S493, S513-519: three mines in phase A, two players: 6, 10 and the bonus tile's 5."""
    game = on_turn((6, 3))
    build(game.player, s12="monastery/16")
    cover(game.player, "mine", but=24)
    store(game, "castle", "building/town_hall", "mine")
    play(game, "place castle 6 die 6" if by == "castle" else "place building/town_hall 25 die 3")
    play(game, "place mine 24")
    assert game.player.points == {"area_3": 6, "phase": 10, "bonus_tiles": 5}


def test_ruling_42_one_placement_brings_what_tile_area_phase_and_colour_bring() -> None:
    """S409, S513-519: 4 cows on the lone pasture, the last green space, in phase B: 4, 1, 8 and 5."""
    game = on_turn((2, 1))
    game.phase = 1
    build(game.player, s20="ship")
    cover(game.player, "livestock", but=27)
    store(game, "livestock/cow_4")
    play(game, "place livestock/cow_4 27 die 2")
    assert game.player.points == {"livestock": 4, "area_1": 1, "phase": 8, "bonus_tiles": 5}


def test_ruling_43_four_players_cover_the_rivers_and_two_get_bonus_tiles() -> None:
    """S519, S553-555, A690: 7 for the first, 4 for the second, nothing more."""
    game = on_turn(players=4)
    for player in game.players:
        cover(player, "ship", but=17)
        player.dice = [2]
        player.store(tile("ship"))
    for _ in game.players:
        play(game, "place ship 17 die 2", "end")
    assert [player.points.get("bonus_tiles", 0) for player in game.players] == [7, 4, 0, 0]
    assert [player.bonus_tiles for player in game.players] == [["ship"], ["ship"], [], []]


def test_ruling_43_a_bonus_tile_is_for_all_spaces_of_a_colour_not_for_an_area() -> None:
    """S519: duchy 1 has a pasture of one space and one of five."""
    game = on_turn((2, 1))
    build(game.player, s20="ship")
    store(game, "livestock/cow_2")
    play(game, "place livestock/cow_2 27 die 2")
    assert game.player.points == {"livestock": 2, "area_1": 1, "phase": 10}


@pytest.mark.parametrize(
    ("edition", "before", "shows"),
    [
        ("special", 95, []),
        ("special", 96, []),
        ("special", 97, [100]),
        ("2011", 95, []),
        ("2011", 96, [100]),
        ("special", 195, []),
        ("special", 196, [200]),
        ("2011", 198, [200]),
    ],
)
def test_ruling_44_the_points_tile_shows_100_and_then_200(
    edition: str, before: int, shows: list[int]
) -> None:
    """S521: when 100 is passed, in 2011 reached (A692), and 200 reached; a watchtower brings 4 points."""
    game = on_turn((3, 1), edition=edition)
    game.player.score = before
    store(game, "building/watchtower")
    events = play(game, "place building/watchtower 25 die 3")
    assert [e.data["shows"] for e in events if e.kind == "points_tile"] == shows
    assert game.player.score == before + 4
    if shows:
        assert RULES.view(game)["players"][0]["points_tile"] == shows[0]


def mixed_pasture() -> GameState:
    """Red about to place 3 sheep: 2 and 4 sheep apart in the pasture, 4 pigs there, 3 sheep elsewhere."""
    game = on_turn((4, 1))
    build(game.player, s0="livestock/sheep_2", s9="livestock/sheep_4", s4="livestock/pig_4")
    build(game.player, s27="livestock/sheep_3", s17="ship")
    store(game, "livestock/sheep_3")
    return game


def test_ruling_45_livestock_counts_with_the_same_animals_of_its_pasture_wherever_they_lie() -> None:
    """S409-417: 3 + 2 + 4."""
    game = mixed_pasture()
    play(game, "place livestock/sheep_3 10 die 4")
    assert game.player.points == {"livestock": 9}


def test_ruling_46_monastery_7_adds_a_point_for_each_tile_that_counts() -> None:
    """S651-653: 3 + 2 + 4 and one for each of the three tiles."""
    game = mixed_pasture()
    own(game.player, 7)
    play(game, "place livestock/sheep_3 10 die 4")
    assert game.player.points == {"livestock": 12}


# --- 49 to 54: ends of phases and of the game -------------------------------------------------------------


@pytest.mark.parametrize("phase", range(4))
def test_ruling_49_mines_pay_at_the_end_of_phases_a_to_d_and_monastery_2_with_them(phase: int) -> None:
    """S405, S586, S646: three mines."""
    game = on_turn()
    game.phase, game.round = phase, 4
    build(game.player, s24="mine", s29="mine", s33="mine")
    own(game.player, 2)
    finish_round(game)
    assert (game.players[0].silver, game.players[0].workers) == (3, 3)


def test_ruling_49_mines_pay_in_phase_e_before_the_final_scoring() -> None:
    """S586, S590-595, S646: 3 silver are 3 points, 3 workers are one pair."""
    game = last_round()
    build(game.player, s24="mine", s29="mine", s33="mine")
    own(game.player, 2)
    assert final_sheet(game) == {"silver_left": 3, "workers_left": 1}


def test_ruling_50_goods_and_silver_and_pairs_of_workers_count_and_stored_tiles_do_not() -> None:
    """S592-597: 3 goods of two kinds, 2 silver, 7 workers; the monastery in storage is worth nothing."""
    game = last_round()
    red = game.player
    red.goods[1], red.goods[4], red.silver, red.workers = 2, 1, 2, 7
    build(red, s27="livestock/cow_4")
    store(game, "monastery/24", "castle", "livestock/pig_4")
    assert final_sheet(game) == {"goods_left": 3, "silver_left": 2, "workers_left": 3}


@pytest.mark.parametrize(("edition", "kinds_sold", "bonus_tiles"), [("special", 6, 9), ("2011", 9, 6)])
def test_ruling_51_monasteries_15_and_26_are_worth_what_their_edition_says(
    edition: str, kinds_sold: int, bonus_tiles: int
) -> None:
    """S671, S689, A907, A937: three kinds sold, a large bonus tile and two small ones."""
    game = last_round(edition)
    own(game.player, 15, 26)
    game.player.sold = [0, 5, 0, 1, 1, 0, 0]
    game.player.bonus_tiles = ["ship", "mine", "castle"]
    assert final_sheet(game) == {"monastery_15": kinds_sold, "monastery_26": bonus_tiles}


@pytest.mark.parametrize(
    ("number", "building", "other"),
    [
        (16, "warehouse", "watchtower"),
        (17, "watchtower", "warehouse"),
        (18, "carpenter", "church"),
        (19, "church", "market"),
        (20, "market", "carpenter"),
        (21, "boarding_house", "bank"),
        (22, "bank", "boarding_house"),
        (23, "town_hall", "church"),
    ],
)
def test_ruling_52_monasteries_16_to_23_count_a_building_each(number: int, building: str, other: str) -> None:
    """S677-679: 4 points for each of two; another building counts nothing."""
    game = last_round()
    own(game.player, number)
    build(game.player, s11=f"building/{building}", s8=f"building/{building}", s25=f"building/{other}")
    assert final_sheet(game) == {f"monastery_{number}": 8}


def test_ruling_53_points_of_the_end_are_shown_apart_until_they_count() -> None:
    """S671-689: two kinds sold with monastery 15, 3 silver: 0 now, 7 if it ended now."""
    game = last_round()
    own(game.player, 15)
    game.player.sold = [0, 1, 0, 4, 0, 0, 0]
    game.player.silver = 3
    shown = RULES.view(game)["players"][0]
    assert (shown["score"], shown["at_end"]) == (0, 7)
    final_sheet(game)
    shown = RULES.view(game)["players"][0]
    assert (shown["score"], shown["at_end"]) == (7, 7)


def test_ruling_54_a_tie_goes_to_the_fuller_duchy_even_of_the_player_ahead() -> None:
    """S599."""
    game = on_turn(players=3)
    for player, points in zip(game.players, (50, 50, 49), strict=True):
        player.score = points
    build(game.players[0], s24="mine")
    build(game.players[2], s24="mine", s29="mine")
    game.track = [[2], [1], [0], [], [], [], []]
    assert RULES.ranking(game) == ["red", "blue", "green"]


def test_ruling_54_a_second_tie_goes_to_the_player_furthest_behind_and_lowest_in_the_stack() -> None:
    """S599."""
    game = on_turn(players=4)
    game.track = [[], [2, 0], [], [3, 1], [], [], []]
    assert RULES.ranking(game) == ["green", "red", "black", "blue"]


# --- 61: duchies 11 to 18 ---------------------------------------------------------------------------------


def linked(dice: tuple[int, int] = (4, 4), edition: str = "special") -> GameState:
    """Red's turn by the rule of linked castles: a bank and a church in a row, the bank beside the castle."""
    rules = {"castle_links": "on"}
    game = on_turn(dice, edition=edition, duchy="se-11", castle=6, rules=rules)
    build(game.player, s2="building/bank", s3="building/church")
    return game


def test_ruling_61_a_tile_touches_a_castle_or_is_linked_to_one_by_its_colour() -> None:
    """S699: space 8 touches the church only; space 7 the castle, and livestock there links 8 to it."""
    game = linked()
    store(game, "livestock/cow_2")
    assert illegal_reason(game, "place livestock/cow_2 8 die 4") == "not_linked"
    build(game.player, s7="livestock/pig_2")
    assert illegal_reason(game, "place livestock/cow_2 8 die 4") is None


def test_ruling_61_castles_are_exempt() -> None:
    """S701: a castle beside livestock, far from the first."""
    game = linked((1, 1))
    build(game.player, s7="livestock/pig_2", s13="livestock/pig_3", s14="livestock/pig_4")
    store(game, "castle")
    assert illegal_reason(game, "place castle 21 die 1") is None


def test_ruling_61_the_rule_is_for_duchies_11_to_18() -> None:
    """S705: on duchy 1 a building may go beside a ship and a mine though the rule is agreed on."""
    game = on_turn((5, 5), rules={"castle_links": "on"})
    build(game.player, s17="ship", s24="mine")
    store(game, "building/bank")
    assert illegal_reason(game, "place building/bank 23 die 5") is None


def with_castle_set_aside() -> GameState:
    """Red's first turn of phase B on duchy 11, with 5 points; one castle of phase A found no taker."""
    game = filled(duchy="se-11", castle=6, rules={"castle_links": "on"})
    game.depots = [[None] * len(depot) for depot in game.depots]
    game.black = [None] * len(game.black)
    fill_depot(game, 2, "castle", "mine")
    finish_phase(game)
    play(game, dealt(game, 1), rolled(game, (3, 4)))
    red = game.players[0]
    red.score, red.points = 5, {"phase": 5}
    return game


def test_ruling_61_both_dice_and_five_points_recover_a_castle_that_was_set_aside() -> None:
    """S703: into storage; there was one, so there is no second."""
    game = with_castle_set_aside()
    play(game, "recover")
    assert (game.player.score, game.player.dice, stored(game.player)) == (0, [], ["castle"])
    assert sum(game.player.points.values()) == 0
    play(game, "end", "end", rolled(game))
    game.player.score, game.player.points = 5, {"phase": 5}
    assert illegal_reason(game, "recover") == "no_castle_set_aside"


def test_ruling_61_a_castle_is_recovered_with_both_dice_and_five_points_only() -> None:
    """S703."""
    game = with_castle_set_aside()
    game.player.score = 4
    assert illegal_reason(game, "recover") == "not_enough_points"
    game.player.score = 5
    play(game, "workers die 3")
    assert illegal_reason(game, "recover") == "needs_both_dice"


def test_ruling_61_a_castle_that_a_player_had_is_not_recovered() -> None:
    """S703: it was not taken or bought by anybody."""
    game = linked((3, 3))
    game.player.score = 5
    store(game, "castle", "mine", "ship")
    fill_depot(game, 3, "mine")
    play(game, "take mine 3.0 die 3", "discard castle")
    assert game.box == {tile("castle"): 1}
    game.player.dice = [3, 3]
    assert illegal_reason(game, "recover") == "no_castle_set_aside"


def test_ruling_61_in_2011_both_dice_and_five_points_place_a_castle_apart_from_all_tiles() -> None:
    """A1308-1312: a stored one, and its extra action follows; nothing is recovered."""
    game = linked((3, 4), edition="2011")
    game.player.score, game.player.points = 6, {"phase": 6}
    game.set_aside = 1
    store(game, "castle", "mine")
    assert illegal_reason(game, "recover") == "other_edition"
    play(game, "outpost 30", "place mine 31")
    assert game.player.dice == [] and game.player.spaces[30] == tile("castle")
    assert game.player.points == {"phase": 16, "castle_action": -5, "area_1": 1}


def test_ruling_61_the_special_edition_places_no_castle_apart() -> None:
    """S703 gives both dice and five points another use."""
    game = linked()
    game.player.score = 5
    store(game, "castle")
    assert illegal_reason(game, "outpost 30") == "other_edition"


# --- where the text is silent: default and switch ---------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "workers"), [({}, [1, 0, 1, 1, 2, 1]), ({"monastery_8": "line"}, [1, 0, 1, 1, 2, 2])]
)
def test_settled_monastery_8_goes_two_steps_round_the_ring_or_only_along_the_line(
    rules: dict[str, str], workers: list[int]
) -> None:
    """S655: from a 2, the 6 is two steps away across the 1; along the line it takes two single steps."""
    game = on_turn((2, 2), rules=rules)
    own(game.player, 8)
    assert workers_by_depot(game) == workers


def test_settled_monastery_8_along_the_line_still_turns_a_1_into_a_6_for_one_worker() -> None:
    """S293: single steps go round; from a 1 the 5 takes two."""
    game = on_turn((1, 1), rules={"monastery_8": "line"})
    own(game.player, 8)
    assert workers_by_depot(game) == [0, 1, 1, 2, 2, 1]


def market_with_full_storage(rules: dict[str, str]) -> GameState:
    """Red about to use a market, all three key spaces taken by a purchase in between."""
    game = on_turn((3, 1), rules=rules)
    store(game, "building/market", "mine", "castle")
    fill_depot(game, 4, "ship")
    fill_depot(game, 0, "livestock/cow_2")
    game.player.silver = 2
    play(game, "place building/market 25 die 3", "buy livestock/cow_2 0.0")
    return game


def test_settled_full_storage_effect_discards_for_the_tile_or_declines() -> None:
    """S338, S433; the usual way."""
    game = market_with_full_storage({})
    assert notations(game) == ["take ship 4.0", "skip"]
    play(game, "take ship 4.0", "discard mine")
    assert stored(game.player) == ["castle", "livestock/cow_2", "ship"] and not game.pending


def test_settled_full_storage_effect_may_be_declined() -> None:
    """S433: the usual way leaves the choice."""
    game = market_with_full_storage({})
    play(game, "skip")
    assert stored(game.player) == ["castle", "livestock/cow_2", "mine"] and game.depots[3][0] == tile("ship")


def test_settled_full_storage_effect_is_lost_when_so_agreed() -> None:
    """S502: as if nothing could be taken."""
    game = market_with_full_storage({"full_storage_effect": "lose"})
    assert illegal_reason(game, "take ship 4.0") == "effect_lost" and notations(game) == ["skip"]


@pytest.mark.parametrize(
    ("seller", "move"), [("black depot", "buy ship 0.0"), ("monastery 6", "buy building/bank 5.0")]
)
def test_settled_full_storage_purchase_discards_first(seller: str, move: str) -> None:
    """S338, S582, S650: the usual way."""
    game = buyer_with_full_storage({})
    play(game, move, "discard mine")
    assert len(game.player.storage) == 3 and game.box == {tile("mine"): 1}


@pytest.mark.parametrize(
    ("seller", "move"), [("black depot", "buy ship 0.0"), ("monastery 6", "buy building/bank 5.0")]
)
def test_settled_full_storage_purchase_is_forbidden_when_so_agreed(seller: str, move: str) -> None:
    """S582, S650: the tile goes to an *empty* key space."""
    game = buyer_with_full_storage({"full_storage_purchase": "forbidden"})
    assert illegal_reason(game, move) == "storage_full"
    play(game, "place mine 24 die 4")
    assert illegal_reason(game, move) is None


def buyer_with_full_storage(rules: dict[str, str]) -> GameState:
    """Red with monastery 6, silver, workers and three stored tiles; a ship and a bank for sale."""
    game = on_turn((4, 1), rules=rules)
    own(game.player, 6)
    game.player.silver = game.player.workers = 2
    fill_depot(game, 0, "ship")
    fill_depot(game, 5, "building/bank")
    store(game, "mine", "castle", "livestock/cow_2")
    return game


@pytest.mark.parametrize(
    ("rules", "both"),
    [
        ({}, ["goods 2,3 1,3", "goods 2,3 1,4", "goods 2,3 2,3", "goods 2,3 2,4"]),
        ({"monastery_5": "one_by_one"}, []),
    ],
)
def test_settled_monastery_5_picks_from_both_depots_or_empties_one_before_the_other(
    rules: dict[str, str], both: list[str]
) -> None:
    """S364, S649: two spaces for goods 1 and 2 in depot 2, 3 and 4 in depot 3; one depot alone fills them."""
    game = with_ship({2: [1, 2], 3: [3, 4]}, stored=[6], monastery_5=True, rules=rules)
    assert sorted(notations(game, "goods 2,3")) == both
    assert {"goods 2 1,2", "goods 3 3,4"} <= set(notations(game, "goods"))


def test_settled_monastery_5_one_by_one_fills_up_from_the_second_depot() -> None:
    """S364, S649: three spaces; all of either depot and one kind of the other."""
    game = with_ship({2: [1, 2], 3: [3, 4]}, stored=[], monastery_5=True, rules={"monastery_5": "one_by_one"})
    loads = {f"goods 2,3 {k}" for k in ("1,2,3", "1,2,4", "1,3,4", "2,3,4")}
    assert set(notations(game, "goods 2,3")) == loads


def buyer_in_an_effect(edition: str = "special", rules: dict[str, str] | None = None) -> GameState:
    """Red with silver, choosing a castle's extra action; a bank in the black depot."""
    game = on_turn((6, 1), edition=edition, rules=rules or {})
    build(game.player, s12="monastery/16")
    fill_depot(game, 0, "building/bank")
    game.player.silver = 2
    store(game, "castle")
    play(game, "place castle 6 die 6")
    return game


def test_settled_purchase_is_possible_at_any_choice_but_an_owed_discard() -> None:
    """S580; the usual way."""
    game = buyer_in_an_effect()
    assert illegal_reason(game, "buy building/bank 0.0") is None
    store(game, "mine", "ship", "livestock/cow_2")
    fill_depot(game, 1, "castle")
    play(game, "take castle 1.0")
    assert illegal_reason(game, "buy building/bank 0.0") == "other_choice_first"


@pytest.mark.parametrize(("edition", "rules"), [("special", {"purchase": "between_actions"}), ("2011", {})])
def test_settled_purchase_between_actions_waits_for_the_effect(edition: str, rules: dict[str, str]) -> None:
    """A757-759: before, between and after the dice, which is how 2011 is played."""
    game = buyer_in_an_effect(edition, rules)
    assert illegal_reason(game, "buy building/bank 0.0") == "other_choice_first"
    play(game, "workers", "buy building/bank 0.0")
    assert stored(game.player) == ["building/bank"]


def test_settled_purchase_at_any_time_can_be_agreed_on_in_2011() -> None:
    """S580 for A757."""
    assert (
        illegal_reason(buyer_in_an_effect("2011", {"purchase": "any_time"}), "buy building/bank 0.0") is None
    )


def test_settled_castle_action_may_be_declined() -> None:
    """S372; the usual way: the other die follows."""
    game = buyer_in_an_effect()
    play(game, "skip", "workers die 1")
    assert game.player.workers == 2


def test_settled_castle_action_must_be_used_when_so_agreed() -> None:
    """S372: two workers can always be taken."""
    game = buyer_in_an_effect(rules={"castle_action": "mandatory"})
    assert illegal_reason(game, "skip") == "must_be_used"
    assert illegal_reason(game, "end") == "other_choice_first"
    play(game, "workers")
    assert illegal_reason(game, "end") is None


@pytest.mark.parametrize(
    ("rules", "ranking"),
    [({}, ["blue", "green", "red"]), ({"tie_break": "most_empty"}, ["green", "red", "blue"])],
)
def test_settled_tie_break_goes_to_the_fewest_empty_spaces_or_to_the_most(
    rules: dict[str, str], ranking: list[str]
) -> None:
    """S599: blue has one empty space less; red is ahead of green on the track either way."""
    game = on_turn(players=3, rules=rules)
    build(game.players[1], s24="mine")
    assert RULES.ranking(game) == ranking


@pytest.mark.parametrize(
    ("edition", "rules", "reason"),
    [
        ("special", {}, None),
        ("special", {"castle_links": "on"}, "not_linked"),
        ("2011", {}, "not_linked"),
        ("2011", {"castle_links": "off"}, None),
    ],
)
def test_settled_castle_links_are_optional_and_in_2011_usual(
    edition: str, rules: dict[str, str], reason: str | None
) -> None:
    """S699-705, A1293-1299: a monastery of duchy 11 beside a bank, away from the castle."""
    game = on_turn((2, 2), edition=edition, duchy="se-11", castle=6, rules=rules)
    build(game.player, s1="building/bank", s0="building/church")
    store(game, "monastery/15")
    assert illegal_reason(game, "place monastery/15 4 die 2") == reason


# --- docs/rulings.md --------------------------------------------------------------------------------------

ROWS = [
    [cell.strip() for cell in line.strip("| ").split(" | ")]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ")
]
RULING_ROWS = {int(row[0]): row for row in ROWS if row[0].isdigit()}
EXAMPLE_ROWS = {row[0]: row for row in ROWS if row[0].startswith("P")}
TABLE_RULE_ROWS = {row[0].strip("`"): row for row in ROWS if row[0].startswith("`")}
NAMED = {name: number for number, row in RULING_ROWS.items() for name in re.findall(r"`(test_\w+)`", row[3])}
TESTS = {name for name in globals() if name.startswith("test_")}
TESTS |= {name for name in vars(test_rulings_chateauma) if name.startswith("test_ruling_")}
TESTS_OF_EXPANSIONS = {
    name
    for path in EXPANSIONS.glob("test_*.py")
    for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
}
TESTS |= {name for name in TESTS_OF_EXPANSIONS if name.startswith(("test_ruling_", "test_settled_"))}


def words(cell: str) -> tuple[str, ...]:
    """Returns the words in backticks in a cell."""
    return tuple(re.findall(r"`(\w+)`", cell))


def test_the_page_has_every_ruling_once_and_in_order() -> None:
    numbers = [int(row[0]) for row in ROWS if row[0].isdigit()]
    assert numbers == sorted(set(numbers)) and set(BASE_RULINGS) <= set(numbers)
    assert all(len(row) == 4 and all(row) for row in RULING_ROWS.values())


def test_a_ruling_of_the_page_names_its_tests_or_what_it_waits_for() -> None:
    for number, row in RULING_ROWS.items():
        assert bool(words(row[3])) != row[3].startswith("waits for: "), number


def test_the_page_names_exactly_the_tests_that_are_here_each_at_its_number() -> None:
    here = {name: int(name.split("_")[2]) for name in TESTS if name.startswith("test_ruling_")}
    assert here == NAMED


def test_the_page_lists_the_table_rules_with_their_defaults_in_both_editions() -> None:
    in_2011 = RULES.table_rules_of("2011", {}).to_json()
    assert {name: (words(row[1]), words(row[2]), words(row[3])) for name, row in TABLE_RULE_ROWS.items()} == {
        name: ((usual,), tuple(others), (in_2011.get(name, usual),))
        for name, (usual, *others) in RULES.table_rule_options.items()
    }
    assert all(value == usual for _, value, usual in RULES.table_rules(on_turn()))


def test_the_page_names_the_tests_of_each_table_rule() -> None:
    named = {test: name for name, row in TABLE_RULE_ROWS.items() for test in words(row[5])}
    assert set(named) == {name for name in TESTS if name.startswith("test_settled_")}
    assert all(test.startswith(f"test_settled_{name}_") for test, name in named.items())


def test_the_page_names_the_test_of_each_worked_example_or_what_it_waits_for() -> None:
    assert list(EXAMPLE_ROWS) == [f"P{number}" for number in range(1, 28)]
    for row in EXAMPLE_ROWS.values():
        assert bool(words(row[3])) != row[3].startswith("waits for: "), row[0]
        assert {*words(row[3])} <= {*vars(test_rules_examples), *TESTS_OF_EXPANSIONS}, row[0]
