"""What the Châteauma makes of a white castle: a tile of the main board for its inventory (S1241)."""

from __future__ import annotations

from collections.abc import Mapping

from ...rules.tiles import Tile
from ..chateauma.context import Turn, clockwise
from ..chateauma.placing import take_to_inventory
from ..chateauma.scarcity import FEWEST, TABLE_RULE, count_stored, scarcest

NOTHING_FOUND_SILVER = 1
STEPS: Mapping[str, str] = dict.fromkeys(
    ("white_castle", "lacks_type", "has_fewest_of", "no_tile_on_board"), "S1241"
)


def take_tile(turn: Turn, placed: Tile) -> None:
    """Takes the uppermost tile of the type that it looks for into the inventory; with none left, gets silver."""
    turn.step("white_castle", depot=turn.white)
    if not (found := _found(turn)):
        turn.step("no_tile_on_board")
        turn.pay(NOTHING_FOUND_SILVER)
        return
    depot, tile_type = found
    count = count_stored(turn.seat, tile_type)
    turn.step("has_fewest_of" if count else "lacks_type", depot=depot, type=tile_type, count=count)
    take_to_inventory(turn, depot, _types(turn, depot).index(tile_type))


def _found(turn: Turn) -> tuple[int, str] | None:
    """Returns depot and type of the tile that it takes, searched from the white die on.

    The first depot decides that has a type which the inventory lacks; if none has, or by the other table rule, all
    depots are searched for the type that the inventory has fewest of.
    """
    depots = clockwise(turn.white)
    if not turn.game.rules.plays(TABLE_RULE, FEWEST):
        for depot in depots:
            if lacking := [
                t for t in _types(turn, depot) if t is not None and not count_stored(turn.seat, t)
            ]:
                return depot, scarcest(turn.seat, lacking)
    offered = {tile_type for depot in depots for tile_type in _types(turn, depot) if tile_type is not None}
    if not offered:
        return None
    tile_type = scarcest(turn.seat, offered)
    return next(depot for depot in depots if tile_type in _types(turn, depot)), tile_type


def _types(turn: Turn, depot: int) -> list[str | None]:
    """Returns the type of the tile on each slot of a depot, from the top."""
    return [None if there is None else there.type for there in turn.game.depots[depot - 1]]
