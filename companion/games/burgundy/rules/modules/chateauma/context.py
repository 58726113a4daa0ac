"""What is at hand while the Châteauma's turn is worked out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ...abilities import DICE
from ...events import Event
from ...scoring import award
from ...state import GameState
from ...tiles import Tile
from .explanation import Step
from .seat import CardInPlay, Chateauma

LAST_OF_LEFT = 4
"""The white die's 1 to 4 stand for the left card, 5 and 6 for the right one (S1112)."""


@dataclass(slots=True)
class Turn:
    """Represents a turn that is being worked out: the game, what has happened, and the steps to what comes next."""

    game: GameState
    seat: Chateauma
    events: list[Event] = field(default_factory=list)
    symbols: list[tuple[int, int]] = field(default_factory=list)
    """Card (0 or 1) and space of each symbol that has been covered and not been resolved."""
    _steps: list[Step] = field(default_factory=list)

    @property
    def white(self) -> int:
        assert self.game.white is not None
        return self.game.white

    @property
    def current(self) -> int:
        """The card that the white die names for the whole round, as an index (S1112)."""
        return side_of(self.white)

    def open_cards(self) -> list[tuple[int, CardInPlay]]:
        """Cards with an empty space, the current one first."""
        sides = (self.current, 1 - self.current)
        return [(side, card) for side in sides if (card := self.seat.cards[side]) is not None and card.empty]

    def take(self, depot: int, slot: int) -> Tile:
        """Takes a tile out of a numbered depot."""
        tiles = self.game.depots[depot - 1]
        taken = tiles[slot]
        assert taken is not None
        tiles[slot] = None
        return taken

    def step(self, code: str, **data: Any) -> None:
        """Notes a step towards the next event."""
        self._steps.append(Step(code, data))

    def tell(self, kind: str, points: int = 0, **data: Any) -> None:
        """Notes an event, with the steps that led to it."""
        self.adopt([Event(kind, self.seat.colour, points, data)])

    def score(self, kind: str, source: str, points: int, **data: Any) -> None:
        """Notes an event that brings points, and moves the marker."""
        self.tell(kind, points, **data)
        award(self.game, self.seat, source, points, self.events)

    def adopt(self, events: list[Event]) -> None:
        """Notes events that the base rules tell, the first one with the steps that led to it."""
        for event in events:
            steps = [step.to_json() for step in self._steps]
            self._steps.clear()
            self.events.append(replace(event, data={**event.data, "steps": steps}))

    def pay(self, silver: int) -> None:
        """Receives silver."""
        self.seat.silver += silver
        self.tell("silver", silver=silver)


def side_of(white: int) -> int:
    """The card that a white die names, as an index."""
    return 0 if white <= LAST_OF_LEFT else 1


def clockwise(start: int) -> list[int]:
    """The six numbered depots from *start* on (S1138)."""
    return [(start - 1 + i) % len(DICE) + 1 for i in range(len(DICE))]
