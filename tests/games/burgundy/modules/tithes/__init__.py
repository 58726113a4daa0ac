"""Tithes: after the fifth round of a phase, a silver brings as many points as the white die shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from calibration.games.burgundy.facts import Facts
from companion.games.burgundy.rules.decision import Decision
from companion.games.burgundy.rules.events import Event
from companion.games.burgundy.rules.hooks import Hooks
from companion.games.burgundy.rules.module import Module
from companion.games.burgundy.rules.moves import Move, parse_number
from companion.games.burgundy.rules.phases import next_at_phase_end
from companion.games.burgundy.rules.reason import Reason
from companion.games.burgundy.rules.scoring import award
from companion.games.burgundy.rules.state import GameState, Player, Seat

STAGE = SOURCE = "tithes"
POSSIBLE = (0, 1)


@dataclass(frozen=True, slots=True)
class Tithe(Move):
    """Give silver, or none."""

    word = "tithe"
    ends_turn = True
    given: int

    def __str__(self) -> str:
        return f"tithe {self.given}"


class TitheDecision(Decision[Tithe]):
    move = Tithe
    stages = (STAGE,)

    def parse(self, words: list[str]) -> Tithe:
        (given,) = words
        return Tithe(parse_number(given))

    def choices(self, game: GameState) -> Iterator[Tithe]:
        return map(Tithe, POSSIBLE)

    def validate(self, game: GameState, move: Tithe) -> Reason | None:
        return None if move.given in POSSIBLE else Reason("not_enough_silver")

    def apply(self, game: GameState, move: Tithe) -> list[Event]:
        player, white = game.player, game.white
        assert white is not None
        events = [Event("tithe", player.colour, white * move.given)]
        player.silver -= move.given
        award(game, player, SOURCE, white * move.given, events)
        next_at_phase_end(game, events)
        return events


class TitheHooks(Hooks):
    def stages_at_phase_end(self, game: GameState) -> Sequence[str]:
        return (*super().stages_at_phase_end(game), STAGE)

    def decides(self, game: GameState, seat: Seat) -> bool:
        if game.stage == STAGE:
            return isinstance(seat, Player) and seat.silver > 0
        return super().decides(game, seat)


class TitheModule(Module):
    id = "tithes"
    hooks = TitheHooks
    decisions = (TitheDecision(),)
    sources: ClassVar[Mapping[str, str]] = {SOURCE: "sales"}


def create(facts: Facts) -> TitheModule:
    return TitheModule()
