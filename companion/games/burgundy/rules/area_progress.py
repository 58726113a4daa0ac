"""How complete a person's areas are: what is missing in each, and what completing it now would bring."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .board import Area, bits
from .scoring import bonus_tile_points, completion_points, has_scored
from .state import OVER, GameState, Player


def area_progress(game: GameState, player: Player) -> Iterator[dict[str, Any]]:
    """Yields every area of a duchy as plain data, in the order of the types.

    ``spaces`` are the indices of its spaces, ``left`` those without a tile, ``open`` those whose neighbours allow a
    tile now, none once the game is over. The points are those that completing it now would bring, 0 once it is
    complete.
    """
    is_over = game.stage == OVER
    for area in player.duchy.areas:
        empty = area.spaces & ~player.occupied
        size, phase = completion_points(game, player, area) if empty else (0, 0)
        yield {
            "colour": area.tile_type,
            "size": game.hooks.area_size(game, player, area),
            "spaces": list(bits(area.spaces)),
            "left": list(bits(empty)),
            "open": []
            if is_over
            else list(bits(empty & game.hooks.open_spaces(game, player, area.tile_type))),
            "size_points": size,
            "phase_points": phase,
            "bonus_points": _bonus_points(game, player, area) if empty else 0,
        }


def _bonus_points(game: GameState, player: Player, area: Area) -> int:
    """Returns the points of the bonus tile if the area is the last of its type."""
    left = game.bonus_tiles_left[area.tile_type]
    elsewhere = player.duchy.of_type[area.tile_type] & ~area.spaces & ~player.occupied
    return 0 if elsewhere or has_scored(player, area.tile_type) else bonus_tile_points(game, player, left)
