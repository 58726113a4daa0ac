"""Evidence: what a sighting and the players' answers say about the places of the table."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from vision.sighting import EMPTY, PlaceReading, Sighting

FLOOR = 1e-4
"""Least probability given to any label: a reader that is sure may still be wrong."""
CONTRADICTED = 0.05
"""A place speaks against a label of lower probability."""
LIKELIER_THAN_NOT = 0.5
"""Probability beyond which a reading supports a label."""
SURE = 0.98
"""What is read with this probability is hardly ever read wrongly: one time in a thousand, in the figures."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A place whose reading speaks against what should lie there."""

    place: str
    expected: str
    read: str
    sure: bool
    """Whether it was read so surely that it is hardly a mistake of the eye."""

    @property
    def appeared(self) -> str | None:
        """What seems to have come to the place."""
        return None if self.read == EMPTY else self.read

    @property
    def disappeared(self) -> str | None:
        """What seems to have gone from it."""
        return None if self.expected == EMPTY else self.expected


def moved_and_misread(against: Sequence[Contradiction]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Places whose readings tell of something moved, and places that are most likely misread.

    Things do not come from nowhere: what is seen to come somewhere must have gone from somewhere, and the other way
    round. A single place that is read otherwise, and not surely, is a mistake of the eye.
    """
    moved = {c.place for c in against for other in against if _is_moved(c, other) or _is_moved(other, c)}
    moved |= {c.place for c in against if c.sure}
    return (
        tuple(c.place for c in against if c.place in moved),
        tuple(c.place for c in against if c.place not in moved),
    )


def _is_moved(here: Contradiction, there: Contradiction) -> bool:
    """Whether what came to one place may be what went from the other."""
    if here.place == there.place or there.disappeared is None:
        return False
    return is_of(there.disappeared, here.appeared)


def is_of(label: str, read: str | None) -> bool:
    """Whether a tile is the one that was read, or of the type that was read."""
    return read is not None and (label == read or label.startswith(f"{read}/"))


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sighting, corrected by answers. A place without a reading, or hidden, says nothing."""

    sighting: Sighting
    labels: Mapping[str, str] = field(default_factory=dict)
    """Place -> label that a player has named."""
    distrusted: Collection[str] = ()
    """Places whose reading says nothing, because it is one that was wrong before."""

    def reading(self, place: str) -> PlaceReading | None:
        """The reading of *place*, None when nothing is known of it."""
        if place in self.labels:
            return PlaceReading({self.labels[place]: 1.0})
        found = None if place in self.distrusted else self.sighting.places.get(place)
        return None if found is None or found.hidden else found

    def watches(self, group: str) -> bool:
        """Whether the reader looks at the group's places at all, hidden just now or not."""
        return f"{group}:0" in self.sighting.places

    def probability(self, place: str, label: str) -> float:
        """Probability that *label* lies on *place*; 1 where nothing is known, so that nothing is ruled out."""
        found = self.reading(place)
        return 1.0 if found is None else max(FLOOR, found.probability(label))

    def log_likelihood(self, group: str, labels: Sequence[str], unordered: bool) -> float:
        """Log probability that a group's places hold *labels*, in the best order when they have none."""
        if not unordered:
            return sum(self._log(group, i, label) for i, label in enumerate(labels))
        return _best_assignment(self._log_table(group, labels))[0]

    def contradictions(self, group: str, labels: Sequence[str], unordered: bool) -> list[Contradiction]:
        """Places of the group whose reading speaks against *labels*."""
        if unordered:
            labels = [labels[column] for column in _best_assignment(self._log_table(group, labels))[1]]
        return [
            self._contradiction(f"{group}:{i}", label)
            for i, label in enumerate(labels)
            if self.probability(f"{group}:{i}", label) < CONTRADICTED
        ]

    def _contradiction(self, place: str, expected: str) -> Contradiction:
        reading = self.reading(place)
        assert reading is not None
        return Contradiction(place, expected, reading.best, reading.probability(reading.best) >= SURE)

    def gone(self, group: str, label: str, size: int) -> float:
        """Probability that *label* is nowhere in the group."""
        result = 1.0
        for i in range(size):
            found = self.reading(f"{group}:{i}")
            if found is not None:
                result *= 1.0 - found.probability(label)
        return max(FLOOR, result)

    def _log_table(self, group: str, labels: Sequence[str]) -> list[list[float]]:
        """Log probabilities, a row per place and a column per label."""
        return [[self._log(group, i, label) for label in labels] for i in range(len(labels))]

    def _log(self, group: str, index: int, label: str) -> float:
        return math.log(self.probability(f"{group}:{index}", label))


def _best_assignment(table: Sequence[Sequence[float]]) -> tuple[float, tuple[int, ...]]:
    """The one-to-one assignment of columns to rows with the greatest sum, by dynamic programming over subsets."""
    size = len(table)
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    for row in range(size):
        for columns in combinations(range(size), row + 1):
            used = sum(1 << c for c in columns)
            best[used] = max(
                (best[used ^ 1 << c][0] + table[row][c], (*best[used ^ 1 << c][1], c)) for c in columns
            )
    return best[(1 << size) - 1]
