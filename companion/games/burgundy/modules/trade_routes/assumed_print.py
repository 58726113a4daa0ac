"""What simulated games and demos assume of the tiles that nobody has seen.

At a real table people are asked, square by square.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...rules.decision import Rng
from .tiles import LETTERS, TradePrint, to_json

ASSUMED = (
    ((1, "sell_goods"), (4, "extra_action"), (6, "silver_2")),
    ((6, "take_ship_or_livestock"), (1, "points_4"), (5, "take_any_hex")),
    ((5, "workers_4"), (6, "place_tile"), (2, "silver_2")),
    ((3, "extra_action"), (1, "take_ship_or_livestock"), (4, "points_4")),
    ((2, "place_tile"), (6, "take_building"), (1, "silver_2")),
    ((4, "take_any_hex"), (5, "points_4"), (3, "sell_goods")),
)
"""Made up, so that the twelve tiles have each number six times and each bonus."""
SENTENCE = (
    f"assumed about the unknown print: {len(ASSUMED)} of the {len(LETTERS)} trade route tiles are made up, the others "
    "were seen in rulebooks"
)


def assumed(printed: TradePrint, colours: Iterable[str], players: int, rng: Rng) -> dict[str, Any]:
    """Returns the part of a set-up with twelve tiles, dealt to people of these *colours* among so many *players*."""
    squares = [*map(to_json, printed.seen.values()), *([list(s) for s in tile] for tile in ASSUMED)]
    tiles = dict(zip(LETTERS, squares, strict=True))
    bag = [*tiles]
    rows = {
        colour: [_drawn(bag, rng) for _ in range(printed.tiles_per_player[players])] for colour in colours
    }
    return {"tiles": tiles, "rows": rows}


def _drawn(bag: list[str], rng: Rng) -> str:
    """Takes a tile out of a bag and returns it."""
    tile = rng.choice(bag)
    bag.remove(tile)
    return tile
