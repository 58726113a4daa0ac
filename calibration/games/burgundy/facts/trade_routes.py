"""Trade routes: how many of their tiles there are, and what is printed on those that somebody has seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calibration.fields import Field

from .common import DICE, EDITIONS, MAX_TILES, by_players, read_confidence, read_source

SQUARES = 3
"""Squares of one tile (S777)."""


@dataclass(frozen=True, slots=True)
class TradeRouteTileFact:
    """A tile of a trade route that has been seen."""

    id: str
    """A name of ours; no number is printed on it."""
    edition: str
    squares: tuple[tuple[int, str], ...]
    """Kind of goods and bonus of each square, from the left."""
    source: tuple[str, ...]
    confidence: str


@dataclass(frozen=True, slots=True)
class TradeRoutesFact:
    """The trade routes of one box."""

    tiles_in_box: int
    tiles_per_player: Mapping[int, int]
    """By number of players."""
    seen_bonuses: Mapping[str, str]
    """Bonus -> what its icon shows, for those of the tiles that have been seen."""
    other_bonuses: tuple[str, ...]
    """Bonuses that only tiles nobody has seen may have."""
    seen_tiles: Mapping[str, TradeRouteTileFact]
    """By id; no other tile is known, nor whether both editions have the same ones."""
    source: tuple[str, ...]
    confidence: str

    @property
    def bonuses(self) -> tuple[str, ...]:
        """Returns all bonuses that a square may have."""
        return (*self.seen_bonuses, *self.other_bonuses)


def read_trade_routes(document: Field) -> TradeRoutesFact:
    """Returns the trade routes."""
    bonuses = {name: icon.text() for name, icon in document["seen_bonuses"].entries()}
    return TradeRoutesFact(
        tiles_in_box=document["tiles_in_box"].integer(1, MAX_TILES),
        tiles_per_player=by_players(document["tiles_per_player"], lambda count: count.integer(1, MAX_TILES)),
        seen_bonuses=bonuses,
        other_bonuses=tuple(bonus.text() for bonus in document["other_bonuses"].items()),
        seen_tiles=_tiles(document["seen_tiles"], tuple(bonuses)),
        source=read_source(document),
        confidence=read_confidence(document),
    )


def _tiles(field: Field, bonuses: tuple[str, ...]) -> dict[str, TradeRouteTileFact]:
    tiles: dict[str, TradeRouteTileFact] = {}
    for entry in field.items():
        tile = TradeRouteTileFact(
            id=entry["id"].text(),
            edition=entry["edition"].text(EDITIONS),
            squares=tuple(_square(square, bonuses) for square in entry["squares"].items(SQUARES)),
            source=read_source(entry),
            confidence=read_confidence(entry),
        )
        if tile.id in tiles:
            entry["id"].fail(f"{tile.id!r} occurs twice; give each tile its own id")
        tiles[tile.id] = tile
    return tiles


def _square(field: Field, bonuses: tuple[str, ...]) -> tuple[int, str]:
    kind, bonus = field.items(2)
    return kind.integer(1, DICE), bonus.text(bonuses)
