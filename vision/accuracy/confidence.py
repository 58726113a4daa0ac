"""Calibration of confidences: how often readings with a given confidence were correct."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

SURE = 0.95
"""Confidence from which no reading may be wrong."""
BINS = (0.0, 0.5, 0.7, 0.8, 0.9, SURE, 0.98, 1.0)


def calibration(readings: Sequence[tuple[float, bool]]) -> list[dict[str, float]]:
    """Returns for each bin of confidence: its bounds, number of readings, their mean confidence and share correct."""
    rows = []
    for low, high in pairwise(BINS):
        last = high == BINS[-1]
        inside = [(c, right) for c, right in readings if low <= c < high or (last and c >= high)]
        if inside:
            rows.append(
                {
                    "from": low,
                    "to": high,
                    "readings": len(inside),
                    "confidence": round(sum(c for c, _ in inside) / len(inside), 3),
                    "right": round(sum(right for _, right in inside) / len(inside), 3),
                }
            )
    return rows
