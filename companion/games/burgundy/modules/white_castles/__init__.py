"""White castles: buildings that act at once by the white die, and monastery 29, which counts them (S757-761)."""

from __future__ import annotations

from calibration.games.burgundy.facts import WHITE_CASTLES, Facts

from ...rules.tiles import supply_of
from .module import WhiteCastles

__all__ = ["WhiteCastles", "create"]


def create(facts: Facts) -> WhiteCastles:
    """Returns the module with the tiles that the box has."""
    return WhiteCastles(supply_of(facts.tiles_of(WHITE_CASTLES)))
