"""Take workers from the supply (S572-574)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from .. import abilities
from ..decision import Decision
from ..events import Event
from ..gains import gain
from ..moves import Move, parse_number, parse_payment, payment_text
from ..reason import Reason
from ..state import GameState, Pending
from .payment import MOST_MOVES_CACHED, pay, validate_source


@dataclass(frozen=True, slots=True)
class TakeWorkers(Move):
    """Take workers from the supply."""

    word = "workers"
    die: int | None = None

    def __str__(self) -> str:
        return f"workers{payment_text(self.die, 0)}"


class TakeWorkersDecision(Decision[TakeWorkers]):
    move = TakeWorkers

    def parse(self, words: list[str]) -> TakeWorkers:
        return TakeWorkers(parse_payment(words)[0])

    def short(self, game: GameState, move: TakeWorkers) -> str:
        return "workers" if move.die is None else f"workers {move.die}"

    def parse_short(self, game: GameState, words: list[str]) -> TakeWorkers:
        return TakeWorkers(*map(parse_number, words))

    def by_die(self, game: GameState, die: int) -> tuple[TakeWorkers]:
        return (_take_workers(die),)

    def by_effect(self, game: GameState, pending: Pending) -> tuple[TakeWorkers]:
        return (TakeWorkers(None),)

    def validate(self, game: GameState, move: TakeWorkers) -> Reason | None:
        return validate_source(game, move)

    def apply(self, game: GameState, move: TakeWorkers) -> list[Event]:
        pay(game, move)
        player = game.player
        workers = abilities.workers_from_action(player.monasteries)
        silver = abilities.silver_from_action(player.monasteries)
        events = [Event("workers", player.colour, data={"workers": workers, "silver": silver})]
        gain(game, player, events, workers=workers, silver=silver)
        return events


_take_workers = lru_cache(maxsize=MOST_MOVES_CACHED)(TakeWorkers)
