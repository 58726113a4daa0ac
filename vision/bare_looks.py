"""What the empty spaces of the boards on the table look like: their own print, under this lamp.

A game knows which spaces are empty when a turn is confirmed, first of all before the first tile. From then on a space
that looks the same is more likely empty, and one that looks different more likely is not, whatever is printed there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .appearance import FINE_PX, NEAR_SHIFTS, embed, embed_shifted, small_pictures

WEIGHT, EITHER = 5.5, 0.45
"""Log odds of an empty space per unit of correlation with its look, and the correlation that says nothing. Fitted on
150 drawn tables in two lights, together with what the reader says: 10,429 spaces, in prints and noise far worse than at
a table."""
MIN_CHANCE = 0.01
"""Lower limit of the probability that the reader is wrong."""


class BareLooks:
    """The looks of places, by name, while they were empty."""

    def __init__(self) -> None:
        self._looks: dict[str, np.ndarray] = {}

    def learn(self, names: Sequence[str], patches: np.ndarray) -> None:
        """Remembers how the empty places *names* look: *patches* (N, S, S, 3) uint8."""
        if len(names):
            self._looks |= dict(zip(names, embed(small_pictures(patches, FINE_PX)), strict=True))

    def weigh(self, names: Sequence[str], patches: np.ndarray, empty: np.ndarray) -> np.ndarray:
        """Returns the probability *empty* (N,) that no tile lies on each of the places *names*, given their looks too:
        *patches* are (N, S, S, 3) uint8."""
        known = np.array([name in self._looks for name in names], bool)
        if not known.any():
            return empty
        before = np.stack([self._looks[name] for name in names if name in self._looks])
        shifted = embed_shifted(small_pictures(patches[known], FINE_PX), NEAR_SHIFTS)
        alike = np.einsum("nsd,nd->ns", shifted, before).max(axis=1)
        weighed = empty.copy()
        read = np.clip(empty[known], MIN_CHANCE, 1 - MIN_CHANCE)
        weighed[known] = 1 / (1 + (1 - read) / read * np.exp(-WEIGHT * (alike - EITHER)))
        return weighed
