"""A duchy: the printed spaces of one personal board as a graph.

Sets of spaces are integers, bit *i* for space *i*: placing rules are then a few ``&``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from calibration.board_shape import STANDARD_ROWS, BoardShape

from .setup_validation import InvalidSetupError
from .tiles import TYPES

MOST_CACHED = 4096
"""Answers of :meth:`Duchy.within` that are remembered."""


@dataclass(frozen=True, slots=True)
class Space:
    """One printed space."""

    index: int
    tile_type: str
    """Type of the tiles that it takes."""
    die: int
    """Printed die value."""
    name: str
    """How moves name it, in one word: ``r1c1`` is the first space of the top row."""
    x_mm: float
    y_mm: float
    """Position of its centre on the board: x right and y down, from the centre of the board."""


@dataclass(frozen=True, slots=True)
class Area:
    """A maximal connected group of spaces for one tile type."""

    tile_type: str
    spaces: int
    size: int


class Duchy:
    """Represents a printed board. Made once and shared by every copy of a game.

    *neighbours* are for each space the spaces that it touches. *bridges* are pairs of spaces that do not touch but are
    joined for placing, like the rivers between the islands of a solo board; areas do not reach across them (S854).
    *linkable* is whether the optional rule of linked castles was printed for it (duchies 11 to 18, S705).

    :raises InvalidSetupError: if there is no such tile type or die, if two spaces have one name or a name is not one
        word, or if the neighbours or bridges do not fit the spaces.
    """

    def __init__(
        self,
        name: str,
        spaces: Iterable[Space],
        neighbours: Sequence[Collection[int]],
        *,
        bridges: Iterable[tuple[int, int]] = (),
        linkable: bool = False,
    ) -> None:
        self.name = name
        self.linkable = linkable
        self.spaces = tuple(spaces)
        self.bridges = tuple(bridges)
        self._check_spaces()
        self._check_graph(neighbours)
        self.everything = (1 << len(self.spaces)) - 1
        self.touching = tuple(self._mask(beside) for beside in neighbours)
        """For each space the spaces that it touches, which may be of one area with it."""
        self.neighbours = tuple(
            beside | self._mask(self._across_bridges(index)) for index, beside in enumerate(self.touching)
        )
        """For each space the spaces from which it can be reached when placing."""
        self.of_type = {t: self._mask(s.index for s in self.spaces if s.tile_type == t) for t in TYPES}
        self.of_die = {d: self._mask(s.index for s in self.spaces if s.die == d) for d in range(1, 7)}
        self.areas = tuple(self._areas())
        self.area_of = tuple(next(a for a in self.areas if a.spaces >> s.index & 1) for s in self.spaces)

    @classmethod
    def in_rows(
        cls,
        name: str,
        spaces: Sequence[tuple[str, int]],
        rows: Sequence[int] = STANDARD_ROWS,
        *,
        linkable: bool = False,
    ) -> Duchy:
        """Returns a board of *rows* of spaces, each row centred; *spaces* are ``(tile_type, die)`` in reading order.

        :raises InvalidSetupError: if the spaces do not fill the rows, and as for every board.
        """
        if len(spaces) != sum(rows):
            raise InvalidSetupError(f"duchy {name}: {len(spaces)} spaces given, the board has {sum(rows)}")
        shape = BoardShape.in_rows(rows)
        printed = zip(spaces, shape.names, shape.centres_mm, strict=True)
        return cls(
            name,
            (
                Space(index, tile_type, die, space_name, round(x, 3), round(y, 3))  # to micrometres
                for index, ((tile_type, die), space_name, (x, y)) in enumerate(printed)
            ),
            shape.neighbours,
            linkable=linkable,
        )

    def _check_spaces(self) -> None:
        names: set[str] = set()
        for index, space in enumerate(self.spaces):
            if space.index != index:
                raise InvalidSetupError(f"duchy {self.name}: space {index} has the index {space.index}")
            if space.tile_type not in TYPES or space.die not in range(1, 7):
                raise InvalidSetupError(
                    f"duchy {self.name}: space {index} is ({space.tile_type!r}, {space.die!r}): "
                    "not a tile type and a die"
                )
            if len(space.name.split()) != 1 or space.name in names:
                raise InvalidSetupError(
                    f"duchy {self.name}: space {index} is called {space.name!r}: not one word of its own"
                )
            names.add(space.name)

    def _check_graph(self, neighbours: Sequence[Collection[int]]) -> None:
        if len(neighbours) != len(self.spaces):
            raise InvalidSetupError(
                f"duchy {self.name}: neighbours of {len(neighbours)} spaces given, "
                f"the board has {len(self.spaces)}"
            )
        for index, beside in enumerate(neighbours):
            for other in beside:
                if other == index or other not in range(len(self.spaces)) or index not in neighbours[other]:
                    raise InvalidSetupError(
                        f"duchy {self.name}: {index} - {other} are not two of its spaces, "
                        "each given as a neighbour of the other"
                    )
        for one, other in self.bridges:
            if one == other or not {one, other} <= set(range(len(self.spaces))):
                raise InvalidSetupError(
                    f"duchy {self.name}: the bridge {one} - {other} does not join two of its spaces"
                )

    def space(self, name: str) -> Space:
        """Returns the space with this name.

        :raises ValueError: if the duchy has none.
        """
        for space in self.spaces:
            if space.name == name:
                return space
        raise ValueError(
            f"duchy {self.name} has no space {name!r}; "
            f"spaces are called {self.spaces[0].name} to {self.spaces[-1].name}"
        )

    @staticmethod
    def _mask(indices: Iterable[int]) -> int:
        return sum(1 << i for i in set(indices))

    def _across_bridges(self, space: int) -> Iterator[int]:
        for bridge in self.bridges:
            if space in bridge:
                yield from (end for end in bridge if end != space)

    def _areas(self) -> Iterator[Area]:
        for tile_type in TYPES:
            rest = self.of_type[tile_type]
            while rest:
                area = rest & -rest
                while grown := _joined(self.touching, area) & rest & ~area:
                    area |= grown
                rest &= ~area
                yield Area(tile_type, area, area.bit_count())

    @lru_cache(maxsize=MOST_CACHED)  # noqa: B019  # duchies are made once
    def within(self, costs: tuple[int, ...], most: int) -> int:
        """Returns the spaces whose die has at most this cost, given the costs by die."""
        return sum(spaces for die, spaces in self.of_die.items() if costs[die] <= most)

    def around(self, spaces: int) -> int:
        """Returns every space that can be reached from one of *spaces*."""
        return _joined(self.neighbours, spaces)


def _joined(graph: Sequence[int], spaces: int) -> int:
    """Returns every space that *graph* joins to one of *spaces*."""
    result = 0
    for i in bits(spaces):
        result |= graph[i]
    return result


def bits(spaces: int) -> Iterator[int]:
    """Yields the indices of the spaces in a set."""
    while spaces:
        low = spaces & -spaces
        yield low.bit_length() - 1
        spaces ^= low
