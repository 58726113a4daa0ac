"""Goods on a route, for overrides: ``route:red:4``. They are sold goods wherever they lie (S781-783)."""

from __future__ import annotations

from collections.abc import Sequence

from ...rules.state import GameState
from ...rules.tiles import GOODS, goods_kind, goods_label
from .routes import Route, routes_of, set_route

GROUP = "route"
_LABELS = frozenset(map(goods_label, GOODS))


class RouteSquares:
    """The squares of a person's route, as :class:`.OverridablePlace`."""

    def has(self, game: GameState, names: Sequence[str]) -> bool:
        match names:
            case [colour, square]:
                route = routes_of(game).routes.get(colour)
                return route is not None and square in map(str, range(len(route.goods)))
        return False

    def tiles(self, game: GameState, names: Sequence[str]) -> Sequence[str]:
        if not self.has(game, names):
            return ()
        kind = _route(game, names).goods[int(names[1])]
        return (goods_label(kind),) if kind else ()

    def may_hold(self, game: GameState, names: Sequence[str], labels: Sequence[str]) -> bool:
        return len(labels) <= 1 and _LABELS.issuperset(labels)

    def put(self, game: GameState, names: Sequence[str], labels: Sequence[str]) -> None:
        player, square = game.player_of(names[0]), int(names[1])
        for label in self.tiles(game, names):
            player.sold[goods_kind(label)] -= 1
        for label in labels:
            player.sold[goods_kind(label)] += 1
        kind = goods_kind(labels[0]) if labels else 0
        set_route(game, player, _route(game, names).with_goods(square, kind))


def _route(game: GameState, names: Sequence[str]) -> Route:
    return routes_of(game).routes[names[0]]
