"""Cargo: ships need two key spaces."""

from __future__ import annotations

from calibration.games.burgundy.facts import Facts
from companion.games.burgundy.rules.hooks import Hooks
from companion.games.burgundy.rules.module import Module
from companion.games.burgundy.rules.tiles import SHIP, Tile


class CargoHooks(Hooks):
    def storage_size(self, stored: Tile) -> int:
        return 2 if stored.type == SHIP else super().storage_size(stored)


class CargoModule(Module):
    id = "cargo"
    hooks = CargoHooks


def create(facts: Facts) -> CargoModule:
    return CargoModule()
