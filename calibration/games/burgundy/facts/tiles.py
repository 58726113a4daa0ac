"""Hex tiles, monasteries, goods and bonus tiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calibration.fields import Field

from .common import (
    BASE_SET,
    DICE,
    EDITIONS,
    EXTRA_TILES,
    INNS,
    MAX_TILES,
    TILE_TYPES,
    WHITE_CASTLES,
    by_edition,
    by_players,
    read_confidence,
    read_points,
    read_source,
    unless_unknown,
)

BACKS = ("coloured", "black")
INN = "inn"
"""A type of its own: it has no colour, and is placed on any space (S769)."""
EXPANSION_SETS = (EXTRA_TILES, WHITE_CASTLES, INNS)
TILE_SETS = (BASE_SET, *EXPANSION_SETS)
BASE_TILES = {"coloured": 124, "black": 40}
"""Hex tiles of the base game by back; the rule text counts 164."""


@dataclass(frozen=True, slots=True)
class TileFact:
    """Hex tiles that look the same, front and back."""

    type: str
    """One of the six tile types, or :data:`INN`."""
    variant: str | None
    """Building, animals (``cow_3``) or monastery number; None if all tiles of the type are alike."""
    set: str
    """One of :data:`TILE_SETS`."""
    back: str | None
    """``coloured``, or ``black`` for the black depot; None if it is not known."""
    count: int
    source: tuple[str, ...]
    confidence: str

    @property
    def label(self) -> str:
        """Returns the tile's name in sightings: ``mine``, ``building/bank``."""
        return self.type if self.variant is None else f"{self.type}/{self.variant}"


@dataclass(frozen=True, slots=True)
class MonasteryFact:
    """A monastery tile; its effect in a few words (the rule text has the authority)."""

    number: int
    set: str
    """One of :data:`TILE_SETS`."""
    back: str
    effect: Mapping[str, str]
    """By edition."""
    points: Mapping[str, int]
    """Points for each thing it counts, by edition; empty where it scores nothing at the end."""
    building: str | None
    """The building it counts, if any."""
    source: tuple[str, ...]
    confidence: str


@dataclass(frozen=True, slots=True)
class GoodsFact:
    """Goods tiles of one kind."""

    kind: int
    """The printed number: the die of their depot."""
    count: int
    colours: Mapping[str, str | None]
    """By edition; None if it is not known."""
    source: tuple[str, ...]
    confidence: str


@dataclass(frozen=True, slots=True)
class BonusTileFact:
    """The bonus tile for completing all spaces of one tile type."""

    tile_type: str
    place: int
    """1 for the first player to complete them, 2 for the second."""
    points: Mapping[int, int]
    """By number of players."""
    source: tuple[str, ...]
    confidence: str


def read_tiles(field: Field, monasteries: Mapping[int, MonasteryFact]) -> tuple[TileFact, ...]:
    """Returns the hex tiles of the base game, whose monasteries are among *monasteries*."""
    tiles: list[TileFact] = []
    for entry in field.items(len(TILE_TYPES)):
        tile_type, source, confidence = (
            entry["type"].text(TILE_TYPES),
            read_source(entry),
            read_confidence(entry),
        )
        if any(tile.type == tile_type for tile in tiles):
            entry["type"].fail(f"{tile_type!r} occurs twice; each type has one entry")
        totals = {back: entry[back].integer(1, MAX_TILES) for back in BACKS}
        counts = (
            _monastery_counts(monasteries, BASE_SET)
            if tile_type == "monastery"
            else _variant_counts(entry, totals)
        )
        for back, total in totals.items():
            counted = sum(count for (_, of_back), count in counts.items() if of_back == back)
            if counted != total:
                entry[back].fail(f"is {total}, but the variants make {counted}")
        tiles += [
            TileFact(tile_type, variant, BASE_SET, back, count, source, confidence)
            for (variant, back), count in counts.items()
        ]
    for back, total in BASE_TILES.items():
        counted = sum(tile.count for tile in tiles if tile.back == back)
        if counted != total:
            field.fail(f"should make {total} tiles with {back} back, make {counted}")
    return tuple(tiles)


def _variant_counts(entry: Field, totals: Mapping[str, int]) -> dict[tuple[str | None, str], int]:
    """Returns the number of tiles of each variant and back."""
    variants = entry.get("variants")
    if variants is None:
        return {(None, back): count for back, count in totals.items()}
    counts: dict[tuple[str | None, str], int] = {}
    for name, backs in variants.entries():
        backs.only(BACKS)
        counts |= {(name, back): count.integer(1, MAX_TILES) for back, count in backs.entries()}
    return counts


def _monastery_counts(
    monasteries: Mapping[int, MonasteryFact], of_set: str
) -> dict[tuple[str | None, str], int]:
    """Returns one tile for each monastery of a set."""
    return {(str(m.number), m.back): 1 for m in monasteries.values() if m.set == of_set}


def read_expansion_tiles(
    field: Field, monasteries: Mapping[int, MonasteryFact]
) -> dict[str, tuple[TileFact, ...]]:
    """Returns the hex tiles of each expansion by its name; its monasteries are among *monasteries*."""
    expansions: dict[str, tuple[TileFact, ...]] = {}
    for entry in field.items(len(EXPANSION_SETS)):
        name = entry["set"].text(EXPANSION_SETS)
        if name in expansions:
            entry["set"].fail(f"{name!r} occurs twice; each expansion has one entry")
        expansions[name] = _expansion(entry, name, monasteries)
    return expansions


def _expansion(entry: Field, name: str, monasteries: Mapping[int, MonasteryFact]) -> tuple[TileFact, ...]:
    source, confidence = read_source(entry), read_confidence(entry)
    tiles = [_expansion_tile(tile, name, source, confidence) for tile in entry["tiles"].items(at_least=1)]
    tiles += [
        TileFact("monastery", number, name, back, count, source, confidence)
        for (number, back), count in _monastery_counts(monasteries, name).items()
    ]
    total, counted = entry["total"].integer(1, MAX_TILES), sum(tile.count for tile in tiles)
    if counted != total:
        entry["total"].fail(f"is {total}, but the tiles and monasteries of this set make {counted}")
    return tuple(tiles)


def _expansion_tile(field: Field, name: str, source: tuple[str, ...], confidence: str) -> TileFact:
    variant = field.get("variant")
    return TileFact(
        type=field["type"].text((*TILE_TYPES, INN)),
        variant=variant.text() if variant else None,
        set=name,
        back=unless_unknown(field["back"], lambda back: back.text(BACKS)),
        count=field["count"].integer(1, MAX_TILES),
        source=source,
        confidence=confidence,
    )


def read_monastery(entry: Field) -> MonasteryFact:
    """Returns a monastery."""
    points, building = entry.get("points"), entry.get("building")
    return MonasteryFact(
        number=entry["number"].integer(1, MAX_TILES),
        set=entry["set"].text(TILE_SETS),
        back=entry["back"].text(BACKS),
        effect=by_edition(entry["effect"], Field.text),
        points=by_edition(points, read_points) if points else {},
        building=building.text() if building else None,
        source=read_source(entry),
        confidence=read_confidence(entry),
    )


def read_goods(document: Field) -> tuple[GoodsFact, ...]:
    """Returns the goods of every kind, in the order of their numbers."""
    goods: list[GoodsFact] = []
    for kind, entry in enumerate(document["goods"].items(DICE), start=1):
        colours = entry["colours"]
        colours.only(EDITIONS)
        goods.append(
            GoodsFact(
                kind=entry["kind"].integer(kind, kind),
                count=entry["count"].integer(1, MAX_TILES),
                colours={edition: unless_unknown(colours[edition], Field.text) for edition in EDITIONS},
                source=read_source(document),
                confidence=read_confidence(document),
            )
        )
    return tuple(goods)


def read_bonus_tiles(field: Field) -> tuple[BonusTileFact, ...]:
    """Returns the bonus tiles of every tile type, the first ones first."""
    tile_types = [tile_type.text(TILE_TYPES) for tile_type in field["colours"].items(len(TILE_TYPES))]
    if len(set(tile_types)) < len(TILE_TYPES):
        field["colours"].fail("names a colour twice; each of the six has its own bonus tiles")
    return tuple(
        BonusTileFact(tile_type, place, points, read_source(field), read_confidence(field))
        for place, points in enumerate(read_pair(field), start=1)
        for tile_type in tile_types
    )


def read_pair(field: Field) -> tuple[dict[int, int], dict[int, int]]:
    """Returns what the first and the second bonus tile of a pair are worth by number of players."""
    return by_players(field["first"], read_points), by_players(field["second"], read_points)
