"""The state of the Châteauma's turn while it is resolved."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ...rules.abilities import DICE
from ...rules.events import Event
from ...rules.gains import gain
from ...rules.scoring import award
from ...rules.state import GameState
from ...rules.tiles import Tile
from .explanation import STEPS, Step
from .extension import added_steps
from .seat import CardInPlay, Chateauma

LAST_OF_LEFT = 4
"""The white die's 1 to 4 stand for the left card, 5 and 6 for the right one (S1112)."""


@dataclass(slots=True)
class Turn:
    """Represents a turn that is being resolved: the game, its events, and the steps towards the next event."""

    game: GameState
    seat: Chateauma
    events: list[Event] = field(default_factory=list)
    symbols: list[tuple[int, int]] = field(default_factory=list)
    """Card (0 or 1) and space of each covered symbol that is not resolved."""
    _steps: list[Step] = field(default_factory=list)

    @property
    def white(self) -> int:
        assert self.game.white is not None
        return self.game.white

    @property
    def current(self) -> int:
        """Index of the card that the white die selects for the whole round (S1112)."""
        return side_of(self.white)

    def open_cards(self) -> list[tuple[int, CardInPlay]]:
        """Returns the cards with an empty space, the current one first."""
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
        """Records a step towards the next event."""
        rule = STEPS.get(code) or added_steps(self.game)[code]
        self._steps.append(Step(code, rule, data))

    def add_event(self, kind: str, points: int = 0, **data: Any) -> None:
        """Adds an event, with the steps that led to it."""
        self.add_events([Event(kind, self.seat.colour, points, data)])

    def score(self, kind: str, source: str, points: int, **data: Any) -> None:
        """Adds an event that brings points, and scores them."""
        self.add_event(kind, points, **data)
        award(self.game, self.seat, source, points, self.events)

    def add_events(self, events: list[Event]) -> None:
        """Adds events of the base rules, the first one with the steps that led to it."""
        for event in events:
            steps = [step.to_json() for step in self._steps]
            self._steps.clear()
            self.events.append(replace(event, data={**event.data, "steps": steps}))

    def pay(self, silver: int) -> None:
        """Receives silver."""
        self.add_event("silver", silver=silver)
        gain(self.game, self.seat, self.events, silver=silver)


def side_of(white: int) -> int:
    """Returns the index of the card that the white die selects."""
    return 0 if white <= LAST_OF_LEFT else 1


def clockwise(start: int) -> list[int]:
    """Returns the six numbered depots from *start* on (S1138)."""
    return [(start - 1 + i) % len(DICE) + 1 for i in range(len(DICE))]
