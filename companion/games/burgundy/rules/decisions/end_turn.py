"""End the turn (S283-291)."""

from __future__ import annotations

from dataclasses import dataclass

from ..decision import Decision
from ..events import Event
from ..moves import Move
from ..phases import next_turn
from ..reason import Reason
from ..state import GameState
from .payment import validate_nothing_pending


@dataclass(frozen=True, slots=True)
class EndTurn(Move):
    """End the turn; unused dice are lost."""

    word = "end"
    ends_turn = True

    def __str__(self) -> str:
        return "end"


class EndTurnDecision(Decision[EndTurn]):
    move = EndTurn

    def parse(self, words: list[str]) -> EndTurn:
        return EndTurn(*words)

    def choices(self, game: GameState) -> tuple[EndTurn]:
        return (EndTurn(),)

    def validate(self, game: GameState, move: EndTurn) -> Reason | None:
        return validate_nothing_pending(game, move.word)

    def apply(self, game: GameState, move: EndTurn) -> list[Event]:
        events = [Event("turn_end", game.player.colour, data={"unused": list(game.player.dice)})]
        game.player.dice.clear()
        next_turn(game, events)
        return events
