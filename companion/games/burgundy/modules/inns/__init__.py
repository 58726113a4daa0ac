"""Inns: tiles for a space of any colour, which make its area one larger; sold beside the black depot (S763-773)."""

from __future__ import annotations

from calibration.games.burgundy.facts import INNS, Facts

from ...rules.tiles import tile
from .module import Inns

__all__ = ["Inns", "create"]


def create(facts: Facts) -> Inns:
    """Returns the module with the inns that the box has."""
    return Inns({tile(fact.label): fact.count for fact in facts.tiles_of(INNS)})
