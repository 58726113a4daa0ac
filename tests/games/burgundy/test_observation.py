"""What a camera can see of the game: places, and the visible changes of moves until the turn ends."""

from __future__ import annotations

from companion.games.burgundy.rules import GameState
from companion.games.burgundy.rules.observation import VisibleChange
from tests.support.positions import RULES, build, fill_depot, on_turn, own, play, store


def visible_changes(game: GameState, move: str) -> list[VisibleChange]:
    return list(RULES.visible_changes(game, RULES.parse_move(move)))


def with_goods() -> GameState:
    """Red with two goods of kind 4, dice 4 and 2 and silver."""
    game = on_turn((4, 2))
    game.player.goods[4] = 2
    game.player.silver = 2
    return game


def test_the_table_before_the_first_move() -> None:
    game = on_turn()
    fill_depot(game, 3, "mine")
    game.depot_goods[2][5] = 4
    store(game, "ship")
    seen = RULES.visible_layout(game)
    assert seen["depot:3"] == ("mine", "empty")
    assert seen["depot_goods:3"] == ("goods/5", *["empty"] * 5)
    assert seen["storage:red"] == ("ship", "empty", "empty")
    assert seen["duchy:red"][18] == "castle" and seen["duchy:red"].count("empty") == 36
    assert seen["round"][0] == "empty" and seen["round"].count("empty") == 1


def test_taking_empties_a_slot() -> None:
    game = on_turn((3, 1))
    fill_depot(game, 3, "ship", "mine")
    assert visible_changes(game, "take mine 3.1 die 3") == [VisibleChange("depot:3:1", "empty")]


def test_placing_covers_a_space() -> None:
    game = on_turn((4, 1))
    store(game, "mine")
    assert visible_changes(game, "place mine 24 die 4") == [VisibleChange("duchy:red:24", "mine")]


def test_buying_empties_a_slot_of_the_black_depot() -> None:
    game = with_goods()
    fill_depot(game, 0, "mine", "ship")
    assert visible_changes(game, "buy ship 0.1") == [VisibleChange("black:1", "empty")]


def test_loading_takes_the_goods_from_their_depots() -> None:
    game = on_turn((2, 1))
    game.depot_goods[4][3] = 2
    store(game, "ship")
    play(game, "place ship 17 die 2")
    assert visible_changes(game, "goods 5 3") == [VisibleChange("depot_goods:5", "empty", "goods/3")]


def test_a_sale_takes_a_kind_away() -> None:
    assert visible_changes(with_goods(), "sell 4 die 4") == [VisibleChange("goods:red", "empty", "goods/4")]


def test_a_sale_has_no_visible_change_while_a_ship_may_load_the_kind_again() -> None:
    game = with_goods()
    store(game, "ship")
    assert visible_changes(game, "sell 4 die 4") == []


def test_nor_while_a_ship_is_for_sale() -> None:
    game = with_goods()
    fill_depot(game, 0, "ship")
    assert visible_changes(game, "sell 4 die 4") == []
    game.bought = True
    assert visible_changes(game, "sell 4 die 4") == [VisibleChange("goods:red", "empty", "goods/4")]


def test_in_2011_monastery_6_sells_ships_of_every_depot() -> None:
    game = on_turn((4, 2), edition="2011")
    game.player.goods[4] = 2
    fill_depot(game, 5, "ship")
    assert visible_changes(game, "sell 4 die 4")
    own(game.player, 6)
    assert visible_changes(game, "sell 4 die 4") == []


def test_a_ship_bought_after_a_sale_does_load_the_kind_again() -> None:
    """The reason for the two tests before: the goods look untouched, though a stack was sold."""
    game = with_goods()
    build(game.player, s16="ship")
    game.depot_goods[0][4] = 1
    fill_depot(game, 0, "ship")
    before = RULES.visible_layout(game)["goods:red"]
    play(game, "sell 4 die 4", "buy ship 0.0", "place ship 17 die 2", "goods 1 4")
    assert RULES.visible_layout(game)["goods:red"] == before
