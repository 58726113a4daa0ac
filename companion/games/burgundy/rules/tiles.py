"""Tiles and goods: their types, faces and labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Protocol

CASTLE, MINE, SHIP, LIVESTOCK, BUILDING, MONASTERY = TYPES = (
    "castle",
    "mine",
    "ship",
    "livestock",
    "building",
    "monastery",
)
MARKET, CARPENTER, CHURCH, WAREHOUSE, BOARDING_HOUSE, BANK, TOWN_HALL, WATCHTOWER = BUILDINGS = (
    "market",
    "carpenter",
    "church",
    "warehouse",
    "boarding_house",
    "bank",
    "town_hall",
    "watchtower",
)
ANIMALS = ("cow", "pig", "sheep", "chicken")
GOODS = (1, 2, 3, 4, 5, 6)
"""The six kinds of goods; the kind is also the die value that sells them (S241)."""


_FACES = {
    CASTLE: ("",),
    MINE: ("",),
    SHIP: ("",),
    LIVESTOCK: tuple(f"/{animal}_{count}" for animal in ANIMALS for count in (2, 3, 4)),
    BUILDING: tuple(f"/{building}" for building in BUILDINGS),
    MONASTERY: tuple(f"/{number}" for number in range(1, 27)),
}
IN_ORDER = tuple(tile_type + face for tile_type, faces in _FACES.items() for face in faces)
"""Every tile of the base game, type by type and in the order of their faces."""
LABELS = frozenset(IN_ORDER)
"""Labels of every tile of the base game, as in moves, sightings and the journal: type, or ``type/variant``."""
_NAME = re.compile("[a-z]?[a-z0-9_]*")
_FORMS = {LIVESTOCK: re.compile("[a-z]+_[1-9]"), MONASTERY: re.compile("[1-9][0-9]?")}
"""Form of the variants that tell more than a name; modules may add tiles of these types."""

EMPTY = "empty"
"""Label of an empty place."""
BLACK_BACK = "black"
"""What stands for a tile's type where its back is black: one cannot see the type before the tile is drawn."""
_GOODS = "goods/"


class Tile:
    """Represents one kind of hexagonal tile, face and back. :func:`tile` makes one object per kind."""

    __slots__ = ("animal", "animals", "black", "label", "number", "type", "variant")

    def __init__(self, label: str, black: bool) -> None:
        tile_type, _, variant = label.partition("/")
        if not _FORMS.get(tile_type, _NAME).fullmatch(variant) or not _NAME.fullmatch(tile_type):
            raise ValueError(not_a_tile(label))
        self.label = label
        self.black = black
        """Whether the back is black (such tiles are drawn to the black depot)."""
        self.type = tile_type
        self.variant = variant or None
        face, _, count = variant.partition("_")
        self.animal = face if self.type == LIVESTOCK else None
        self.animals = int(count) if self.type == LIVESTOCK else 0
        self.number = int(variant) if self.type == MONASTERY else 0

    def __repr__(self) -> str:
        return f"tile({self.label!r}{', black=True' if self.black else ''})"

    def __reduce__(self) -> tuple[Callable[..., Tile], tuple[str, bool]]:
        return tile, (self.label, self.black)


class PrintedTiles(Protocol):
    """Tiles that look the same, as the printed facts count them."""

    @property
    def label(self) -> str: ...
    @property
    def back(self) -> str | None: ...
    @property
    def count(self) -> int: ...


def not_a_tile(label: str) -> str:
    """Returns what an error says of a label that no tile has."""
    return f"{label[:60]!r} is not a tile of the game; they are called like {LIVESTOCK}/cow_3"


def goods_label(kind: int) -> str:
    """Returns the label of a goods tile of this kind: ``goods/4``."""
    return f"{_GOODS}{kind}"


def is_goods(label: str) -> bool:
    """Returns whether a label names a goods tile."""
    return label.startswith(_GOODS)


def goods_kind(label: str) -> int:
    """Returns the kind of goods that a goods tile's label names."""
    return int(label.removeprefix(_GOODS))


@cache
def _tile(label: str, black: bool) -> Tile:
    return Tile(label, black)


def tile(label: str, black: bool = False) -> Tile:
    """Returns the tile with this label, with a coloured or black back.

    Which tiles a game has is in its :class:`.ruleset.Ruleset`.

    :raises ValueError: if no tile can have such a label.
    """
    return _tile(label, black)


def supply_of(printed: Iterable[PrintedTiles]) -> dict[Tile, int]:
    """Returns how many there are of each tile."""
    return {tile(face.label, face.back == BLACK_BACK): face.count for face in printed}
