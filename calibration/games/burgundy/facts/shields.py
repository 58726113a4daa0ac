"""Shields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calibration.fields import Field

from .common import DEPOTS, by_number, by_players, read_confidence, read_points, read_source

SHIELDS = 18
"""In one box (S118)."""


@dataclass(frozen=True, slots=True)
class ShieldFact:
    """A shield; what it does is in the rule text."""

    number: int
    end_points: int
    """Points at the end of the game (S912-929)."""


@dataclass(frozen=True, slots=True)
class ShieldsFact:
    """The shields of one box."""

    shields: Mapping[int, ShieldFact]
    """By number."""
    laid_out: Mapping[int, tuple[int, ...]]
    """Number of players -> shields at depots 1 to 6."""
    source: tuple[str, ...]
    confidence: str
    laid_out_source: tuple[str, ...]
    laid_out_confidence: str


def read_shields(document: Field) -> ShieldsFact:
    """Returns the shields."""
    shields = by_number(document["shields"], _shield)
    if list(shields) != list(range(1, SHIELDS + 1)):
        document["shields"].fail(f"should go from 1 to {SHIELDS} in order")
    laid_out = document["laid_out"]
    return ShieldsFact(
        shields=shields,
        laid_out=by_players(laid_out["at_depots"], _at_depots),
        source=read_source(document),
        confidence=read_confidence(document),
        laid_out_source=read_source(laid_out),
        laid_out_confidence=read_confidence(laid_out),
    )


def _shield(entry: Field) -> ShieldFact:
    return ShieldFact(entry["number"].integer(1, SHIELDS), read_points(entry["end_points"]))


def _at_depots(field: Field) -> tuple[int, ...]:
    return tuple(count.integer(1, SHIELDS) for count in field.items(DEPOTS))
