"""The geese: livestock that scores with one other kind of its pasture, and with whatever joins them (S729-733)."""

from __future__ import annotations

from ...rules.scoring import herd_points, livestock_in
from ...rules.state import GameState, Player
from ...rules.tiles import LIVESTOCK, Tile

GEESE = "geese"
LABEL = f"{LIVESTOCK}/{GEESE}_2"


def further_livestock(game: GameState, player: Player, space: int) -> list[Tile]:
    """Returns what scores besides the livestock placed on a space and its own kind, because of geese.

    Geese score with the one other kind in the pasture that brings most (S731): there is no reason for another. What is
    placed beside geese scores with them.
    """
    placed = player.spaces[space]
    assert placed is not None
    there = livestock_in(player, game.hooks.pasture(game, player, space))
    if placed.animal != GEESE:
        return [t for t in there if t.animal == GEESE]
    return best_herd(player, there)


def best_herd(player: Player, there: list[Tile]) -> list[Tile]:
    """Returns those tiles of one kind of animal other than geese that bring most."""
    kinds = sorted({str(t.animal) for t in there if t.animal != GEESE})
    herds = [[t for t in there if t.animal == kind] for kind in kinds]
    return max(herds, key=lambda herd: herd_points(player, herd), default=[])
