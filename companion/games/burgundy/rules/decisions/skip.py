"""Decline an effect whose choice is open (S372, S423, S502)."""

from __future__ import annotations

from dataclasses import dataclass

from ..decision import Decision
from ..events import Event
from ..moves import Move
from ..reason import Reason
from ..state import GameState, Pending
from ..table_rules import OPTIONAL
from .payment import open_effect, open_effects, use_effect


@dataclass(frozen=True, slots=True)
class Skip(Move):
    """Decline an effect whose choice is open."""

    word = "skip"
    effect: str = ""
    """The effect, if several are open."""

    def __str__(self) -> str:
        return f"skip {self.effect}".rstrip()


class SkipDecision(Decision[Skip]):
    move = Skip
    log_prior = -6.0

    def parse(self, words: list[str]) -> Skip:
        return Skip(*words)

    def by_effect(self, game: GameState, pending: Pending) -> tuple[Skip, ...]:
        if _must_be_used(game, pending):
            return ()
        return (Skip(pending.effect if len(_open(game)) > 1 else ""),)

    def reason_against_effect(self, game: GameState, pending: Pending, move: Skip) -> Reason | None:
        if move.effect not in ("", pending.effect):
            return Reason("skip_which")
        return Reason("must_be_used", {"effect": pending.effect}) if _must_be_used(game, pending) else None

    def validate(self, game: GameState, move: Skip) -> Reason | None:
        if not game.pending:
            return Reason("no_effect", {"move": move.word})
        pending = open_effect(game, move)
        if pending is None:
            return Reason("no_passing", {"effect": game.pending[-1].effect})
        if bool(move.effect) != (len(_open(game)) > 1):
            return Reason("skip_which")
        return self.reason_against_effect(game, pending, move)

    def apply(self, game: GameState, move: Skip) -> list[Event]:
        return [Event("skip", game.player.colour, data={"effect": use_effect(game, move).effect})]


def _open(game: GameState) -> set[str]:
    return {pending.effect for pending in open_effects(game)}


def _must_be_used(game: GameState, pending: Pending) -> bool:
    return game.ruleset.effects[pending.effect].is_action and game.rules.castle_action != OPTIONAL
