"""Windmills: buildings that bring two points, to the Châteauma as well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from calibration.games.burgundy.facts import Facts
from companion.games.burgundy.modules.chateauma.context import Turn
from companion.games.burgundy.modules.chateauma.extension import Benefit, Extension
from companion.games.burgundy.rules.events import Event
from companion.games.burgundy.rules.hooks import Hooks
from companion.games.burgundy.rules.module import Module
from companion.games.burgundy.rules.scoring import award
from companion.games.burgundy.rules.state import GameState, Player
from companion.games.burgundy.rules.tiles import Tile, tile

WINDMILL = SOURCE = "windmill"
LABEL = f"building/{WINDMILL}"
WINDMILLS = 6
POINTS = 2


class WindmillHooks(Hooks):
    def tile_effect(
        self, game: GameState, player: Player, placed: Tile, space: int, events: list[Event]
    ) -> None:
        if placed.label == LABEL:
            award(game, player, SOURCE, POINTS, events)
        else:
            super().tile_effect(game, player, placed, space, events)


def _benefit(turn: Turn, placed: Tile) -> None:
    turn.score(WINDMILL, SOURCE, POINTS)


class WindmillModule(Module, Extension):
    id = "windmills"
    hooks = WindmillHooks
    labels = frozenset([LABEL])
    sources: ClassVar[Mapping[str, str]] = {SOURCE: "watchtowers"}
    automa_benefits: ClassVar[Mapping[str, Benefit]] = {WINDMILL: _benefit}

    def supply(self, edition: str) -> Mapping[Tile, int]:
        return {tile(LABEL): WINDMILLS}


def create(facts: Facts) -> WindmillModule:
    return WindmillModule()
