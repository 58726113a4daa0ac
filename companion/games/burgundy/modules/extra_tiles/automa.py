"""What the Châteauma makes of the extra tiles; monasteries 27 and 28 are for it like any other (S1238-1240)."""

from __future__ import annotations

from collections.abc import Mapping

from ...rules.tiles import ANIMALS, LIVESTOCK, Tile
from ..chateauma.choosing import choose_by_white_die
from ..chateauma.context import Turn
from ..chateauma.extension import Benefit
from ..chateauma.placing import score_herd
from ..chateauma.seat import Chateauma
from .crane import CRANE
from .geese import GEESE


def _crane(turn: Turn, placed: Tile) -> None:
    """Has the benefit of a castle (S1239)."""
    turn.step("crane")
    choose_by_white_die(turn)


def _livestock(turn: Turn, placed: Tile) -> None:
    """Scores geese as its most common animal, and later any animal with the geese (S1240)."""
    herd = turn.seat.herd(placed.animal)
    if placed.animal != GEESE:
        if geese := turn.seat.herd(GEESE):
            turn.step("geese_join", animal=placed.animal)
        score_herd(turn, placed, [*herd, *geese])
        return
    animal = max(ANIMALS, key=lambda animal: _heads(turn.seat, animal))
    if heads := _heads(turn.seat, animal):
        turn.step("geese_count_as", animal=animal, count=heads)
    score_herd(turn, placed, [*herd, *turn.seat.herd(animal)])


def _heads(seat: Chateauma, animal: str) -> int:
    """Returns how many animals of a kind are on its cards and in its duchy."""
    return sum(t.animals for t in seat.herd(animal))


BENEFITS: Mapping[str, Benefit] = {CRANE: _crane, LIVESTOCK: _livestock}
STEPS: Mapping[str, str] = {"crane": "S1239", "geese_count_as": "S1240", "geese_join": "S1240"}
