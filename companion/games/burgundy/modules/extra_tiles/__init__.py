"""Four extra tiles: monasteries 27 and 28, the crane and the geese (second expansion, S707-735)."""

from __future__ import annotations

from calibration.games.burgundy.facts import EXTRA_TILES, Facts

from ...rules.tiles import supply_of
from .module import ExtraTiles

__all__ = ["ExtraTiles", "create"]


def create(facts: Facts) -> ExtraTiles:
    """Returns the module with the tiles that the box has."""
    return ExtraTiles(supply_of(facts.tiles_of(EXTRA_TILES)))
