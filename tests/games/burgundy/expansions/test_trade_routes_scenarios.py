"""Trade routes: the positions of the expansions' scenarios, with the numbers that were computed by hand."""

from __future__ import annotations

from companion.games.burgundy.modules.trade_routes.routes import route_of
from companion.games.burgundy.rules.tiles import tile
from tests.support.automa_positions import automa_of, take_turn
from tests.support.positions import fill_depot, notations, own, play
from tests.support.trade_positions import on_route, on_squares, sale_of_the_chateauma


def test_e30_only_the_third_of_three_goods_matches_and_takes_a_building() -> None:
    """S781: four players, the squares of a tile that was seen."""
    game = on_route(
        (1, "silver_2"), (6, "extra_action"), (5, "take_building"), goods={5: 3}, dice=(5, 1), people=4
    )
    fill_depot(game, 3, "building/bank", "mine")
    play(game, "sell 5 die 5")
    assert (game.player.score, game.player.silver, on_squares(game)) == (12, 1, [5, 5, 5])
    assert notations(game) == ["take building/bank 3.0", "skip"]
    play(game, "take building/bank 3.0")
    assert game.player.storage == [tile("building/bank")]


def test_e31_a_full_route_leaves_two_of_three_goods_to_the_pile() -> None:
    """S783: two players, 14 of 15 squares are covered, the last one shows a 6."""
    game = on_route(*[(6, "points_4")] * 15, goods={3: 3}, dice=(3, 1), covered=[1] * 14)
    play(game, "sell 3 die 3")
    assert (game.player.score, game.player.silver) == (6, 1)
    assert on_squares(game) == [1] * 14 + [3] and game.player.sold[3] == 3
    assert not game.pending


def test_e32_goods_on_the_route_and_in_the_pile_count_for_monasteries_15_and_25() -> None:
    """Ruling 134."""
    game = on_route(*[(6, "points_4")] * 3, goods={}, covered=[2, 2, 5])
    game.player.sold[1] += 1
    own(game.player, 15, 25)
    points = game.hooks.final_points(game, game.player)
    assert (points["monastery_15"], points["monastery_25"]) == (6, 4)


def test_e34_against_the_chateauma_alone_there_are_fifteen_squares_and_its_sale_brings_one_point_more() -> (
    None
):
    """S1055, S1247; rulings 130 and 182."""
    game = sale_of_the_chateauma(goods={2: 3})
    assert len(route_of(game, game.players[0]).squares) == 15
    score, silver = automa_of(game).score, automa_of(game).silver
    take_turn(game)
    assert (automa_of(game).score - score, automa_of(game).silver - silver) == (7, 1)


def test_e34_a_warehouse_without_goods_brings_the_chateauma_nothing_at_all() -> None:
    """S1202."""
    game = sale_of_the_chateauma(goods={})
    score, silver = automa_of(game).score, automa_of(game).silver
    take_turn(game)
    assert (automa_of(game).score - score, automa_of(game).silver - silver) == (0, 0)
