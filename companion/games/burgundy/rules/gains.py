"""Gains: whatever a seat receives passes through :meth:`.Hooks.gained`, so that modules can react to it.

Points pass through :func:`.scoring.award`, bonus tiles through :func:`.scoring.take_bonus_tile`, sold goods through
:meth:`.Hooks.sell`, the rest through this module. Set-up, payments, overrides and adjustments are no gains: they write
the counters themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

from .events import Event
from .state import GameState, Player, Seat

WORKERS, SILVER, GOODS_LOADED, POINTS, BONUS_TILE, GOODS_SOLD = GAINS = (
    "workers",
    "silver",
    "goods_loaded",
    "points",
    "bonus_tile",
    "goods_sold",
)
"""What can be gained."""


def gain(game: GameState, seat: Seat, events: list[Event], *, workers: int = 0, silver: int = 0) -> None:
    """Gives a seat workers and silver at one event."""
    if workers and isinstance(seat, Player):
        seat.workers += workers
        game.hooks.gained(game, seat, WORKERS, workers, events)
    if silver:
        seat.silver += silver
        game.hooks.gained(game, seat, SILVER, silver, events)


def gain_goods(game: GameState, seat: Seat, loaded: Sequence[int], events: list[Event]) -> None:
    """Gives a seat goods at one event; *loaded* are their kinds."""
    for kind in loaded:
        seat.goods[kind] += 1
    if loaded:
        game.hooks.gained(game, seat, GOODS_LOADED, len(loaded), events)
