"""Decline the effect whose choice is open (S372, S423, S502)."""

from __future__ import annotations

from dataclasses import dataclass

from ..decision import Decision
from ..events import Event
from ..moves import Move
from ..reason import Reason
from ..state import GameState, Pending
from ..table_rules import OPTIONAL
from ..tiles import CASTLE
from .payment import open_effect, use_effect


@dataclass(frozen=True, slots=True)
class Skip(Move):
    """Decline the effect whose choice is open."""

    word = "skip"

    def __str__(self) -> str:
        return "skip"


class SkipDecision(Decision[Skip]):
    move = Skip

    def parse(self, words: list[str]) -> Skip:
        return Skip(*words)

    def by_effect(self, game: GameState, pending: Pending) -> tuple[Skip, ...]:
        return () if _must_be_used(game, pending) else (Skip(),)

    def validate(self, game: GameState, move: Skip) -> Reason | None:
        if not game.pending:
            return Reason("no_effect", {"move": move.word})
        pending = open_effect(game, move)
        if pending is None:
            return Reason("no_passing", {"effect": game.pending[-1].effect})
        if _must_be_used(game, pending):
            return Reason("must_be_used", {"effect": pending.effect})
        return None

    def apply(self, game: GameState, move: Skip) -> list[Event]:
        return [Event("skip", game.player.colour, data={"effect": use_effect(game, move).effect})]


def _must_be_used(game: GameState, pending: Pending) -> bool:
    return pending.effect == CASTLE and game.rules.castle_action != OPTIONAL
