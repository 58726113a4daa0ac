"""Report which tile lies where in somebody's trade route, whenever people have looked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.games.burgundy.facts.trade_routes import SQUARES

from ...rules.decision import Decision
from ...rules.events import Event
from ...rules.moves import Move, misplaced, parse_number
from ...rules.reason import Reason
from ...rules.state import GameState
from ...rules.tiles import GOODS
from .routes import is_unknown, route_of, routes_of, set_route
from .selling import unpaid_squares
from .tiles import RouteTile, Square

_BETWEEN = ":"
"""Stands between the number and the bonus of a square."""


@dataclass(frozen=True, slots=True)
class ReportTile(Move):
    """Report the squares of a tile of a player's route; tiles are counted from 1."""

    word = "route"
    player: str
    number: int
    squares: tuple[tuple[int, str], ...]

    def __str__(self) -> str:
        squares = ",".join(f"{number}{_BETWEEN}{bonus}" for number, bonus in self.squares)
        return f"route {self.player} {self.number} {squares}"


class ReportTileDecision(Decision[ReportTile]):
    move = ReportTile
    stages = ()
    is_beside_turn = True

    def __init__(self, bonuses: Sequence[str]) -> None:
        """*bonuses* are all that a square may have."""
        self._bonuses = bonuses

    def parse(self, words: list[str]) -> ReportTile:
        player, number, squares = words
        return ReportTile(player, parse_number(number), tuple(map(self._parse_square, squares.split(","))))

    def _parse_square(self, text: str) -> tuple[int, str]:
        number, bonus = text.split(_BETWEEN)
        if bonus not in self._bonuses:
            raise misplaced([text])
        return parse_number(number), bonus

    def validate(self, game: GameState, move: ReportTile) -> Reason | None:
        player = game.person(move.player)
        if player is None:
            return Reason("no_such_player", {"expected": [person.colour for person in game.players]})
        tiles = route_of(game, player).tiles
        if not 1 <= move.number <= len(tiles):
            return Reason("no_such_trade_tile", {"count": len(tiles)})
        if len(move.squares) != SQUARES or any(number not in GOODS for number, _ in move.squares):
            return Reason("no_trade_tile", {"count": SQUARES})
        if _is_elsewhere(game, move):
            return Reason("trade_tile_elsewhere")
        return _reason_against_answers(game, move)

    def apply(self, game: GameState, move: ReportTile) -> list[Event]:
        player = game.player_of(move.player)
        route = route_of(game, player).with_squares(_first(move), _tile(move))
        set_route(game, player, route)
        return [Event("route", player.colour, data={"number": move.number})]


def _first(move: ReportTile) -> int:
    """Returns the index of the tile's first square in the route."""
    return (move.number - 1) * SQUARES


def _tile(move: ReportTile) -> RouteTile:
    return tuple(Square(*square) for square in move.squares)


def _is_elsewhere(game: GameState, move: ReportTile) -> bool:
    """Returns whether that tile, of which a box has one, is known to lie in another place."""
    places = {
        (colour, number): tile
        for colour, route in routes_of(game).routes.items()
        for number, tile in enumerate(route.tiles, 1)
        if not is_unknown(tile)
    }
    places.pop((move.player, move.number), None)
    return _tile(move) in places.values()


def _reason_against_answers(game: GameState, move: ReportTile) -> Reason | None:
    """Returns the reason if goods lie on the tile whose bonus would have been due, or was not due, by what it has.

    Squares that have not paid yet are free.
    """
    route, first = route_of(game, game.player_of(move.player)), _first(move)
    now = route.with_squares(first, _tile(move))
    unpaid = unpaid_squares(game) if game.seat.colour == move.player else set[int]()
    for square in range(first, first + SQUARES):
        is_paid = route.goods[square] and square not in unpaid
        if is_paid and bool(route.pays(square)) != now.pays(square):
            return Reason("square_was_other", {"square": square + 1, "goods": route.goods[square]})
    return None
