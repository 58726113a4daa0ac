"""The upkeep of shields at the end of each phase: a silver each, or a worker with shield 3 (S906, S914)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...rules.decision import Decision
from ...rules.decisions.payment import validate_nothing_pending
from ...rules.events import Event
from ...rules.hooks import Hooks
from ...rules.moves import Move, misplaced, parse_number, parse_payment, payment_text
from ...rules.observation import VisibleChange
from ...rules.phases import next_at_phase_end
from ...rules.reason import Reason
from ...rules.state import GameState, Seat
from ...rules.tiles import CASTLE
from .state import decides_for_side, held_by, holds, lacks, lose, shields

UPKEEP = "upkeep"
"""Stage at which everybody pays for their shields, or gives them up."""
PAID_IN_WORKERS = 3


@dataclass(frozen=True, slots=True)
class PayUpkeep(Move):
    """Pay for all shields that one has; the workers take the place of as much silver."""

    word = "upkeep"
    ends_turn = True
    workers: int = 0

    def __str__(self) -> str:
        return f"upkeep{payment_text(None, self.workers)}"


class PayUpkeepDecision(Decision[PayUpkeep]):
    move = PayUpkeep
    stages = (UPKEEP,)

    def parse(self, words: list[str]) -> PayUpkeep:
        die, workers = parse_payment(words)
        if die is not None:
            raise misplaced(words)
        return PayUpkeep(workers)

    def choices(self, game: GameState) -> Iterator[PayUpkeep]:
        due, player = len(held_by(game, game.seat)), game.player
        most = min(due, player.workers) if holds(game, player, PAID_IN_WORKERS) else 0
        return map(PayUpkeep, range(max(0, due - player.silver), most + 1))

    def validate(self, game: GameState, move: PayUpkeep) -> Reason | None:
        if reason := validate_nothing_pending(game, move.word):
            return reason
        player, due = game.player, len(held_by(game, game.seat))
        if move.workers and (reason := lacks(game, PAID_IN_WORKERS)):
            return reason
        if not 0 <= move.workers <= min(due, player.workers):
            return Reason("upkeep_workers", {"most": min(due, player.workers), "given": move.workers})
        price = due - move.workers
        return self._upkeep_short(game, move, price) if price > player.silver else None

    def _upkeep_short(self, game: GameState, move: PayUpkeep, price: int) -> Reason:
        """Returns why shields cannot all be paid for, and whether workers may help."""
        data = {"price": price, "silver": game.player.silver}
        if holds(game, game.player, PAID_IN_WORKERS):
            return Reason("upkeep_short_with_workers", {**data, "workers": move.workers})
        return Reason("upkeep_short", data)

    def apply(self, game: GameState, move: PayUpkeep) -> list[Event]:
        player, due = game.player, len(held_by(game, game.seat))
        player.silver -= due - move.workers
        player.workers -= move.workers
        data = {"count": due, "silver": due - move.workers, "workers": move.workers}
        events = [Event("upkeep", player.colour, data=data)] if due else []
        next_at_phase_end(game, events)
        return events


@dataclass(frozen=True, slots=True)
class Forgo(Move):
    """Give up a shield instead of paying for it."""

    word = "forgo"
    number: int

    def __str__(self) -> str:
        return f"forgo {self.number}"


class ForgoDecision(Decision[Forgo]):
    move = Forgo
    stages = (UPKEEP,)

    def parse(self, words: list[str]) -> Forgo:
        (number,) = words
        return Forgo(parse_number(number))

    def choices(self, game: GameState) -> Iterator[Forgo]:
        return map(Forgo, sorted(held_by(game, game.seat).values()))

    def validate(self, game: GameState, move: Forgo) -> Reason | None:
        return validate_nothing_pending(game, move.word) or lacks(game, move.number)

    def apply(self, game: GameState, move: Forgo) -> list[Event]:
        events: list[Event] = []
        lose(game, move.number, events)
        return events

    def visible_changes(self, game: GameState, move: Forgo) -> Iterator[VisibleChange]:
        colour, space = shields(game).held[move.number]
        yield VisibleChange(f"duchy:{colour}:{space}", CASTLE)


class UpkeepHooks(Hooks):
    """Whoever has shields pays for them before the mines do (S906)."""

    def stages_at_phase_end(self, game: GameState) -> Sequence[str]:
        return (*super().stages_at_phase_end(game), UPKEEP)

    def decides(self, game: GameState, seat: Seat) -> bool:
        if game.stage == UPKEEP:
            return decides_for_side(seat) and bool(held_by(game, seat))
        return super().decides(game, seat)

    def usual_move(self, game: GameState) -> Move | None:
        """Returns that all shields are paid for in silver, if there is enough."""
        if game.stage == UPKEEP and len(held_by(game, game.seat)) <= game.player.silver:
            return PayUpkeep()
        return super().usual_move(game)
