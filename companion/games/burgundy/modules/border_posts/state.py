"""What border posts add to the position."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ...rules.module import ModuleState
from ...rules.state import GameState
from .links import Pair, Spot

MODULE = "border_posts"
BORDER = "border"
"""What the bonus tile is called among a seat's bonus tiles, and the symbol on county cards."""
TILES = 2
BonusPoints: TypeAlias = tuple[Mapping[int, int], Mapping[int, int]]


@dataclass
class Links(ModuleState):
    """Where the posts stand, which pairs have paid, and how many bonus tiles are left."""

    spots: tuple[Spot, ...]
    """The same beside every duchy (S755)."""
    bonus_points: BonusPoints
    """Points of the first and the second bonus tile, by number of players: printed, and the same in every position."""
    paid: Mapping[str, frozenset[Pair]] = field(default_factory=dict)
    """By colour: a pair pays once a game, whatever overrides do. Replaced, not changed."""
    tiles_left: int = TILES
    cards: int = 0
    """Cards with the symbol that the Châteauma has completed."""

    def copy(self) -> Links:
        return Links(self.spots, self.bonus_points, self.paid, self.tiles_left, self.cards)

    def key(self) -> Hashable:
        return frozenset(self.paid.items()), self.tiles_left

    def to_json(self) -> dict[str, Any]:
        return {
            "places": [list(spot) for spot in self.spots],
            "paid": {
                colour: [list(pair) for pair in sorted(pairs)] for colour, pairs in sorted(self.paid.items())
            },
            "tiles_left": self.tiles_left,
            "cards": self.cards,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], bonus_points: BonusPoints) -> Links:
        return cls(
            tuple(tuple(spot) for spot in data["places"]),
            bonus_points,
            {
                colour: frozenset((one, other) for one, other in pairs)
                for colour, pairs in data["paid"].items()
            },
            data["tiles_left"],
            data["cards"],
        )

    def pay(self, colour: str, pair: Pair) -> None:
        """Remembers that a pair has paid."""
        self.paid = {**self.paid, colour: self.paid.get(colour, frozenset()) | {pair}}


def links_of(game: GameState) -> Links:
    """Returns the posts of a game with border posts."""
    state = game.module_states[MODULE]
    assert isinstance(state, Links)
    return state
