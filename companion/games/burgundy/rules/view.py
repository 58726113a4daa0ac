"""The position as plain data for the page, with everything computed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .area_progress import area_progress
from .board import Duchy
from .edition import ROUNDS
from .legality import to_move
from .scoring import points_tile
from .state import OVER, GameState, Player, Seat
from .storage import free_spaces
from .tiles import GOODS, Tile


def draw(game: GameState) -> dict[str, Any]:
    """Returns everything on the table; showing it needs no knowledge of the rules."""
    order = [game.seats[index].colour for index in game.order()]
    drawn: dict[str, list[dict[str, Any]]] = {"players": []}
    for seat in game.seats:
        for group, view in game.hooks.view_of(game, seat).items():
            drawn.setdefault(group, []).append(view)
    people = [i for i, seat in enumerate(game.seats) if isinstance(seat, Player)]
    return {
        "edition": game.edition.name,
        "stage": game.stage,
        "phase": game.phase_letter,
        "round": min(game.round + 1, ROUNDS),
        "rounds": ROUNDS,
        "to_move": to_move(game),
        "order": order,
        "acted": [s.colour for i, s in enumerate(game.seats) if game.acted >> i & 1],
        "white": game.white,
        "white_die": game.seats[game.first_player].colour if any(game.track) else None,
        "rules": game.rules.to_json(),
        "timeline": [[scores[i] for i in people] for scores in game.score_history],
        **drawn,
        **game.hooks.view_of_board(game),
        "track": [[game.seats[i].colour for i in space] for space in game.track],
        "bonus_tiles": dict(game.bonus_tiles_left),
        "pending": [p.effect for p in game.pending],
    }


def of_main_board(game: GameState) -> dict[str, Any]:
    """Returns the tiles and goods on the main board."""
    return {
        "depots": [
            {
                "number": number,
                "tiles": [_label(t) for t in tiles],
                "colours": [slot.type_in(game.phase_letter) for slot in slots],
                "goods": _stacks(goods),
            }
            for number, (tiles, slots, goods) in enumerate(
                zip(game.depots, game.main_board.depots, game.depot_goods, strict=True), 1
            )
        ],
        "black": [_label(t) for t in game.black],
        "round_goods": list(game.round_goods),
    }


def owned(game: GameState, seat: Seat) -> dict[str, Any]:
    """Returns what every seat owns, whatever its kind."""
    return {
        "colour": seat.colour,
        "side": seat.side.colour,
        "score": seat.score,
        "points_tile": points_tile(game, seat),
        "at_end": seat.score
        + (sum(game.hooks.final_points(game, seat).values()) if game.stage != OVER else 0),
        "points": dict(seat.points),
        "silver": seat.silver,
        "goods": _stacks(seat.goods),
        "sold": _stacks(seat.sold),
        "bonus_tiles": list(seat.bonus_tiles),
    }


def of_player(game: GameState, player: Player) -> dict[str, Any]:
    """Returns what a person owns."""
    return {
        **owned(game, player),
        "workers": player.workers,
        "dice": list(player.dice),
        "storage": [t.label for t in player.storage],
        "storage_free": free_spaces(game, player),
        **of_board(player.duchy, player.spaces),
        "areas": list(area_progress(game, player)),
    }


def of_board(duchy: Duchy, placed: Sequence[Tile | None]) -> dict[str, Any]:
    """Returns a duchy with the tiles on its spaces."""
    return {
        "duchy": duchy.name,
        "spaces": [
            {
                "name": s.name,
                "colour": s.tile_type,
                "die": s.die,
                "x_mm": s.x_mm,
                "y_mm": s.y_mm,
                "tile": _label(placed[s.index]),
            }
            for s in duchy.spaces
        ],
        "bridges": [list(bridge) for bridge in duchy.bridges],
    }


def _label(t: Tile | None) -> str | None:
    return None if t is None else t.label


def _stacks(goods: list[int]) -> dict[str, int]:
    """Returns goods by kind, without those that are missing."""
    return {str(kind): goods[kind] for kind in GOODS if goods[kind]}
