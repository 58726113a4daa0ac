"""Detects places that have changed since they were last read; only those are read again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from calibration.board_kind import kind_of

from .appearance import FINE_PX, NEAR_SHIFTS, embed, embed_shifted, small_pictures
from .sighting import EMPTY, FACE_DOWN, PlaceReading

SAME = 0.75
"""Correlation from which a place is unchanged. Measured on sequences of pictures: at least 0.87 on unchanged places, at
most 0.55 where a tile was placed."""
SAME_ALIKE = 0.96
"""Likewise where things look much alike. Measured with drawn shields on castles: at least 0.99 on unchanged places, at
most 0.94 where another shield was laid."""
TYPE_SEEN = 0.9
"""Probability of its type from which a tile may become an example of its label."""
NEW_SEEN = 0.7
"""Probability of a tile, and of its type among all types, from which it may become the first example of its label."""
EMPTY_SEEN = 0.1
"""Probability from which a place may be what an empty one looks like: nobody may have laid a tile there already."""
SURE = 0.95
"""Places read with less certainty are always read again."""


class PlaceMemory:
    """Remembers the appearance and the reading of each place.

    *looks_alike* returns whether things with a label look so much alike that one may be exchanged for another almost
    unnoticed.
    """

    def __init__(self, looks_alike: Callable[[str], bool] = lambda label: False) -> None:
        self._looks_alike = looks_alike
        self._looks: dict[str, np.ndarray] = {}
        self._readings: dict[str, PlaceReading] = {}

    def changed(self, names: Sequence[str], patches: np.ndarray) -> np.ndarray:
        """Returns (N,) bool: which of the places *names*, with *patches* (N, S, S, 3) uint8, are new or have
        changed."""
        known = np.array([name in self._looks for name in names], bool)
        changed = ~known
        if known.any():
            before = np.stack([self._looks[name] for name in names if name in self._looks])
            least = [self._least_correlation(name) for name in names if name in self._looks]
            changed[known] = _changed(before, patches[known], np.array(least))
        return changed

    def _least_correlation(self, name: str) -> float:
        """Returns the correlation from which the place *name* is unchanged."""
        probabilities = self._readings[name].probabilities
        return SAME_ALIKE if probabilities and self._looks_alike(self._readings[name].best) else SAME

    def stale(self, names: Sequence[str], patches: np.ndarray) -> np.ndarray:
        """Returns (N,) bool: places that have changed or were read without certainty."""
        doubtful = [
            name not in self._readings or self._readings[name].hidden or self._certainty(name) < SURE
            for name in names
        ]
        stale: np.ndarray = self.changed(names, patches) | np.array(doubtful, bool)
        return stale

    def _certainty(self, name: str) -> float:
        return max(self._readings[name].probabilities.values(), default=0.0)

    def store(self, names: Sequence[str], patches: np.ndarray, readings: Mapping[str, PlaceReading]) -> None:
        """Stores the appearance and the readings of the places *names*; a hidden place keeps its earlier appearance."""
        if not len(names):
            return
        looks = embed(small_pictures(patches, FINE_PX))
        self._looks |= {
            name: look for name, look in zip(names, looks, strict=True) if not readings[name].hidden
        }
        self._readings |= {name: readings[name] for name in names}

    def recall(self, names: Sequence[str]) -> dict[str, PlaceReading]:
        """Returns the latest readings of the places *names*."""
        return {name: self._readings[name] for name in names}

    def agrees(self, name: str, label: str) -> bool:
        """Returns whether the place *name* was visible in its latest reading and showed a tile of the type of
        *label*."""
        if label == FACE_DOWN:  # a back has no type: it is enough that the place is occupied
            return self._probability(name, EMPTY) < 1 - TYPE_SEEN
        return self._type_probability(name, label) > TYPE_SEEN

    def agrees_with_new(self, name: str, label: str, *, has_type: bool = True) -> bool:
        """Returns whether the place *name* was visible and may show a tile of which there is no example.

        Such a tile looks unknown, so that its type, if it *has_type*, is less certain.
        """
        occupied = 1 - self._probability(name, EMPTY)
        seen = self._type_probability(name, label) if has_type else occupied
        return occupied > NEW_SEEN and seen >= NEW_SEEN * occupied

    def may_be_empty(self, name: str) -> bool:
        """Returns whether the place *name* was visible in its latest reading and may have been empty."""
        reading = self._readings.get(name)
        return reading is not None and not reading.hidden and reading.probability(EMPTY) >= EMPTY_SEEN

    def _type_probability(self, name: str, label: str) -> float:
        reading, tile_type = self._readings.get(name), kind_of(label)
        if reading is None or reading.hidden:
            return 0.0
        return sum(p for read, p in reading.probabilities.items() if kind_of(read) == tile_type)

    def _probability(self, name: str, label: str) -> float:
        """Returns the probability of *label* in the latest reading; 1 if the place was not visible."""
        reading = self._readings.get(name)
        return 1.0 if reading is None or reading.hidden else reading.probability(label)

    def forget(self) -> None:
        """Clears everything, because the gallery has new examples."""
        self._looks.clear()
        self._readings.clear()


def have_changed(before: np.ndarray, now: np.ndarray) -> np.ndarray:
    """Returns (N,) bool: which places changed from *before* to *now*, patches (N, S, S, 3) uint8 each."""
    return _changed(embed(small_pictures(before, FINE_PX)), now, np.array(SAME))


def _changed(before: np.ndarray, patches: np.ndarray, least: np.ndarray) -> np.ndarray:
    """Returns (N,) bool: *patches* that do not look like *before* (N, d) under any small shift: whose correlation is
    below *least*, () or (N,)."""
    small = small_pictures(patches, FINE_PX)
    changed: np.ndarray = (
        np.einsum("nsd,nd->ns", embed_shifted(small, NEAR_SHIFTS), before).max(axis=1) < least
    )
    return changed
