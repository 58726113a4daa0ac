"""The boards of each game: what a table file may say about what is printed on them.

A game's package in ``calibration/games`` has them as ``BOARDS``; it is found by its name, and listed nowhere.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TypeAlias

from . import games
from .fields import Field

Spaces: TypeAlias = tuple[tuple[str, int], ...]
"""Printed tile type and die of each space of a board, in the order of its shape."""


def kind_of(label: str) -> str:
    """Returns the first part of a label: the type of a tile, or what kind of thing else it names, such as ``goods``."""
    return label.partition("/")[0]


@dataclass(frozen=True, slots=True)
class TokenKind:
    """Tokens that lie on tiles, and at places of their own before."""

    tile_type: str
    """Type of the tiles on which they lie."""
    width: float
    """Width in pitches of a board."""

    def on_tile(self, label: str) -> str:
        """Returns the label of a tile on which the token with this label lies: ``castle/shield_7``."""
        return f"{self.tile_type}/{label.replace('/', '_')}"

    def token_on(self, label: str, name: str) -> str | None:
        """Returns the label of the token, one of those whose labels begin with *name*, on a tile with this *label*;
        None if there is none."""
        start = self.on_tile(f"{name}/")
        return f"{name}/{label.removeprefix(start)}" if label.startswith(start) else None


@dataclass(frozen=True)
class BoardKind:
    """The boards of one game."""

    game: str
    """Name of its folders."""
    group: str
    """What the game calls a board: the field of a table file that says what is printed on it, and the first part of the
    names of its spaces."""
    types: tuple[str, ...]
    """Types of tiles, which are also those of the spaces that take them."""
    face_down: tuple[str, ...]
    """Kinds of places beside the boards on which tiles may lie face down."""
    load_known: Callable[[], Mapping[str, Spaces]]
    """Function that returns what is printed on the boards of standard shape that have an id."""
    tokens: Mapping[str, TokenKind] = field(default_factory=dict)
    """Tokens that may lie on tiles, by the first part of their labels."""

    @cached_property
    def usual_counts(self) -> Mapping[str, int]:
        """Returns the number of spaces of each type on every known board; empty if these differ."""
        counts = [Counter(tile_type for tile_type, _ in spaces) for spaces in self.known.values()]
        same = counts and all(count == counts[0] for count in counts)
        return {tile_type: counts[0][tile_type] for tile_type in self.types} if same else {}

    @cached_property
    def usual_dice(self) -> tuple[int, ...]:
        """Returns the printed dice of every known board; empty if these differ."""
        dice = {tuple(die for _, die in spaces) for spaces in self.known.values()}
        return dice.pop() if len(dice) == 1 else ()

    @cached_property
    def known(self) -> Mapping[str, Spaces]:
        """Returns what is printed on the boards of standard shape that have an id."""
        return self.load_known()


@cache
def board_kinds() -> tuple[BoardKind, ...]:
    """Returns the boards of every game that has any, by the name of the game."""
    found = (
        importlib.import_module(f"{games.__name__}.{module.name}")
        for module in sorted(pkgutil.iter_modules(games.__path__), key=lambda module: module.name)
    )
    return tuple(part.BOARDS for part in found if hasattr(part, "BOARDS"))


def read_spaces(field: Field, types: Sequence[str], count: int) -> Spaces:
    """Returns the printed spaces of a board: *count* pairs of one of the tile *types* and a die."""
    return tuple(_space(space, types) for space in field.items(count))


def _space(field: Field, types: Sequence[str]) -> tuple[str, int]:
    tile_type, die = field.items(2)
    return tile_type.text(types), die.integer(1, 6)
