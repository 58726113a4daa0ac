"""For both dice and five points: take a castle that was set aside into storage (S703)."""

from __future__ import annotations

from dataclasses import dataclass

from ...rules.decision import Decision
from ...rules.decisions.payment import validate_nothing_pending
from ...rules.events import Event
from ...rules.moves import Move
from ...rules.reason import Reason
from ...rules.state import GameState
from ...rules.storage import receive
from ...rules.tiles import CASTLE, tile
from .dice_action import RECOVER, pay_both_dice, reason_against_action


@dataclass(frozen=True, slots=True)
class Recover(Move):
    """For both dice and five points: take a castle that was set aside into storage (S703)."""

    word = "recover"

    def __str__(self) -> str:
        return "recover"


class RecoverDecision(Decision[Recover]):
    move = Recover

    def parse(self, words: list[str]) -> Recover:
        return Recover(*words)

    def choices(self, game: GameState) -> tuple[Recover, ...]:
        return () if _reason_against(game) else (Recover(),)

    def validate(self, game: GameState, move: Recover) -> Reason | None:
        return validate_nothing_pending(game, move.word) or _reason_against(game)

    def apply(self, game: GameState, move: Recover) -> list[Event]:
        events = pay_both_dice(game)
        castle = tile(CASTLE)
        game.set_aside -= 1
        game.box = {**game.box, castle: game.box[castle] - 1}
        receive(game, castle)
        return [*events, Event("recover", game.player.colour)]


def _reason_against(game: GameState) -> Reason | None:
    return reason_against_action(game, RECOVER) or (None if game.set_aside else Reason("no_castle_set_aside"))
