"""Which places look otherwise than when they were read last; only those are read again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .appearance import FINE_PX, NEAR_SHIFTS, embed, embed_shifted, small_pictures
from .sighting import EMPTY, FACE_DOWN, PlaceReading

SAME = 0.75
"""Correlation from which a place looks as it did. Measured on sequences of pictures: 0.87 and more where nothing was
changed, 0.55 and less where a tile was laid."""
TYPE_SEEN = 0.9
"""Probability of its type from which a tile may teach what it looks like."""
SURE = 0.95
"""Places that were read less surely are read again in any case."""


class PlaceMemory:
    """What places looked like when they were read, and how they were read."""

    def __init__(self) -> None:
        self._looks: dict[str, np.ndarray] = {}
        self._readings: dict[str, PlaceReading] = {}

    def changed(self, names: Sequence[str], patches: np.ndarray) -> np.ndarray:
        """(N,) bool: of the places *names*, with *patches* (N, S, S, 3) uint8, those that look otherwise or are new."""
        known = np.array([name in self._looks for name in names], bool)
        changed = ~known
        if known.any():
            before = np.stack([self._looks[name] for name in names if name in self._looks])
            changed[known] = _otherwise(before, patches[known])
        return changed

    def stale(self, names: Sequence[str], patches: np.ndarray) -> np.ndarray:
        """(N,) bool: places that changed, or were not read surely."""
        doubtful = [
            name not in self._readings or self._readings[name].hidden or self._certainty(name) < SURE
            for name in names
        ]
        stale: np.ndarray = self.changed(names, patches) | np.array(doubtful, bool)
        return stale

    def _certainty(self, name: str) -> float:
        return max(self._readings[name].probabilities.values(), default=0.0)

    def store(self, names: Sequence[str], patches: np.ndarray, readings: Mapping[str, PlaceReading]) -> None:
        """Remembers how the places *names* look and were read; what a hand hides, as it looked before."""
        if not len(names):
            return
        looks = embed(small_pictures(patches, FINE_PX))
        self._looks |= {
            name: look for name, look in zip(names, looks, strict=True) if not readings[name].hidden
        }
        self._readings |= {name: readings[name] for name in names}

    def recall(self, names: Sequence[str]) -> dict[str, PlaceReading]:
        """How the places *names* were read last."""
        return {name: self._readings[name] for name in names}

    def agrees(self, name: str, label: str) -> bool:
        """Whether the place *name* was in sight when it was read last, and showed a tile of the type of *label*."""
        reading, tile_type = self._readings.get(name), label.split("/")[0]
        if reading is None or reading.hidden:
            return False
        if label == FACE_DOWN:  # of no type, so that it is enough that something lies there
            return reading.probability(EMPTY) < 1 - TYPE_SEEN
        return (
            sum(p for read, p in reading.probabilities.items() if read.split("/")[0] == tile_type) > TYPE_SEEN
        )

    def forget(self) -> None:
        """Everything is new again: the eye has learnt something."""
        self._looks.clear()
        self._readings.clear()


def look_otherwise(before: np.ndarray, now: np.ndarray) -> np.ndarray:
    """(N,) bool: which places changed from *before* to *now*, patches (N, S, S, 3) uint8 each."""
    return _otherwise(embed(small_pictures(before, FINE_PX)), now)


def _otherwise(before: np.ndarray, patches: np.ndarray) -> np.ndarray:
    """(N,) bool: *patches* that do not look like *before* (N, d), however little they are moved."""
    small = small_pictures(patches, FINE_PX)
    changed: np.ndarray = (
        np.einsum("nsd,nd->ns", embed_shifted(small, NEAR_SHIFTS), before).max(axis=1) < SAME
    )
    return changed
