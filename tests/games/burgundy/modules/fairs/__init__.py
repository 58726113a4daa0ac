"""Fairs: a placed castle also opens a market and a church; the three effects wait in any order."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.games.burgundy.facts import Facts
from companion.games.burgundy.rules.events import Event
from companion.games.burgundy.rules.hooks import Hooks
from companion.games.burgundy.rules.module import Module
from companion.games.burgundy.rules.state import GameState, Pending, Player
from companion.games.burgundy.rules.tiles import CASTLE, CHURCH, MARKET, Tile


class FairHooks(Hooks):
    def tile_effect(
        self, game: GameState, player: Player, placed: Tile, space: int, events: list[Event]
    ) -> None:
        super().tile_effect(game, player, placed, space, events)
        if placed.type == CASTLE:
            game.pending += [Pending(MARKET), Pending(CHURCH)]

    def open_effects(self, game: GameState) -> Sequence[Pending]:
        return game.pending


class FairModule(Module):
    id = "fairs"
    hooks = FairHooks


def create(facts: Facts) -> FairModule:
    return FairModule()
