"""The worked examples of the rule books: S lines are the Special Edition's, A lines those of 2011.

Every expected value is the printed one. P numbers are those of docs/rulings.md.
"""

from __future__ import annotations

import pytest

from companion.games.burgundy.rules import GameState
from tests.support.automa_positions import automa_of, automa_turn, take_turn
from tests.support.positions import (
    RULES,
    build,
    fill_depot,
    final_sheet,
    illegal_reason,
    last_round,
    on_turn,
    own,
    play,
    store,
)

TURQUOISE, PINK, BROWN, OTHER = 1, 2, 3, 4


def test_two_workers_turn_a_2_into_a_6() -> None:
    """P1, S295, A328: Anna uses two workers to turn a 2 into a 6, then takes a tile."""
    game = on_turn((2, 2))
    fill_depot(game, 6, "castle")
    game.player.workers = 1
    assert illegal_reason(game, "take castle 6.0 die 2 workers 2") == "not_enough_workers"
    game.player.workers = 2
    play(game, "take castle 6.0 die 2 workers 2")
    assert game.player.workers == 0 and [t.label for t in game.player.storage] == ["castle"]


@pytest.mark.parametrize("chosen", [PINK, BROWN])
def test_a_ship_stacks_a_known_kind_and_takes_one_new_kind_into_the_free_space(chosen: int) -> None:
    """P2, S366, A401: Carla stacks the turquoise goods and chooses either pink or brown for her last free space."""
    game = on_turn((2, 2))
    red = game.player
    red.goods[TURQUOISE] = red.goods[OTHER] = 1
    game.depot_goods[4] = [0, 1, 1, 1, 0, 0, 0]
    store(game, "ship")
    play(game, "place ship 17 die 2", f"goods 5 {TURQUOISE},{chosen}")
    left = PINK + BROWN - chosen
    assert (red.goods[TURQUOISE], red.goods[chosen], red.goods[left]) == (2, 1, 0)
    assert [kind for kind in range(7) if game.depot_goods[4][kind]] == [left]


def test_a_ship_may_neither_leave_a_kind_it_can_stack_nor_take_both_new_ones() -> None:
    """S364-366: only what finds no space stays in the depot."""
    game = on_turn((2, 2))
    game.player.goods[TURQUOISE] = game.player.goods[OTHER] = 1
    game.depot_goods[4] = [0, 1, 1, 1, 0, 0, 0]
    store(game, "ship")
    play(game, "place ship 17 die 2")
    for kinds in (f"{PINK}", f"{TURQUOISE}", f"{PINK},{BROWN}", f"{TURQUOISE},{PINK},{BROWN}"):
        assert illegal_reason(game, f"goods 5 {kinds}") == "goods_do_not_fit"


def pasture_with(*labels: str) -> GameState:
    """Red with *labels* in the pasture of five spaces (0, 4, 5, 9, 10), which the examples never complete."""
    game = on_turn((4, 1))
    build(game.player, s17="ship", **{f"s{space}": tile for space, tile in zip((4, 9), labels, strict=False)})
    return game


def test_four_cows_join_three_cows_and_three_sheep() -> None:
    """P3, S417, A527: Ben gets 7 points, 4 for the new tile and 3 for the cows already there."""
    game = pasture_with("livestock/cow_3", "livestock/sheep_3")
    store(game, "livestock/cow_4")
    play(game, "place livestock/cow_4 10 die 4")
    assert game.player.score == 7


@pytest.mark.parametrize(("label", "points"), [("livestock/cow_4", 11), ("livestock/sheep_2", 5)])
def test_the_herds_of_the_example_grow_on(label: str, points: int) -> None:
    """P4 and P5, S417, A527: another 4 cows bring 11 points (4 + 4 + 3), 2 sheep bring 5."""
    game = pasture_with("livestock/cow_3", "livestock/sheep_3")
    store(game, "livestock/cow_4", label)
    play(game, "place livestock/cow_4 10 die 4")
    before = game.player.score
    play(game, f"place {label} 5 die 1")
    assert game.player.score - before == points


def test_monastery_7_adds_a_point_per_scoring_tile() -> None:
    """P6 and P7, S653, A868: 3 sheep beside 4 sheep bring (3+1) + (4+1) = 9 points, then 2 pigs bring 3."""
    game = pasture_with("livestock/sheep_4")
    own(game.player, 7)
    store(game, "livestock/sheep_3", "livestock/pig_2")
    play(game, "place livestock/sheep_3 10 die 4")
    assert game.player.score == 9
    play(game, "place livestock/pig_2 5 die 1")
    assert game.player.score == 9 + 3


def test_with_monastery_8_a_3_becomes_a_6_for_two_workers() -> None:
    """P8, S657, A876: Carla needs only two workers instead of three."""
    game = on_turn((3, 3))
    own(game.player, 8)
    fill_depot(game, 6, "castle")
    game.player.workers = 2
    play(game, "take castle 6.0 die 3 workers 2")
    assert game.player.workers == 0


@pytest.mark.parametrize(("edition", "points"), [("special", 8), ("2011", 12)])
def test_monastery_15_counts_the_kinds_that_dario_has_sold(edition: str, points: int) -> None:
    """P9, S675, A912: 4 red, 3 violet, 3 pink and 1 orange are four kinds: 4 x 2 points, in 2011 4 x 3."""
    game = last_round(edition)
    own(game.player, 15)
    game.player.sold = [0, 4, 3, 3, 1, 0, 0]
    assert final_sheet(game) == {"monastery_15": points}


def test_monastery_25_counts_the_goods_that_dario_has_sold() -> None:
    """P10, S687, A935: the same sales bring 11 more points."""
    game = last_round()
    own(game.player, 15, 25)
    game.player.sold = [0, 4, 3, 3, 1, 0, 0]
    assert final_sheet(game) == {"monastery_15": 8, "monastery_25": 11}


def test_monasteries_17_and_22_count_watchtowers_and_banks() -> None:
    """P11, S679, A919: two watchtowers and four banks bring (2 x 4) + (4 x 4) = 24 points."""
    game = last_round()
    own(game.player, 17, 22)
    watchtowers = {f"s{i}": "building/watchtower" for i in (11, 8)}
    banks = {f"s{i}": "building/bank" for i in (13, 22, 25, 36)}
    build(game.player, **watchtowers, **banks)
    assert sum(final_sheet(game).values()) == 24


@pytest.mark.parametrize(
    "others", [("livestock/cow_2", "livestock/pig_2"), ("livestock/cow_3", "livestock/chicken_4")]
)
def test_monastery_24_counts_the_kinds_of_animals(others: tuple[str, str]) -> None:
    """P12, S683, A926: three sheep tiles and two single ones of other kinds are three kinds: 12 points."""
    game = last_round()
    own(game.player, 24)
    sheep = {"s0": "livestock/sheep_2", "s4": "livestock/sheep_3", "s5": "livestock/sheep_4"}
    build(game.player, **sheep, s9=others[0], s27=others[1])
    assert final_sheet(game) == {"monastery_24": 12}


def test_the_third_mine_closes_area_and_colour_for_the_first_bonus_tile() -> None:
    """P16, S519 (with S513-515): phase A, three players: 6 for the area, 10 for the phase, 6 for the bonus tile."""
    game = on_turn((4, 1), players=3)
    build(game.player, s29="mine", s33="mine")
    store(game, "mine")
    play(game, "place mine 24 die 4")
    assert game.player.points == {"area_3": 6, "phase": 10, "bonus_tiles": 6}


def test_a_market_finds_nothing_but_is_placed_all_the_same() -> None:
    """P24, S502, A647: no blue or green tile in the six depots; the one in the black depot does not count."""
    game = on_turn((3, 1))
    fill_depot(game, 1, "building/bank", "mine")
    fill_depot(game, 0, "ship")
    store(game, "building/market")
    play(game, "place building/market 25 die 3")
    assert not game.pending and not game.player.storage
    assert game.player.spaces[25] is not None


def test_a_castle_lets_two_workers_be_taken_without_a_die() -> None:
    """P26, S374: for instance, two workers may be taken at once."""
    game = on_turn((6, 3))
    build(game.player, s12="monastery/1")
    store(game, "castle")
    play(game, "place castle 6 die 6", "workers")
    assert game.player.workers == 2 and game.player.dice == [3]


def test_a_castle_lets_another_tile_be_placed_at_once() -> None:
    """S374: for instance, another tile may be placed at once."""
    game = on_turn((6, 3))
    build(game.player, s12="monastery/1")
    store(game, "castle", "mine")
    play(game, "place castle 6 die 6", "place mine 24")
    assert game.player.dice == [3] and game.player.spaces[24] is not None


def test_animals_on_its_cards_and_in_its_duchy_score_together_and_stored_ones_do_not() -> None:
    """P21, S1166: the Châteauma has two sheep tiles and places a third: nine points."""
    game = automa_turn(
        1,
        9,
        on_right=["livestock/sheep_2"],
        duchy=["livestock/sheep_3"],
        stored=["livestock/sheep_4"],
        depots={1: ["livestock/sheep_4"]},
    )
    take_turn(game)
    assert automa_of(game).score == 9


@pytest.mark.parametrize("duchy", ["se-1", "2011-1"])
def test_duchy_1_has_the_printed_areas(duchy: str) -> None:
    """P27, A487: one city of size 1, one of size 5 and two of size 3; A248-252: a river of 3, a pasture of 1."""
    sizes: dict[str, list[int]] = {}
    for area in RULES.duchies[duchy].areas:
        sizes.setdefault(area.tile_type, []).append(area.size)
    assert sorted(sizes["building"]) == [1, 3, 3, 5]
    assert 3 in sizes["ship"] and 1 in sizes["livestock"]
