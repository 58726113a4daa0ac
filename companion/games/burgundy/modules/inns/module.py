"""Inns as a module: what it adds to the base game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ...rules.module import Module, OverridablePlace
from ...rules.state import GameState, Player
from ...rules.tiles import Tile
from .hooks import InnHooks, spaces_for_inn
from .stack import GROUP, INN, MODULE, Stack, StackPlace


class Inns(Module):
    """Inns; the Châteauma has no use for them (S1242)."""

    id = MODULE
    editions = frozenset({"special"})
    excludes = frozenset({"chateauma"})
    hooks = InnHooks
    redundant = frozenset({GROUP})
    labels = frozenset({INN})
    spaces_for: ClassVar[Mapping[str, Callable[[Player], int]]] = {INN: spaces_for_inn}
    overridable: ClassVar[Mapping[str, OverridablePlace]] = {GROUP: StackPlace()}

    def __init__(self, supply: Mapping[Tile, int]) -> None:
        """*supply* are the inns of the box."""
        self._supply = supply

    def supply(self, edition: str) -> Mapping[Tile, int]:
        return self._supply

    def set_up(self, game: GameState, setup: Mapping[str, Any]) -> None:
        game.module_states[self.id] = Stack()

    def state_from_json(self, data: Mapping[str, Any]) -> Stack:
        return Stack(data["count"])
