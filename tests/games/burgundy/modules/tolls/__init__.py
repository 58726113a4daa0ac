"""Tolls: every gain of everybody is written down, as a module does that reacts to gains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from calibration.games.burgundy.facts import Facts
from companion.games.burgundy.rules.events import Event
from companion.games.burgundy.rules.hooks import Hooks
from companion.games.burgundy.rules.module import Module, ModuleState
from companion.games.burgundy.rules.state import GameState, Seat


@dataclass
class Tolls(ModuleState):
    """How much of each gain passed the toll gate, by ``colour gain``."""

    passed: Counter[str] = field(default_factory=Counter)

    def copy(self) -> Tolls:
        return Tolls(self.passed.copy())

    def to_json(self) -> dict[str, Any]:
        return dict(sorted(self.passed.items()))


def tolls(game: GameState) -> Tolls:
    state = game.module_states[TollModule.id]
    assert isinstance(state, Tolls)
    return state


class TollHooks(Hooks):
    def gained(self, game: GameState, seat: Seat, what: str, amount: int, events: list[Event]) -> None:
        super().gained(game, seat, what, amount, events)
        tolls(game).passed[f"{seat.colour} {what}"] += amount


class TollModule(Module):
    id = "tolls"
    hooks = TollHooks

    def set_up(self, game: GameState, setup: Mapping[str, Any]) -> None:
        game.module_states[self.id] = Tolls()

    def state_from_json(self, data: Mapping[str, Any]) -> Tolls:
        return Tolls(Counter(data))


def create(facts: Facts) -> TollModule:
    return TollModule()
