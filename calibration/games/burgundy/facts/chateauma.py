"""The Châteauma: its county cards and its own board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calibration.fields import Field

from .common import (
    DIFFICULTIES,
    EDITIONS,
    MAX_TILES,
    TILE_TYPES,
    read_confidence,
    read_points,
    read_source,
    unless_unknown,
)


@dataclass(frozen=True, slots=True)
class CountyHex:
    """A hex on a county card of the Châteauma."""

    tile_type: str | None
    """Tile type that the hex takes; None if it is unknown."""
    candidates: tuple[str, ...]
    """Types it may take where *tile_type* is None."""
    sells_goods: bool


@dataclass(frozen=True, slots=True)
class CountyCardFact:
    """A county card of the Châteauma."""

    number: int
    hexes: tuple[CountyHex, ...]
    """Top to bottom."""
    points: Mapping[str, int]
    """By difficulty: ``easy``, ``medium``, ``hard``."""
    source: tuple[str, ...]
    confidence: str


@dataclass(frozen=True, slots=True)
class AutomaBoardFact:
    """The Châteauma's own board."""

    edition: str
    spaces: Mapping[str, int]
    """Spaces by tile type."""
    symbols: Mapping[str, Mapping[str, int] | None]
    """Modifier -> number of spaces of each tile type that bear its symbol; None if it is unknown."""
    inventory_order: tuple[str, ...] | None
    """Tile types of the inventory from the top left; None if it is unknown."""
    source: tuple[str, ...]
    confidence: str
    symbols_source: tuple[str, ...]
    symbols_confidence: str


def read_county_card(entry: Field) -> CountyCardFact:
    """Returns a county card."""
    entry["points"].only(DIFFICULTIES)
    return CountyCardFact(
        number=entry["number"].integer(1, MAX_TILES),
        hexes=tuple(_county_hex(hex_) for hex_ in entry["hexes"].items(at_least=1)),
        points={level: read_points(entry["points"][level]) for level in DIFFICULTIES},
        source=read_source(entry),
        confidence=read_confidence(entry),
    )


def _county_hex(field: Field) -> CountyHex:
    field.only(("colour", "candidates", "sells_goods"))
    candidates, sells = field.get("candidates"), field.get("sells_goods")
    return CountyHex(
        tile_type=unless_unknown(field["colour"], lambda tile_type: tile_type.text(TILE_TYPES)),
        candidates=tuple(one.text(TILE_TYPES) for one in candidates.items()) if candidates else (),
        sells_goods=sells.flag() if sells else False,
    )


def read_automa_board(document: Field) -> AutomaBoardFact:
    """Returns the Châteauma's own board."""
    return AutomaBoardFact(
        edition=document["edition"].text(EDITIONS),
        spaces=_by_type(document["spaces"]),
        symbols={
            modifier: unless_unknown(spaces, _by_type) for modifier, spaces in document["marks"].entries()
        },
        inventory_order=unless_unknown(
            document["inventory_order"],
            lambda order: tuple(one.text(TILE_TYPES) for one in order.items(len(TILE_TYPES))),
        ),
        source=read_source(document),
        confidence=read_confidence(document),
        symbols_source=read_source(document, "marks_source"),
        symbols_confidence=read_confidence(document, "marks_confidence"),
    )


def _by_type(field: Field) -> dict[str, int]:
    field.only(TILE_TYPES)
    return {tile_type: count.integer(1, MAX_TILES) for tile_type, count in field.entries()}
