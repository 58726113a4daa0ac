"""The state: everybody's route, what is known of its squares, and the goods on them."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from typing import Any, NamedTuple

from calibration.games.burgundy.facts.trade_routes import SQUARES

from ...rules.module import ModuleState
from ...rules.state import GameState, Player
from .tiles import UNKNOWN, RouteTile, Square, TradePrint, route_tile, to_json

MODULE = "trade_routes"
"""Name of the module, and of its part of a set-up and a state."""


class Route(NamedTuple):
    """One person's squares from the left, and the goods on them."""

    squares: tuple[Square, ...]
    goods: tuple[int, ...]
    """Kind of the goods on each square; 0 if it is empty."""

    @classmethod
    def of(cls, tiles: list[RouteTile]) -> Route:
        """Returns an empty route of these tiles."""
        squares = tuple(square for tile in tiles for square in tile)
        return cls(squares, (0,) * len(squares))

    @property
    def next_square(self) -> int | None:
        """Index of the square on which the next sold goods go; None if the route is full."""
        return self.goods.index(0) if 0 in self.goods else None

    @property
    def tiles(self) -> list[RouteTile]:
        """The tiles, from the left."""
        return [self.squares[first : first + SQUARES] for first in range(0, len(self.squares), SQUARES)]

    def with_goods(self, square: int, kind: int) -> Route:
        """Returns the route with goods of a *kind* on a square; 0 for none."""
        return self._replace(goods=(*self.goods[:square], kind, *self.goods[square + 1 :]))

    def with_squares(self, first: int, squares: tuple[Square, ...]) -> Route:
        """Returns the route with these squares from the *first* on."""
        return self._replace(squares=(*self.squares[:first], *squares, *self.squares[first + len(squares) :]))

    def key(self, unpaid: Collection[int]) -> Hashable:
        """Returns a key that is equal for routes that bring the same from now on; *unpaid* squares may still pay."""
        open_ = () if self.next_square is None else self.squares[self.next_square :]
        return self.goods, open_, tuple(self.squares[square] for square in sorted(unpaid))

    def pays(self, square: int) -> bool | None:
        """Returns whether the goods on a square bring its bonus; None if nobody has reported what is printed there."""
        printed = self.squares[square]
        return self.goods[square] == printed.number if printed.is_known else None


GOODS_STEP = "trade_goods"
"""Effect of a step that is about goods; others are about a square."""


class Step(NamedTuple):
    """Something that is still to be done for a sale; it waits among the effects (see :mod:`.selling`)."""

    effect: str
    of: int
    """Kind of goods, or index of a square."""


class Routes(ModuleState):
    """Everybody's route, and what is still to be done for the current player's."""

    def __init__(
        self,
        routes: Mapping[str, Route],
        box: Mapping[str, RouteTile],
        printed: TradePrint,
        steps: tuple[Step, ...] = (),
    ) -> None:
        self.routes = dict(routes)
        """By the colour of a person."""
        self.box = box
        """The known tiles of the owner's copy, by letter."""
        self.printed = printed
        self.steps = steps
        """The last one is done next."""

    @property
    def unpaid_squares(self) -> set[int]:
        """Squares of the current player's route that have their goods and may still pay."""
        return {step.of for step in self.steps if step.effect != GOODS_STEP}

    def copy(self) -> Routes:
        return Routes(self.routes, self.box, self.printed, self.steps)

    def key(self) -> Hashable:
        """Returns a key without what is printed on squares that have their goods and may not pay any more."""
        unpaid = self.unpaid_squares
        return (*(route.key(unpaid) for route in self.routes.values()), self.steps)

    def to_json(self) -> dict[str, Any]:
        return {
            "tiles": {letter: to_json(tile) for letter, tile in self.box.items()},
            "routes": {
                colour: {"squares": to_json(route.squares), "goods": list(route.goods)}
                for colour, route in self.routes.items()
            },
            "steps": [list(step) for step in self.steps],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], printed: TradePrint) -> Routes:
        routes = {
            colour: Route(route_tile(route["squares"]), tuple(route["goods"]))
            for colour, route in data["routes"].items()
        }
        box = {letter: route_tile(squares) for letter, squares in data["tiles"].items()}
        return cls(routes, box, printed, tuple(Step(*step) for step in data["steps"]))


def routes_of(game: GameState) -> Routes:
    """Returns the state of a game with trade routes."""
    state = game.module_states[MODULE]
    assert isinstance(state, Routes)
    return state


def route_of(game: GameState, player: Player) -> Route:
    """Returns a person's route."""
    return routes_of(game).routes[player.colour]


def set_route(game: GameState, player: Player, route: Route) -> None:
    """Makes a route a person's own."""
    routes_of(game).routes[player.colour] = route


def is_unknown(tile: RouteTile) -> bool:
    """Returns whether nobody has reported some square of a tile."""
    return UNKNOWN in tile
