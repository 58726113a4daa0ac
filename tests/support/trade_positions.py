"""Positions with trade routes, on an empty main board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.burgundy.modules.trade_routes.routes import Route, route_of, set_route
from companion.games.burgundy.modules.trade_routes.tiles import UNKNOWN, Square
from companion.games.burgundy.rules import GameState
from companion.games.burgundy.rules.state import Player
from tests.support.automa_positions import automa_turn
from tests.support.modules import first_turn
from tests.support.positions import RULES

Printed = tuple[int, str]
ELSEWHERE: Printed = (6, "silver_2")


def on_route(
    *squares: Printed | None,
    goods: Mapping[int, int],
    dice: Sequence[int] = (1, 2),
    covered: Sequence[int] = (),
    modules: Sequence[str] = (),
    people: int = 2,
    **more: Any,
) -> GameState:
    """Returns the first turn of a player with *goods* by kind and these *dice*.

    The route has these *squares* from the left, None for one that nobody has reported and for those that follow. Goods
    of the kinds *covered* lie on the first ones and are sold.
    """
    game = first_turn(RULES, "trade_routes", *modules, people=people, **more)
    player = game.player
    player.dice = list(dice)
    player.goods = [goods.get(kind, 0) for kind in range(7)]
    route = route_of(game, player)
    print_squares(game, player, *squares, *[None] * (len(route.squares) - len(squares)))
    for square, kind in enumerate(covered):
        set_route(game, player, route_of(game, player).with_goods(square, kind))
        player.sold[kind] += 1
    return game


def print_squares(game: GameState, player: Player, *squares: Printed | None) -> None:
    """Makes these the squares of a route; None is one that nobody has reported."""
    printed = tuple(UNKNOWN if square is None else Square(*square) for square in squares)
    set_route(game, player, Route(printed, route_of(game, player).goods))


def on_squares(game: GameState) -> list[int]:
    """Returns the kinds of the goods on red's route, from the left."""
    return [kind for kind in route_of(game, game.player_of("red")).goods if kind]


def sale_of_the_chateauma(goods: Mapping[int, int]) -> GameState:
    """Returns a turn of the Châteauma, with *goods* by kind, in which it places a warehouse."""
    return automa_turn(2, 9, depots={1: ["building/warehouse"]}, own_goods=goods, modules=["trade_routes"])
