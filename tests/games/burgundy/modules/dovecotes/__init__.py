"""Dovecotes: buildings that act at once by the white die; a 1 and a 6 are alike for whoever has one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from calibration.games.burgundy.facts import Facts
from companion.games.burgundy.rules.abilities import WorkerCosts
from companion.games.burgundy.rules.decision import Effect
from companion.games.burgundy.rules.decisions import Place, Sell, Skip, Take, TakeWorkers
from companion.games.burgundy.rules.events import Event
from companion.games.burgundy.rules.hooks import Hooks
from companion.games.burgundy.rules.module import Module
from companion.games.burgundy.rules.state import GameState, Pending, Player
from companion.games.burgundy.rules.tiles import Tile, tile

DOVECOTE = "dovecote"
LABEL = f"building/{DOVECOTE}"
DOVECOTES = 6


class DovecoteHooks(Hooks):
    def tile_effect(
        self, game: GameState, player: Player, placed: Tile, space: int, events: list[Event]
    ) -> None:
        if placed.label == LABEL:
            game.pending.append(Pending(DOVECOTE))
        else:
            super().tile_effect(game, player, placed, space, events)

    def worker_costs(self, game: GameState, player: Player, free_by: int | None) -> WorkerCosts:
        costs = super().worker_costs(game, player, free_by)
        if tile(LABEL) not in player.spaces:
            return costs
        free = {(1, 6), (6, 1)}
        return tuple(
            tuple(0 if (die, value) in free else cost for value, cost in enumerate(of_die))
            for die, of_die in enumerate(costs)
        )


class DovecoteModule(Module):
    id = "dovecotes"
    hooks = DovecoteHooks
    labels = frozenset([LABEL])
    effects: ClassVar[Mapping[str, Effect]] = {
        DOVECOTE: Effect((Take, Place, Sell, TakeWorkers, Skip), reads_white_die=True)
    }

    def supply(self, edition: str) -> Mapping[Tile, int]:
        return {tile(LABEL): DOVECOTES}


def create(facts: Facts) -> DovecoteModule:
    return DovecoteModule()
