"""The shape of a printed board: its spaces by name and position, which of them touch, and which are its anchors.

It imports nothing of the companion, so that rules, vision and the page share it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import dist, sqrt

PITCH_MM = 28.0
"""Distance of two spaces that touch: every board takes the same tiles."""
TOUCHING_MM = 1.25 * PITCH_MM
"""Distance below which spaces touch: halfway to those beyond, but for the tolerance of a hand with a ruler."""
DOWN_MM = PITCH_MM * sqrt(3) / 2
"""Distance of two rows of hexagons."""
STANDARD_ROWS = (4, 5, 6, 7, 6, 5, 4)
"""Spaces in each row of a board of the standard shape."""
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
    def at(
        cls,
        names: Sequence[str],
        centres_mm: Sequence[tuple[float, float]],
        anchors: tuple[int, int, int, int],
    ) -> BoardShape:
        """Returns the shape with these spaces; those that lie no farther apart than their size touch."""
        neighbours = tuple(
            tuple(
                index
                for index, other in enumerate(centres_mm)
                if index != own and dist(centre, other) < TOUCHING_MM
            )
            for own, centre in enumerate(centres_mm)
        )
        return cls(tuple(names), tuple(centres_mm), neighbours, anchors)

    @classmethod
    def in_rows(cls, rows: Sequence[int] = STANDARD_ROWS) -> BoardShape:
        """Returns the shape of a board of *rows* of spaces, each row centred, in reading order."""
        return _in_rows(tuple(rows))


@cache
def _in_rows(rows: tuple[int, ...]) -> BoardShape:
    places = [(row, column) for row, length in enumerate(rows) for column in range(length)]
    return BoardShape.at(
        [row_name(*place) for place in places],
        [
            ((column - (rows[row] - 1) / 2) * PITCH_MM, (row - (len(rows) - 1) / 2) * DOWN_MM)
            for row, column in places
        ],
        (0, rows[0] - 1, len(places) - 1, len(places) - rows[-1]),
    )


STANDARD = BoardShape.in_rows()
"""The shape of most boards."""
