"""A duchy as text for a terminal.

Empty spaces show type and die (``b5``: building, 5), tiles four capital letters: ``BANK``, ``COW3``, ``MO12``.
"""

from __future__ import annotations

from collections.abc import Iterable

from calibration.board_shape import DOWN_MM, PITCH_MM, row_and_column

from .board import Space
from .state import Player
from .tiles import BUILDING, CASTLE, LIVESTOCK, MINE, MONASTERY, SHIP, Tile

LABEL = 2
"""Width of the names of rows in characters."""
CELL = 6
"""Width of a space in characters; rows are shifted by halves of it."""
TYPE_LETTERS = {CASTLE: "c", MINE: "m", SHIP: "s", LIVESTOCK: "l", BUILDING: "b", MONASTERY: "y"}
"""Letters of the tile types; monasteries are yellow."""


def draw(player: Player) -> str:
    """Returns a person's duchy as lines of text, each space where it is on the board.

    Spaces are named as in moves: by their row at the left or, where they are not named after rows, below each of them.
    Spaces that a bridge joins are listed at the end.
    """
    duchy = player.duchy
    left = min(space.x_mm for space in duchy.spaces)
    lines: list[str] = []
    above: float | None = None
    for line in _lines(duchy.spaces):
        if above is not None:
            lines += [""] * (round((line[0].y_mm - above) / DOWN_MM) - 1)
        above = line[0].y_mm
        starts = [LABEL + round((space.x_mm - left) / PITCH_MM * CELL) for space in line]
        cells = [_cell(space, player.spaces[space.index]) for space in line]
        rows = {place and place[0] for place in (row_and_column(space.name) for space in line)}
        if len(rows) == 1 and (row := rows.pop()) is not None:
            lines.append(_line(f"r{row + 1}", starts, cells))
        else:
            lines += [_line("", starts, cells), _line("", starts, [space.name for space in line])]
    lines += [" ~ ".join(duchy.spaces[end].name for end in bridge) for bridge in duchy.bridges]
    return "\n".join(lines)


def _lines(spaces: Iterable[Space]) -> list[list[Space]]:
    """Returns the spaces line by line from the top, each line from the left.

    A line contains the spaces less than half a row below its first one: islands need not be level.
    """
    lines: list[list[Space]] = []
    for space in sorted(spaces, key=lambda space: (space.y_mm, space.x_mm)):
        if lines and space.y_mm - lines[-1][0].y_mm < DOWN_MM / 2:
            lines[-1].append(space)
        else:
            lines.append([space])
    return [sorted(line, key=lambda space: space.x_mm) for line in lines]


def _line(label: str, starts: Iterable[int], cells: Iterable[str]) -> str:
    """Returns a line with *cells* in the middle of the places that begin at *starts*."""
    line = label
    for start, cell in zip(starts, cells, strict=True):
        line = line.ljust(max(start + (CELL - len(cell)) // 2, len(line) + 1)) + cell
    return line


def _cell(space: Space, placed: Tile | None) -> str:
    if placed is None:
        return f"{TYPE_LETTERS[space.tile_type]}{space.die}"
    if placed.type == LIVESTOCK:
        return f"{str(placed.animal)[:3]}{placed.animals}".upper()
    if placed.type == MONASTERY:
        return f"MO{placed.number}"
    return (placed.variant or placed.type)[:4].upper()
