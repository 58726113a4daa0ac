"""How many tiles everybody has, and which ones, as far as that is known (S777-779)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from calibration.fields import Field

from ...rules.setup_steps import Step
from ...rules.setup_validation import InvalidSetupError
from ...rules.state import GameState
from .routes import MODULE, Route, Routes, routes_of
from .tiles import UNKNOWN_TILE, RouteTile, TradePrint, route_tile, squares_in

OPTIONS = ("tiles", "rows")


def from_setup(part: Mapping[str, Any], game: GameState, printed: TradePrint) -> Routes:
    """Returns the routes at the start for their part of a game's set-up, which may be empty.

    ``{"tiles": {"a": [[2, "take_building"], [4, "take_any_hex"], [1, "workers_4"]]}, "rows": {"red": ["a", null]}}``
    has the known tiles of the box, by a letter of ours, and the tiles of each person from the left; null, and what
    is missing, are tiles that nobody has named.

    :raises AnswerError: if no box has such tiles.
    :raises InvalidSetupError: if the part has another form, there is no such person or tile, or one lies in two places.
    """
    given = Field.document(part, MODULE, InvalidSetupError)
    given.only(OPTIONS)
    squares = {letter: squares_in(tile) for letter, tile in _entries(given, "tiles")}
    printed.check_tiles(squares)
    tiles = {letter: route_tile(tile) for letter, tile in squares.items()}
    rows = {colour: [_letter(place) for place in row.items()] for colour, row in _entries(given, "rows")}
    length = printed.tiles_per_player[game.played_as]
    _check_rows(rows, tiles, game, length)
    routes = {player.colour: _route(rows.get(player.colour, ()), tiles, length) for player in game.players}
    return Routes(routes, tiles, printed)


def steps(game: GameState) -> Iterator[Step]:
    """Yields what people set up for their routes."""
    people = [player.colour for player in game.players]  # the Châteauma has no route
    count = routes_of(game).printed.tiles_per_player[game.played_as]
    yield {"step": "trade_routes", "count": count, "players": people}


def _entries(part: Field, name: str) -> list[tuple[str, Field]]:
    """Returns the entries of a table that may be missing."""
    table = part.get(name)
    return [] if table is None else table.entries()


def _letter(place: Field) -> str | None:
    return None if place.value is None else place.text()


def _route(row: Sequence[str | None], tiles: Mapping[str, RouteTile], length: int) -> Route:
    named = [UNKNOWN_TILE if letter is None else tiles[letter] for letter in row]
    return Route.of(named + [UNKNOWN_TILE] * (length - len(named)))


def _check_rows(
    rows: Mapping[str, Sequence[str | None]], tiles: Mapping[str, RouteTile], game: GameState, length: int
) -> None:
    for colour, row in rows.items():
        if game.person(colour) is None:
            raise InvalidSetupError(f"nobody plays {colour!r}, so there is no trade route of that colour")
        if len(row) > length:
            raise InvalidSetupError(f"{colour}'s trade route has {length} tiles, not {len(row)}")
    placed = Counter(letter for row in rows.values() for letter in row if letter is not None)
    for letter, count in placed.items():
        if letter not in tiles:
            known = ", ".join(tiles) or "none"
            raise InvalidSetupError(
                f"there is no trade route tile {letter!r} among those in 'tiles' ({known})"
            )
        if count > 1:
            raise InvalidSetupError(f"trade route tile {letter!r} is in two places; a box has it once")
