"""Estates: every area scores as if it had one space more, and everybody has a fourth key space."""

from __future__ import annotations

from calibration.games.burgundy.facts import Facts
from companion.games.burgundy.rules.board import Area
from companion.games.burgundy.rules.hooks import Hooks
from companion.games.burgundy.rules.module import Module
from companion.games.burgundy.rules.state import GameState, Player


class EstateHooks(Hooks):
    def area_size(self, game: GameState, player: Player, area: Area) -> int:
        return super().area_size(game, player, area) + 1

    def storage_spaces(self, game: GameState, player: Player) -> int:
        return super().storage_spaces(game, player) + 1


class EstateModule(Module):
    id = "estates"
    hooks = EstateHooks


def create(facts: Facts) -> EstateModule:
    return EstateModule()
