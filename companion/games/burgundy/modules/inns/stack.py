"""The inns beside the black depot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...rules.module import ModuleState
from ...rules.state import GameState
from ...rules.tiles import Tile, tile

INN = "inn"
"""Label of an inn, and its type: no space is printed for it."""
GROUP = "inns"
"""The group of the place beside the black depot, where only the top of the stack is visible."""
MODULE = "inns"


@dataclass
class Stack(ModuleState):
    """The inns beside the black depot."""

    count: int = 0

    def copy(self) -> Stack:
        return Stack(self.count)

    def to_json(self) -> dict[str, Any]:
        return {"count": self.count}

    def key(self) -> int:
        return self.count

    def components(self) -> Counter[str]:
        """Returns the tiles that lie there."""
        return Counter({INN: self.count})

    @property
    def top(self) -> Tile | None:
        """The inn that is for sale."""
        return tile(INN) if self.count else None


def stack_of(game: GameState) -> Stack:
    """Returns the stack of a game with inns."""
    state = game.module_states[MODULE]
    assert isinstance(state, Stack)
    return state


class StackPlace:
    """The place of the stack, for overrides: it may hold any number of inns."""

    def has(self, game: GameState, names: Sequence[str]) -> bool:
        return list(names) == ["0"]

    def tiles(self, game: GameState, names: Sequence[str]) -> Sequence[str]:
        return [INN] * stack_of(game).count

    def may_hold(self, game: GameState, names: Sequence[str], labels: Sequence[str]) -> bool:
        return set(labels) <= {INN}

    def put(self, game: GameState, names: Sequence[str], labels: Sequence[str]) -> None:
        stack_of(game).count = len(labels)
