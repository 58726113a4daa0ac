"""Shields 2, 7, 8, 9 and 12: more for what others or oneself receive (S913, S918-920, S923)."""

from __future__ import annotations

from ...rules.events import Event
from ...rules.gains import WORKERS, gain
from ...rules.hooks import Hooks
from ...rules.scoring import Sale
from ...rules.state import GameState, Player, Seat
from .state import holder_of, holds

WORKER_FROM_OTHERS = 2
DOUBLES_BONUS_TILES = 7
DOUBLES_MINES = 8
SILVER_PER_GOODS = 9
DOUBLES_SALES = 12
SHIELD_9_WITH_MONASTERY_3 = "shield_9_monastery_3"
SHIELD_ONLY, ADDS = "shield_only", "adds"
"""Whether monastery 3 counts beside shield 9: Y's rule, by which only the shield does, or both."""
USUAL_SILVER = 1
"""Silver for a sale, which shield 9 replaces (S565)."""


class IncomeHooks(Hooks):
    """What a gain brings beside what it brings everybody."""

    def gained(self, game: GameState, seat: Seat, what: str, amount: int, events: list[Event]) -> None:
        super().gained(game, seat, what, amount, events)
        if what != WORKERS:  # as most gains are
            return
        holder = holder_of(game, WORKER_FROM_OTHERS)
        if holder is not None and holder is not seat.side:
            events.append(Event("worker_from_others", holder.colour, data={"workers": 1}))
            gain(game, holder, events, workers=1)

    def bonus_tile_points(self, game: GameState, seat: Seat, printed: int) -> int:
        return super().bonus_tile_points(game, seat, printed) * (1 + holds(game, seat, DOUBLES_BONUS_TILES))

    def mine_income(self, game: GameState, seat: Seat) -> tuple[int, int]:
        silver, workers = super().mine_income(game, seat)
        return silver * (1 + holds(game, seat, DOUBLES_MINES)), workers

    def sale(self, game: GameState, player: Player, count: int) -> Sale:
        sale = super().sale(game, player, count)
        if holds(game, player, SILVER_PER_GOODS):
            adds = game.rules.plays(SHIELD_9_WITH_MONASTERY_3, ADDS)
            sale = sale._replace(silver=count + (sale.silver - USUAL_SILVER) * adds)
        if holds(game, player, DOUBLES_SALES):
            sale = sale._replace(points=2 * sale.points)
        return sale
