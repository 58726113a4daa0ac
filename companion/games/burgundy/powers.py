"""What a duchy's monasteries change: worker costs and amounts. Owned monasteries are a set of bits, bit n for n."""

from __future__ import annotations

from .tiles import BUILDING, CASTLE, LIVESTOCK, MINE, MONASTERY, SHIP

FREE_STEP_WHEN_PLACING = {BUILDING: 9, SHIP: 10, LIVESTOCK: 10, CASTLE: 11, MINE: 11, MONASTERY: 11}
"""Tile type -> monastery that gives one free step of the die when such a tile is placed (S659-661)."""
FREE_STEP_WHEN_TAKING = 12


def _ring_distance(a: int, b: int) -> int:
    """Steps between two die values; 1 and 6 are neighbours (S293)."""
    return min(abs(a - b), 6 - abs(a - b))


def _cost(die: int, value: int, free_step: bool, double_steps: bool) -> int:
    steps = max(0, _ring_distance(die, value) - free_step)
    return (steps + 1) // 2 if double_steps else steps


_COST = {
    (free, double): tuple(tuple(_cost(d, v, free, double) for v in range(7)) for d in range(7))
    for free in (False, True)
    for double in (False, True)
}


def has(monasteries: int, number: int) -> bool:
    """Whether monastery *number* is in the set."""
    return bool(monasteries >> number & 1)


def worker_costs(monasteries: int, free_step_by: int | None) -> tuple[tuple[int, ...], ...]:
    """Workers needed, by die shown and value wanted (``costs[die][value]``).

    *free_step_by* is the monastery that would give a free step for what is being done. Monastery 8 lets each
    worker move two steps (S655); steps are counted on the ring of six.
    """
    free = free_step_by is not None and has(monasteries, free_step_by)
    return _COST[free, has(monasteries, 8)]


def silver_from_sale(monasteries: int) -> int:
    """Silver for one sale, whatever its size (S565, monastery 3)."""
    return 2 if has(monasteries, 3) else 1


def workers_from_sale(monasteries: int) -> int:
    """Workers for one sale (monastery 4)."""
    return 1 if has(monasteries, 4) else 0


def workers_from_action(monasteries: int) -> int:
    """Workers of the take-workers action (S574, monastery 14)."""
    return 4 if has(monasteries, 14) else 2


def silver_from_action(monasteries: int) -> int:
    """Silver of the take-workers action (monastery 13)."""
    return 1 if has(monasteries, 13) else 0
