"""Abilities of monasteries: worker costs and amounts. Owned monasteries are a bit set, bit n for number n."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from .table_rules import LINE, RING
from .tiles import BUILDING, CASTLE, LIVESTOCK, MINE, MONASTERY, SHIP

FREE_STEP_WHEN_PLACING = {BUILDING: 9, SHIP: 10, LIVESTOCK: 10, CASTLE: 11, MINE: 11, MONASTERY: 11}
"""Tile type -> monastery that gives one free step of the die for placing such a tile (S659-661)."""
FREE_STEP_WHEN_TAKING = 12
"""Monastery that gives one free step of the die for taking a tile (S662)."""
DICE = range(1, 7)
WorkerCosts: TypeAlias = tuple[tuple[int, ...], ...]
"""Workers that change a die, as ``costs[die][value]``; index 0 is not used. Tuples: what follows is cached by them."""


def _ring_distance(a: int, b: int) -> int:
    """Returns the steps between two die values; 1 and 6 are neighbours (S293)."""
    return min(abs(a - b), 6 - abs(a - b))


def _workers_by_values(double_steps: bool, free_step: bool, wrap: str) -> WorkerCosts:
    """Returns the fewest workers from any die value to any other, as ``costs[die][value]``; index 0 is not used.

    A free step is one step, before or after those of workers. *wrap* is the table rule for double steps.
    """

    def one_worker(a: int, b: int) -> bool:
        double = abs(a - b) if wrap == LINE else _ring_distance(a, b)
        return _ring_distance(a, b) == 1 or (double_steps and double == 2)

    costs = {(a, b): 0 if a == b else 1 if one_worker(a, b) else 6 for a in DICE for b in DICE}
    for via in DICE:
        for a, b in costs:
            costs[a, b] = min(costs[a, b], costs[a, via] + costs[via, b])
    if free_step:
        near = {a: [b for b in DICE if _ring_distance(a, b) <= 1] for a in DICE}
        costs = {
            (a, b): min(*(costs[n, b] for n in near[a]), *(costs[a, n] for n in near[b])) for a, b in costs
        }
    return ((), *((0, *(costs[a, b] for b in DICE)) for a in DICE))


_WORKERS = {
    (double, free, wrap): _workers_by_values(double, free, wrap)
    for double in (False, True)
    for free in (False, True)
    for wrap in (RING, LINE)
}


def has(monasteries: int, number: int) -> bool:
    """Returns whether monastery *number* is in the set."""
    return bool(monasteries >> number & 1)


@lru_cache(maxsize=1024)  # asked for every die and tile of every position, about few sets of monasteries
def worker_costs(wrap: str, monasteries: int, free_step_by: int | None) -> WorkerCosts:
    """Returns the workers needed, by value of the die and value needed (``costs[die][value]``).

    *wrap* is the table rule for double steps, *free_step_by* the monastery that gives a free step for this action
    (S659-662). Monastery 8 lets each worker move two steps (S655).
    """
    free = free_step_by is not None and has(monasteries, free_step_by)
    return _WORKERS[has(monasteries, 8), free, wrap]


def silver_from_sale(monasteries: int) -> int:
    """Returns the silver for one sale, whatever its size (S565, monastery 3)."""
    return 2 if has(monasteries, 3) else 1


def workers_from_sale(monasteries: int) -> int:
    """Returns the workers for one sale (monastery 4)."""
    return 1 if has(monasteries, 4) else 0


def workers_from_action(monasteries: int) -> int:
    """Returns the workers of the take-workers action (S574, monastery 14)."""
    return 4 if has(monasteries, 14) else 2


def silver_from_action(monasteries: int) -> int:
    """Returns the silver of the take-workers action (monastery 13)."""
    return 1 if has(monasteries, 13) else 0
