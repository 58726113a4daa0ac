"""Of which type of tile the Châteauma's inventory has fewest, as it takes those first (S1192-1194, S1241)."""

from __future__ import annotations

from collections.abc import Collection

from .seat import Chateauma

TABLE_RULE = "automa_wants"
"""What it looks for where it takes a tile of any type from the depots for its inventory."""
MISSING, FEWEST = "missing", "fewest"
"""In the first depot with any, a type that it lacks (S1241); or in all depots, the type that it has fewest of."""


def count_stored(seat: Chateauma, tile_type: str) -> int:
    """Returns how many tiles of a type its inventory holds; jokers are of no type."""
    return sum(t.type == tile_type for t in seat.stored)


def scarcest(seat: Chateauma, offered: Collection[str]) -> str:
    """Returns the type of those *offered* that it has fewest of, in a tie the first in the order of the inventory."""
    order = seat.print.inventory_order
    assert order is not None
    return min(
        (tile_type for tile_type in order if tile_type in offered),
        key=lambda tile_type: count_stored(seat, tile_type),
    )
