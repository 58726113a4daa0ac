"""Shield 16: once a turn a die of one's own becomes any value, and is used as that (S927)."""

from __future__ import annotations

from dataclasses import dataclass

from ...rules.decision import Decision, Effect
from ...rules.decisions import Place, Sell, Take, TakeWorkers
from ...rules.decisions.payment import validate_nothing_pending
from ...rules.events import Event
from ...rules.moves import Move, parse_number
from ...rules.phases import has_begun
from ...rules.reason import Reason
from ...rules.state import GameState, Pending
from .state import Shields, holds, lacks, shields
from .winning import TakeShield

ANY_VALUE = "any_value"
"""Effect of a die that has become any value."""
TURNS_DIE = 16
EFFECT = Effect((Take, Place, Sell, TakeWorkers, TakeShield))


@dataclass(frozen=True, slots=True)
class TurnDie(Move):
    """Use a die as any value."""

    word = "any"
    die: int

    def __str__(self) -> str:
        return f"any {self.die}"


class TurnDieDecision(Decision[TurnDie]):
    move = TurnDie
    log_prior = -2.0

    def parse(self, words: list[str]) -> TurnDie:
        (die,) = words
        return TurnDie(parse_number(die))

    def by_die(self, game: GameState, die: int) -> tuple[TurnDie, ...]:
        can_turn = holds(game, game.player, TURNS_DIE) and not shields(game).has_turned_die
        return (TurnDie(die),) if can_turn else ()

    def validate(self, game: GameState, move: TurnDie) -> Reason | None:
        if reason := validate_nothing_pending(game, move.word):
            return reason
        if move.die not in game.player.dice:
            return Reason("no_such_die", {"die": move.die, "dice": list(game.player.dice)})
        return _reason_against(game)

    def apply(self, game: GameState, move: TurnDie) -> list[Event]:
        """Sets the die aside, so that an effect with any value takes its place."""
        game.player.dice.remove(move.die)
        shields(game).has_turned_die = True
        game.pending.append(Pending(ANY_VALUE))
        return [Event("turn_die", game.player.colour, data={"die": move.die})]


def _reason_against(game: GameState) -> Reason | None:
    return lacks(game, TURNS_DIE) or (Reason("shield_16_used") if shields(game).has_turned_die else None)


def forget_turned_die(game: GameState, state: Shields) -> None:
    """Lets the next turn have its own use of the shield."""
    if not has_begun(game):
        state.has_turned_die = False
