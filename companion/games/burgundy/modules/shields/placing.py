"""Shields 1, 17 and 18: pastures that count as one, areas of the next size, tiles laid apart (S912, S928-929)."""

from __future__ import annotations

from ...rules.board import Area
from ...rules.hooks import Hooks
from ...rules.state import GameState, Player
from ...rules.tiles import LIVESTOCK
from .state import ID, holds

JOINS_PASTURES = 1
ENLARGES_AREAS = 17
LAYS_APART = 18


class PlacingHooks(Hooks):
    """What is laid from now on scores more, or may lie elsewhere."""

    def pasture(self, game: GameState, player: Player, space: int) -> int:
        if holds(game, player, JOINS_PASTURES):
            return player.duchy.of_type[LIVESTOCK]
        return super().pasture(game, player, space)

    def area_size(self, game: GameState, player: Player, area: Area) -> int:
        return super().area_size(game, player, area) + holds(game, player, ENLARGES_AREAS)

    def open_spaces(self, game: GameState, player: Player, tile_type: str) -> int:
        """Returns every empty space of a type with shield 18, whatever other rules ask of its neighbours."""
        # Asked for every stored tile of every position: a call less counts.
        if LAYS_APART in game.module_states[ID].held and holds(game, player, LAYS_APART):  # type: ignore[attr-defined]
            return game.ruleset.spaces_for(player, tile_type) & ~player.occupied
        return super().open_spaces(game, player, tile_type)
