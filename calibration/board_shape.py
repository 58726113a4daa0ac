"""The shape of a printed board: its spaces by name and position, which of them touch, and which are its anchors.

It imports nothing of the companion, so that rules, vision and the page share it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

PITCH_MM = 28.0
"""Distance of two spaces that touch: every board takes the same tiles."""
DOWN_MM = PITCH_MM * sqrt(3) / 2
"""Distance of two rows of hexagons."""
STANDARD_ROWS = (4, 5, 6, 7, 6, 5, 4)
"""Spaces in each row of a duchy, on every full board of every edition."""
_ROW_NAME = re.compile(r"r([1-9]\d*)c([1-9]\d*)")


def row_name(row: int, column: int) -> str:
    """Returns the name of a space by its place in the rows, as people count: ``r1c1`` is the first of the top row."""
    return f"r{row + 1}c{column + 1}"


def row_and_column(name: str) -> tuple[int, int] | None:
    """Returns the place in the rows, from 0, that a space is named after; None if its name is of another kind."""
    match = _ROW_NAME.fullmatch(name)
    return (int(match[1]) - 1, int(match[2]) - 1) if match else None


@dataclass(frozen=True, slots=True)
class BoardShape:
    """The spaces of a board; x right and y down in millimetres in the plane of the board, its centre as origin."""

    names: tuple[str, ...]
    centres_mm: tuple[tuple[float, float], ...]
    neighbours: tuple[tuple[int, ...], ...]
    """For each space the indices of those that it touches."""
    anchors: tuple[int, int, int, int]
    """The spaces whose centres are the *anchors* of a table file: the first and last of the top row, then the last and
    first of the bottom row."""

    @classmethod
    def in_rows(cls, rows: Sequence[int] = STANDARD_ROWS) -> BoardShape:
        """Returns the shape of a board of *rows* of spaces, each row centred, in reading order."""
        places = [(row, column) for row, length in enumerate(rows) for column in range(length)]
        across = [2 * column - rows[row] + 1 for row, column in places]  # in half pitches
        return cls(
            tuple(row_name(*place) for place in places),
            tuple(
                (half * PITCH_MM / 2, (row - (len(rows) - 1) / 2) * DOWN_MM)
                for half, (row, _) in zip(across, places, strict=True)
            ),
            tuple(tuple(_touching(places, across, index)) for index in range(len(places))),
            (0, rows[0] - 1, len(places) - 1, len(places) - rows[-1]),
        )


def _touching(places: Sequence[tuple[int, int]], across: Sequence[int], index: int) -> Iterator[int]:
    """Yields the spaces beside one in its row, and those half a space aside in the rows above and below."""
    for other in range(len(places)):
        steps = abs(places[other][0] - places[index][0]), abs(across[other] - across[index])
        if steps in ((0, 2), (1, 1)):
            yield other


STANDARD = BoardShape.in_rows()
"""The shape of every duchy of the base game."""
