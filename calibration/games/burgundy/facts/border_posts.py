"""Border posts: where they are printed around the duchy, and what their bonus tiles are worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from calibration.fields import Field

from .boards import DUCHY_SPACES
from .common import read_confidence, read_source
from .tiles import read_pair

POSTS = 3
Spot: TypeAlias = tuple[int, ...]
"""The one or two spaces of a duchy that a post beside it touches, counted from 0 in reading order."""


@dataclass(frozen=True, slots=True)
class BorderPostsFact:
    """The border posts of the player boards, all of which have them in the same places."""

    spots: tuple[Spot, ...]
    possible_spots: tuple[Spot, ...]
    """Notches and corners of the outline of a duchy, clockwise from the top left: where a post can be."""
    source: tuple[str, ...]
    confidence: str
    bonus_points: tuple[Mapping[int, int], Mapping[int, int]]
    """Points of the first and the second bonus tile, by number of players."""
    bonus_source: tuple[str, ...]
    bonus_confidence: str


def read_border_posts(document: Field) -> BorderPostsFact:
    """Returns the border posts."""
    possible = tuple(_spot(spot) for spot in document["possible_spots"].items(at_least=POSTS))
    bonus = document["bonus_tiles"]
    return BorderPostsFact(
        spots=_three_of(possible, document["spots"]),
        possible_spots=possible,
        source=read_source(document),
        confidence=read_confidence(document),
        bonus_points=read_pair(bonus),
        bonus_source=read_source(bonus),
        bonus_confidence=read_confidence(bonus),
    )


def _three_of(possible: tuple[Spot, ...], field: Field) -> tuple[Spot, ...]:
    spots: list[Spot] = []
    for entry in field.items(POSTS):
        spot = _spot(entry)
        if spot not in possible:
            entry.fail("is none of the possible spots")
        if spot in spots:
            entry.fail("occurs twice; each post has a spot of its own")
        spots.append(spot)
    return tuple(spots)


def _spot(field: Field) -> Spot:
    return tuple(space.integer(0, DUCHY_SPACES - 1) for space in field.items(at_least=1, at_most=2))
