"""Tiles and goods: the words and faces of the box."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

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
"""The six kinds of goods; kind, colour and die value are one thing (S241)."""


class Tile:
    """Represents one kind of hexagonal tile, face and back. Made by :func:`tile`, one object per kind."""

    __slots__ = ("animal", "animals", "black", "label", "number", "type", "variant")

    def __init__(self, label: str, black: bool) -> None:
        self.label = label
        """Type, or ``type/variant``: the word used in moves, sightings and the journal."""
        self.black = black
        """True when the back is black (such tiles are drawn to the black depot)."""
        self.type, _, variant = label.partition("/")
        self.variant = variant or None
        self.animal: str | None = None
        self.animals = self.number = 0
        if self.type not in TYPES:
            raise ValueError(f"{label!r} is not a tile: its type must be one of {', '.join(TYPES)}")
        if not _VARIANT.get(self.type, _no_variant)(self, variant):
            raise ValueError(f"{label!r} is not a tile of the game: {self.type} has no face {variant!r}")

    def __repr__(self) -> str:
        return f"tile({self.label!r}{', black=True' if self.black else ''})"

    def __reduce__(self) -> tuple[Callable[..., Tile], tuple[str, bool]]:
        return tile, (self.label, self.black)


def _no_variant(tile: Tile, variant: str) -> bool:
    return not variant


def _building(tile: Tile, variant: str) -> bool:
    return variant in BUILDINGS


def _livestock(tile: Tile, variant: str) -> bool:
    tile.animal, _, count = variant.partition("_")
    tile.animals = int(count) if count.isdigit() else 0
    return tile.animal in ANIMALS and 2 <= tile.animals <= 4


def _monastery(tile: Tile, variant: str) -> bool:
    tile.number = int(variant) if variant.isdigit() else 0
    return 1 <= tile.number <= 26


_VARIANT = {BUILDING: _building, LIVESTOCK: _livestock, MONASTERY: _monastery}


@cache
def _tile(label: str, black: bool) -> Tile:
    return Tile(label, black)


def tile(label: str, black: bool = False) -> Tile:
    """The tile named *label*, with a coloured or black back.

    :raises ValueError: when no such tile exists in the game.
    """
    return _tile(label, black)
