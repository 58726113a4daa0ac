"""Scenarios of the extra tiles; every number is worked out by hand from the rule text."""

from __future__ import annotations

from typing import Any

from companion.games.burgundy.modules.extra_tiles.geese import LABEL as GEESE
from companion.games.burgundy.rules import GameState
from companion.games.burgundy.rules.decisions import EndTurn
from companion.games.burgundy.rules.tiles import tile
from tests.support.automa_positions import automa_of, automa_turn, on_card, take_turn
from tests.support.module_positions import module_turn
from tests.support.positions import RULES, build, fill_depot, illegal_reason, own, play, store


def on_turn(*args: Any, **options: Any) -> GameState:
    return module_turn(["extra_tiles"], *args, **options)


def points_of(game: GameState, *moves: str) -> int:
    """Plays moves and returns the points that they bring."""
    before = game.player.score
    play(game, *moves)
    return game.player.score - before


def end_points(game: GameState) -> int:
    return sum(game.hooks.monastery_points(game, game.player).values())


def test_e1_monastery_27_is_on_top_at_once_and_when_green_arrives() -> None:
    """S713: colours red, blue, green are seats 0, 1, 2."""
    game = on_turn((1, 2), players=3)
    game.track = [[2], [0, 1], *[[] for _ in game.track[2:]]]
    store(game, "monastery/27")
    events = play(game, "place monastery/27 12 die 1")
    assert game.track[1] == [1, 0]
    assert game.first_player == 0 and "white_die" in [event.kind for event in events]
    RULES.play(game, EndTurn())
    RULES.play(game, EndTurn())
    assert game.player.colour == "green"
    store(game, "ship")
    game.player.dice = [2]
    play(game, "place ship 17 die 2")
    assert game.track[1] == [1, 2, 0]
    assert [game.seats[index].colour for index in game.order()] == ["red", "green", "blue"]


def test_e2_two_uses_of_monastery_28_pay_for_three_workers() -> None:
    """S717."""
    game = on_turn((2, 6))
    own(game.player, 28)
    game.player.dice, game.player.silver = [2], 3
    fill_depot(game, 5, "mine")
    play(game, "hire")
    assert illegal_reason(game, "take mine 5.0 die 2 workers 3") == "not_enough_workers"
    play(game, "hire")
    assert (game.player.silver, game.player.workers) == (1, 4)
    play(game, "take mine 5.0 die 2 workers 3")
    assert game.player.workers == 1


def test_e3_a_crane_as_boarding_house_knows_no_monastery_13_or_14() -> None:
    """S665, S721."""
    game = on_turn((3, 1))
    own(game.player, 13, 14)
    store(game, "building/crane")
    play(game, "place building/crane 25 die 3", "use boarding_house")
    assert (game.player.workers, game.player.silver) == (4, 0)


def test_e4_a_crane_fired_as_a_bank_is_no_bank_of_the_city() -> None:
    """S425."""
    game = on_turn((3, 1))
    store(game, "building/crane", "building/bank", "building/bank")
    play(game, "place building/crane 25 die 3", "use bank")
    silver = game.player.silver
    play(game, "place building/bank 26 die 1")
    assert game.player.silver - silver == 2
    game.player.dice = [5]
    assert illegal_reason(game, "place building/bank 31 die 5") == "building_twice"


def test_e5_a_crane_is_a_market_for_monastery_20() -> None:
    """S725."""
    game = on_turn()
    own(game.player, 20)
    build(game.player, s8="building/market", s11="building/market", s25="building/crane")
    assert end_points(game) == 12


def test_e6_a_crane_counts_for_one_of_two_monasteries() -> None:
    """S725."""
    game = on_turn()
    own(game.player, 20, 22)
    build(
        game.player,
        s8="building/market",
        s11="building/market",
        s22="building/bank",
        s25="building/crane",
    )
    assert end_points(game) == 16


def test_e8_geese_with_monastery_7_take_the_sheep_and_not_the_cows() -> None:
    """S731, S745."""
    game = on_turn((5, 1))
    own(game.player, 7)
    build(game.player, s0="livestock/sheep_2", s4="livestock/sheep_4", s5="livestock/cow_4")
    store(game, GEESE)
    assert points_of(game, f"place {GEESE} 9 die 5") == 11


def test_e9_geese_alone_and_three_pigs_later_without_and_with_monastery_7() -> None:
    """S731."""
    for monasteries, expected in (((), [2, 5]), ((7,), [3, 7])):
        game = on_turn((4, 5))
        own(game.player, *monasteries)
        build(game.player, s11="building/bank")
        store(game, GEESE, "livestock/pig_3")
        assert [
            points_of(game, f"place {GEESE} 10 die 4"),
            points_of(game, "place livestock/pig_3 9 die 5"),
        ] == expected


def test_e70_the_chateaumas_geese_join_the_eight_sheep_then_three_cows_the_geese() -> None:
    """S1240: most heads, not most tiles."""
    game = automa_turn(
        9,
        modules=["extra_tiles"],
        depots={1: [GEESE]},
        duchy=["livestock/sheep_4", *["livestock/pig_2"] * 3],
        on_right=["livestock/sheep_4"],
    )
    take_turn(game)
    assert automa_of(game).points == {"livestock": 10}
    later = automa_turn(
        9,
        modules=["extra_tiles"],
        depots={1: ["livestock/cow_3"]},
        duchy=["livestock/sheep_4", "livestock/sheep_4", *["livestock/pig_2"] * 3, GEESE],
    )
    take_turn(later)
    assert automa_of(later).points == {"livestock": 5}


def test_e71_the_chateaumas_crane_fills_the_card_and_places_a_mine_on_the_other() -> None:
    """S1239, S1153: card 1 begins with a mine; the full card scores afterwards."""
    game = automa_turn(
        2,
        1,
        modules=["extra_tiles"],
        white=2,
        on_left=[None, "building/bank", "livestock/cow_2", "monastery/1"],
        depots={1: ["building/crane"], 2: ["mine"]},
    )
    events = take_turn(game)
    placed = [(event.data["card"], event.data["tile"]) for event in events if event.kind == "card_place"]
    assert placed == [(2, "building/crane"), (1, "mine")]
    assert [event.kind for event in events].index("card_done") > 1
    assert tile("building/crane") in automa_of(game).duchy["building"]
    assert on_card(game, "left")[0] == "mine"
