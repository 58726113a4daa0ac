"""The white castles as a module: what they add to the base game and change in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from ...rules.decision import Effect
from ...rules.decisions import Place, Sell, Skip, Take, TakeWorkers
from ...rules.events import Event
from ...rules.hooks import Hooks
from ...rules.module import Module
from ...rules.setup_steps import Step
from ...rules.state import GameState, Pending, Player
from ...rules.tiles import Tile, tile
from ..chateauma.extension import Benefit, Extension
from . import automa
from .tiles import COUNTED_BY, LABEL, MONASTERY_LABEL, WHITE_CASTLE

STORED_WHITE_CASTLE = 1.0
"""Value for bots, in victory points, set by hand: its action is better than what most buildings do."""


class WhiteCastlesHooks(Hooks):
    def steps_before_game(self, game: GameState) -> Iterator[Step]:
        yield from super().steps_before_game(game)
        buildings, black = (game.supply[tile(LABEL, black=back)] for back in (False, True))
        yield {"step": WhiteCastles.id, "buildings": buildings, "black": black}

    def usable_buildings(self, game: GameState, player: Player) -> Iterator[str]:
        yield from super().usable_buildings(game, player)
        yield WHITE_CASTLE

    def use_building(self, game: GameState, player: Player, building: str, events: list[Event]) -> None:
        """Opens an action with the white die's value, which workers may change (S761)."""
        if building == WHITE_CASTLE:
            game.pending.append(Pending(WHITE_CASTLE))
        else:
            super().use_building(game, player, building, events)

    def buildings_counted(self, game: GameState) -> Mapping[int, str]:
        return {**super().buildings_counted(game), COUNTED_BY: WHITE_CASTLE}

    def evaluate(self, game: GameState, player: Player) -> float:
        return super().evaluate(game, player) + STORED_WHITE_CASTLE * player.storage.count(tile(LABEL))


class WhiteCastles(Module, Extension):
    """White castles and monastery 29. *supply* are the tiles of the box, by face and back."""

    id = "white_castles"
    editions = frozenset({"special"})
    hooks = WhiteCastlesHooks
    effects: ClassVar[Mapping[str, Effect]] = {
        WHITE_CASTLE: Effect((Take, Place, Sell, TakeWorkers, Skip), reads_white_die=True, is_action=True)
    }
    labels = frozenset({LABEL, MONASTERY_LABEL})
    sources: ClassVar[Mapping[str, str]] = {f"monastery_{COUNTED_BY}": "monastery_26"}
    automa_benefits: ClassVar[Mapping[str, Benefit]] = {WHITE_CASTLE: automa.take_tile}
    automa_steps: ClassVar[Mapping[str, str]] = automa.STEPS

    def __init__(self, supply: Mapping[Tile, int]) -> None:
        self._supply = supply

    def supply(self, edition: str) -> Mapping[Tile, int]:
        return self._supply
