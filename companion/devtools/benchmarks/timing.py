"""How long things take."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import TypeVar

T = TypeVar("T")
US_PER_S = 1e6


def alternate(
    first: Iterator[object], second: Iterator[object], slices: int, slice_s: float
) -> list[tuple[float, float]]:
    """Steps per second of two endless workloads, measured in *slices* of *slice_s* seconds each.

    They work in turns: whatever else keeps the machine busy slows both alike.
    """
    return [(_rate(first, slice_s), _rate(second, slice_s)) for _ in range(slices)]


def _rate(steps: Iterator[object], seconds: float) -> float:
    count = 0
    started = now = perf_counter()
    while now - started < seconds:
        next(steps)
        count += 1
        now = perf_counter()
    return count / (now - started)


def median_us(operation: Callable[[T], object], items: Sequence[T]) -> float:
    """Microseconds that *operation* takes: the median over *items*."""
    return statistics.median(_seconds(operation, item) for item in items) * US_PER_S


def _seconds(operation: Callable[[T], object], item: T) -> float:
    started = perf_counter()
    operation(item)
    return perf_counter() - started
