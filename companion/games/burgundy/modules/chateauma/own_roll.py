"""Chance: its own die, rolled at the start of its turn and not with the others (S1110, S1136)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...rules.abilities import DICE
from ...rules.decision import DiceEvent, Rng
from ...rules.events import Event
from ...rules.moves import Move, parse_number
from ...rules.reason import Reason
from ...rules.state import GameState, Seat
from .seat import OWN_DIE, OWN_TURN, automa_in_turn


@dataclass(frozen=True, slots=True)
class OwnRoll(Move):
    """Chance: its own die, rolled at the start of its turn."""

    word = "own-roll"
    player: str
    value: int

    def __str__(self) -> str:
        return f"own-roll {self.player}={self.value}"

    def shown(self) -> dict[str, list[int]]:
        return {self.player: [self.value]}


class OwnRollEvent(DiceEvent[OwnRoll]):
    move = OwnRoll
    stages = (OWN_DIE,)

    def parse(self, words: list[str]) -> OwnRoll:
        player, value = words[0].split("=")
        return OwnRoll(player, parse_number(value))

    def validate(self, game: GameState, move: OwnRoll) -> Reason | None:
        if move.player != game.seat.colour:
            return Reason("wrong_players", {"expected": [game.seat.colour]})
        return None if move.value in DICE else Reason("no_such_value", {"value": move.value})

    def apply(self, game: GameState, move: OwnRoll) -> list[Event]:
        seat = automa_in_turn(game)
        seat.die = move.value
        game.stage = OWN_TURN
        return [Event("own_roll", seat.colour, data={"die": move.value})]

    def sample(self, game: GameState, seat: Seat, rng: Rng) -> OwnRoll:
        return OwnRoll(seat.colour, rng.randint(1, 6))

    def dice(self, game: GameState) -> dict[str, int]:
        return {game.seat.colour: 1}

    def of(self, game: GameState, dice: Mapping[str, Sequence[int]]) -> OwnRoll:
        return OwnRoll(game.seat.colour, dice[game.seat.colour][0])

    def on_table(self, game: GameState) -> bool:
        """Returns whether it is rolled on the table: not if its pieces stay in the box."""
        return not automa_in_turn(game).virtual
