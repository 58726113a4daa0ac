"""Two expansions together, for what neither of them settles alone."""

from __future__ import annotations

import pytest

from companion.games.burgundy.rules.tiles import tile
from tests.support.automa_positions import automa_turn, data_of, take_turn
from tests.support.module_positions import module_turn
from tests.support.positions import build, fill_depot, illegal_reason, notations, own, play, store
from tests.support.shields import at_depots, end_phase, held, hold, shield_turn, state_of, without_shields
from tests.support.trade_positions import on_route

INN, WHITE_CASTLE, CRANE = "inn", "building/white_castle", "building/crane"


# --- trade routes ---


def test_the_building_icon_of_a_trade_route_takes_a_white_castle() -> None:
    """Rulings 117 and 132, S457, S781: it is a building."""
    game = on_route((2, "take_building"), goods={2: 1}, modules=("white_castles",))
    fill_depot(game, 1, WHITE_CASTLE)
    play(game, "sell 2 die 2")
    assert notations(game, "take") == [f"take {WHITE_CASTLE} 1.0"]


def test_no_trade_route_reaches_an_inn() -> None:
    """Rulings 106 and 124: *any tile* is one of the six depots."""
    game = on_route((2, "take_any_hex"), goods={2: 1}, modules=("inns",))
    fill_depot(game, 0, "mine")
    fill_depot(game, 1, "ship")
    play(game, "sell 2 die 2")
    assert notations(game, "take") == ["take ship 1.0"]


def test_workers_of_a_trade_route_are_one_event_for_shield_2() -> None:
    """Ruling 159, S781, S913."""
    game = on_route((2, "workers_4"), goods={2: 1}, modules=("shields",))
    without_shields(game)
    red, blue = game.players
    hold(game, blue, 2)
    before = red.workers, blue.workers
    play(game, "sell 2 die 2")
    assert (red.workers - before[0], blue.workers - before[1]) == (4, 1)


# --- shields ---


def test_shield_5_and_monastery_5_share_the_three_spaces_for_goods() -> None:
    """Ruling 162, S364, S649, S916: goods 5 are stored; the ship loads 1 and 3, so that no fourth kind fits."""
    game = shield_turn((5, 5))
    player = game.player
    hold(game, player, 5)
    own(player, 5)
    player.goods[5] = 1
    for depot, kinds in {1: (1, 2), 2: (3,), 5: (1, 4), 6: (5,)}.items():
        for kind in kinds:
            game.depot_goods[depot - 1][kind] += 1
    store(game, "ship")
    play(game, "place ship 19 die 5", "goods 1,2 1,3")
    assert notations(game, "more") == ["more 1", "more 5"]
    play(game, "more 1")
    assert player.goods == [0, 2, 0, 1, 0, 1, 0]


def test_a_castle_that_shield_14_places_fetches_a_shield_with_shield_11() -> None:
    """Ruling 166, S922, S925."""
    game = shield_turn()
    player = game.player
    hold(game, player, 11, 14)
    at_depots(game, {2: [17]})
    fill_depot(game, 1, "castle")
    end_phase(game)
    play(game, "free castle 1.0 2", "shield 17 2 2")
    assert held(game, player) == [11, 14, 17] and state_of(game).held[17] == ("red", 2)


def test_a_crane_that_shield_15_places_acts_as_another_building() -> None:
    """S721, S926."""
    game = shield_turn(also=("extra_tiles",))
    player = game.player
    hold(game, player, 15)
    fill_depot(game, 0, CRANE)
    end_phase(game)
    play(game, f"free {CRANE} 0.0 25", "use bank")
    assert player.spaces[25] is tile(CRANE) and player.silver == 2


def test_monastery_28_hires_while_shield_14_places() -> None:
    """Rulings 108 and 168, S717, S925."""
    game = shield_turn(also=("extra_tiles",))
    hold(game, game.player, 14)
    own(game.player, 28)
    game.player.silver = 1
    fill_depot(game, 1, "castle")
    end_phase(game)
    play(game, "hire")
    assert (game.player.silver, game.player.workers) == (0, 2)


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (f"place {INN} 9 die 5", "inn_in_area"),
        (f"place {INN} 27 die 5", "not_enough_workers"),
        ("place building/bank 11 die 5", "not_enough_workers"),
        ("place building/bank 31 die 5", "building_twice"),
    ],
)
def test_shield_18_waives_neither_number_nor_city_nor_the_one_inn_of_an_area(move: str, code: str) -> None:
    """Ruling 171, S425, S769, S929."""
    game = shield_turn((5, 5), also=("inns",))
    hold(game, game.player, 18)
    build(game.player, s0=INN, s36="building/bank")
    store(game, INN, "building/bank")
    assert illegal_reason(game, move) == code


def test_shield_17_of_the_chateauma_adds_nothing_to_a_county_card() -> None:
    """S1090, S1256: its cards are no areas, and its shields have no abilities."""

    def points(*shields: int) -> int:
        game = automa_turn(
            2,
            modules=["shields"],
            symbols={"2": {"shield": False}},
            on_left=("building/bank", "building/church", "livestock/cow_2"),
            depots={1: ["monastery/1"]},
        )
        without_shields(game)
        state_of(game).automa = shields
        done = data_of(take_turn(game), "card_done")
        return int(done["points"])

    assert points(17) == points()


# --- inns ---


@pytest.mark.parametrize(
    ("stored", "opening"),
    [("building/town_hall", "place building/town_hall 25 die 3"), ("castle", "place castle 1 die 5")],
)
def test_a_town_hall_and_a_castle_place_an_inn_whatever_its_number(stored: str, opening: str) -> None:
    """Ruling 120, S372, S493, S769."""
    game = module_turn(["inns"], (3, 5))
    build(game.player, s5="livestock/cow_2")
    store(game, stored, INN)
    play(game, opening)
    assert {f"place {INN} {space}" for space in (4, 19)} <= set(notations(game, "place"))
