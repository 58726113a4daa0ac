"""A duchy: the printed spaces of one personal board as a graph.

Sets of spaces are integers, bit *i* for space *i*: placing rules are then a few ``&``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .setup_validation import InvalidSetupError
from .tiles import TYPES

STANDARD_ROWS = (4, 5, 6, 7, 6, 5, 4)


@dataclass(frozen=True, slots=True)
class Space:
    """One printed space."""

    index: int
    tile_type: str
    """Type of the tiles that it takes."""
    die: int
    """Printed die value."""
    row: int
    col: int
    """Position in the rows, counted from 0 at the top left."""

    @property
    def name(self) -> str:
        """Row and column as people count them: ``r1c1`` is the first space of the top row."""
        return f"r{self.row + 1}c{self.col + 1}"


@dataclass(frozen=True, slots=True)
class Area:
    """A maximal connected group of spaces for one tile type."""

    tile_type: str
    spaces: int
    size: int


class Duchy:
    """Represents a printed board. Made once and shared by every copy of a game.

    *spaces* are ``(tile_type, die)`` in reading order, in rows of *rows* spaces, each row centred. *linkable* is
    whether the optional rule of linked castles was printed for it (duchies 11 to 18, S705).

    :raises InvalidSetupError: if the spaces do not fill the rows, or the game has no such tile type or die.
    """

    def __init__(
        self,
        name: str,
        spaces: Sequence[tuple[str, int]],
        rows: Sequence[int] = STANDARD_ROWS,
        *,
        linkable: bool = False,
    ) -> None:
        if len(spaces) != sum(rows):
            raise InvalidSetupError(f"duchy {name}: {len(spaces)} spaces given, the board has {sum(rows)}")
        places = [(row, col) for row, length in enumerate(rows) for col in range(length)]
        for index, (tile_type, die) in enumerate(spaces):
            if tile_type not in TYPES or die not in range(1, 7):
                raise InvalidSetupError(
                    f"duchy {name}: space {index} is ({tile_type!r}, {die!r}): not a tile type and a die"
                )
        self.name = name
        self.linkable = linkable
        self.rows = tuple(rows)
        self.spaces = tuple(
            Space(i, tile_type, die, row, col)
            for i, ((tile_type, die), (row, col)) in enumerate(zip(spaces, places, strict=True))
        )
        self.everything = (1 << len(spaces)) - 1
        self.neighbours = tuple(self._neighbours(space) for space in self.spaces)
        self.of_type = {t: self._mask(s.index for s in self.spaces if s.tile_type == t) for t in TYPES}
        self.of_die = {d: self._mask(s.index for s in self.spaces if s.die == d) for d in range(1, 7)}
        self.areas = tuple(self._areas())
        self.area_of = tuple(next(a for a in self.areas if a.spaces >> i & 1) for i in range(len(spaces)))

    def space(self, name: str) -> Space:
        """Returns the space with this name.

        :raises ValueError: if the duchy has none.
        """
        for space in self.spaces:
            if space.name == name:
                return space
        raise ValueError(
            f"duchy {self.name} has no space {name!r}; spaces are called r1c1 to {self.spaces[-1].name}"
        )

    @staticmethod
    def _mask(indices: Iterator[int]) -> int:
        return sum(1 << i for i in indices)

    def _across(self, space: Space) -> float:
        """Returns the position across the board in half spaces: rows are centred."""
        return 2 * space.col - self.rows[space.row]

    def _neighbours(self, space: Space) -> int:
        return self._mask(
            other.index
            for other in self.spaces
            if (other.row == space.row and abs(other.col - space.col) == 1)
            or (abs(other.row - space.row) == 1 and abs(self._across(other) - self._across(space)) == 1)
        )

    def _areas(self) -> Iterator[Area]:
        for tile_type in TYPES:
            rest = self.of_type[tile_type]
            while rest:
                area = rest & -rest
                while grown := self.around(area) & rest & ~area:
                    area |= grown
                rest &= ~area
                yield Area(tile_type, area, area.bit_count())

    def around(self, spaces: int) -> int:
        """Returns every space next to one of *spaces*."""
        result = 0
        for i in bits(spaces):
            result |= self.neighbours[i]
        return result


def bits(spaces: int) -> Iterator[int]:
    """Yields the indices of the spaces in a set."""
    while spaces:
        low = spaces & -spaces
        yield low.bit_length() - 1
        spaces ^= low
