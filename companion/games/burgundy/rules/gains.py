"""Gains: whatever a seat receives passes through here, so that modules can react to it.

Set-up, overrides and adjustments are no gains: they write the counters themselves.
"""

from __future__ import annotations

from .events import Event
from .state import GameState, Player, Seat

WORKERS, SILVER, POINTS, BONUS_TILE, GOODS_SOLD = "workers", "silver", "points", "bonus_tile", "goods_sold"
"""What can be gained."""


def gain(game: GameState, seat: Seat, events: list[Event], *, workers: int = 0, silver: int = 0) -> None:
    """Gives a seat workers and silver at one event."""
    if workers and isinstance(seat, Player):
        seat.workers += workers
        game.hooks.gained(game, seat, WORKERS, workers, events)
    if silver:
        seat.silver += silver
        game.hooks.gained(game, seat, SILVER, silver, events)
