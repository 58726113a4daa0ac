"""Routes for the page and for a camera."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...rules.moves import Move
from ...rules.observation import VisibleChange
from ...rules.state import GameState, Player
from ...rules.tiles import EMPTY, goods_label
from ...rules.validation import apply
from . import forecast, selling
from .overriding import GROUP
from .routes import Route, is_unknown, route_of, routes_of
from .tiles import to_json


def layout_of(game: GameState, player: Player) -> dict[str, tuple[str, ...]]:
    """Returns the goods on a person's route, by group."""
    return {f"{GROUP}:{player.colour}": tuple(map(_label, route_of(game, player).goods))}


def changes(game: GameState, move: Move) -> Iterator[VisibleChange]:
    """Yields the goods that a move puts on the current player's route."""
    if not selling.changes_route(game, move):
        return
    player, after = game.player, game.copy()
    apply(after, move)
    before, now = (route.goods for route in (route_of(game, player), route_of(after, player)))
    for square, kind in enumerate(now):
        if kind != before[square]:
            yield VisibleChange(f"{GROUP}:{player.colour}:{square}", goods_label(kind))


def view_of(game: GameState, player: Player) -> dict[str, Any]:
    """Returns a person's route, and what each sale would cover of it (see :func:`.forecast.sales`)."""
    return {"route": list(_squares(route_of(game, player))), "route_sales": forecast.sales(game, player)}


def view_of_tiles(game: GameState) -> dict[str, Any]:
    """Returns what people choose from when they report a tile or a square: ``tiles`` of the owner's copy by letter, and
    those ``seen`` in print, without those that are known to be in a route; and all ``bonuses``."""
    there = [
        tile for route in routes_of(game).routes.values() for tile in route.tiles if not is_unknown(tile)
    ]
    box, printed = routes_of(game).box, routes_of(game).printed
    return {
        "tiles": {letter: to_json(tile) for letter, tile in box.items() if tile not in there},
        "seen": [to_json(tile) for tile in printed.seen.values() if tile not in (*there, *box.values())],
        "bonuses": list(printed.bonuses),
    }


def _squares(route: Route) -> Iterator[dict[str, Any]]:
    for printed, kind in zip(route.squares, route.goods, strict=True):
        yield {
            "number": printed.number or None,
            "bonus": printed.bonus or None,
            "known": printed.is_known,
            "goods": kind or None,
        }


def _label(kind: int) -> str:
    return goods_label(kind) if kind else EMPTY
