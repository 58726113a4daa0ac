"""A duchy as text for a terminal.

Empty spaces show type and die (``b5``: building, 5), tiles four capital letters: ``BANK``, ``COW3``, ``MO12``.
"""

from __future__ import annotations

from .board import Space
from .state import Player
from .tiles import BUILDING, CASTLE, LIVESTOCK, MINE, MONASTERY, SHIP, Tile

CELL = 6
"""Width of a space in characters; rows are shifted by halves of it."""
TYPE_LETTERS = {CASTLE: "c", MINE: "m", SHIP: "s", LIVESTOCK: "l", BUILDING: "b", MONASTERY: "y"}
"""Letters of the tile types; monasteries are yellow."""


def draw(player: Player) -> str:
    """Returns a person's duchy as lines of text, with rows named as in moves."""
    rows = player.duchy.rows
    lines = []
    for row, length in enumerate(rows):
        cells = [
            _cell(space, player.spaces[space.index]) for space in player.duchy.spaces if space.row == row
        ]
        indent = " " * ((max(rows) - length) * CELL // 2)
        lines.append(f"r{row + 1}{indent}{''.join(f'{cell:^{CELL}}' for cell in cells)}".rstrip())
    return "\n".join(lines)


def _cell(space: Space, placed: Tile | None) -> str:
    if placed is None:
        return f"{TYPE_LETTERS[space.tile_type]}{space.die}"
    if placed.type == LIVESTOCK:
        return f"{str(placed.animal)[:3]}{placed.animals}".upper()
    if placed.type == MONASTERY:
        return f"MO{placed.number}"
    return (placed.variant or placed.type)[:4].upper()
