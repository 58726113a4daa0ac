"""Which border posts are linked, and how many tiles are missing between two of them.

Two posts are linked when a chain of touching covered spaces leads from a space beside one to a space beside the other
(S751).
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import TypeAlias

from ...rules.board import Duchy, bits

Spot: TypeAlias = tuple[int, ...]
"""The one or two spaces that a post touches."""
Pair: TypeAlias = tuple[int, int]
"""Two posts by their indices."""
NO_PAIRS: frozenset[Pair] = frozenset()
PAIRS: tuple[Pair, ...] = ((0, 1), (0, 2), (1, 2))
MOST_CACHED = 4096
"""Sets of covered spaces that are remembered: a search asks about the same ones again and again."""
_SECTORS = (
    "east",
    "south_east",
    "south",
    "south_west",
    "west",
    "north_west",
    "north",
    "north_east",
)
"""Directions from the centre of a board, clockwise."""


def linked(duchy: Duchy, covered: int, spots: tuple[Spot, ...]) -> frozenset[Pair]:
    """Returns the pairs of posts that are linked when these spaces are *covered*, a bit set."""
    beside = [_set_of(spot) & covered for spot in spots]
    if beside.count(0) > 1:  # so it is for most of a game
        return NO_PAIRS
    chains = [_spread(duchy, spaces, covered) for spaces in beside]
    return frozenset((one, other) for one, other in PAIRS if chains[one] & beside[other])


@lru_cache(maxsize=MOST_CACHED)
def missing(duchy: Duchy, covered: int, spots: tuple[Spot, ...], pair: Pair) -> int | None:
    """Returns the fewest tiles that are still missing between two posts: 0 if they are linked; None if nothing joins
    them."""
    start, end = (_set_of(spots[post]) for post in pair)
    reached, tiles = _spread(duchy, start & covered, covered), 0
    while not reached & end:
        beside = (start | _beside(duchy, reached)) & ~reached
        if not beside:
            return None
        reached, tiles = _spread(duchy, reached | beside, covered), tiles + 1
    return tiles


def side_of(duchy: Duchy, spot: Spot) -> str:
    """Returns where a post stands, as one of eight directions from the centre of the board: ``north_west``."""
    x = sum(duchy.spaces[space].x_mm for space in spot)
    y = sum(duchy.spaces[space].y_mm for space in spot)
    return _SECTORS[round(math.atan2(y, x) / math.tau * len(_SECTORS)) % len(_SECTORS)]


def _spread(duchy: Duchy, spaces: int, covered: int) -> int:
    """Returns a set of spaces with every covered one that a chain of covered spaces joins to it."""
    while grown := _beside(duchy, spaces) & covered & ~spaces:
        spaces |= grown
    return spaces


def _beside(duchy: Duchy, spaces: int) -> int:
    touched = 0
    for space in bits(spaces):
        touched |= duchy.touching[space]
    return touched


@cache
def _set_of(spaces: Spot) -> int:
    return sum(1 << space for space in spaces)
