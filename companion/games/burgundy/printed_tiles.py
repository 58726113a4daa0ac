"""How many of each tile the box holds, from the printed facts."""

from __future__ import annotations

from collections.abc import Iterable

from calibration.games.burgundy.facts import TileFact

from .rules.tiles import Tile, tile


def supply_of(facts: Iterable[TileFact]) -> dict[Tile, int]:
    """Returns the number of each tile, by face and back."""
    return {tile(fact.label, fact.back == "black"): fact.count for fact in facts}
