"""Evidence: how likely each label is on each place, from a sighting and the players' answers."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from vision.sighting import EMPTY, PlaceReading, Sighting

FLOOR = 1e-4
"""Least probability of any label: even a certain reading may be wrong."""
CONTRADICTED = 0.05
"""A place contradicts a label of lower probability."""
LIKELIER_THAN_NOT = 0.5
"""Probability beyond which a reading supports a label."""
SURE = 0.98
"""Readings with this probability are hardly ever wrong: one in a thousand, as measured (docs/figures.md)."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A place whose reading contradicts the expected label."""

    place: str
    expected: str
    read: str
    sure: bool
    """Whether the reading is too certain to be a mistake."""

    @property
    def appeared(self) -> str | None:
        """Label that seems to have come to the place; None if it is read as empty."""
        return None if self.read == EMPTY else self.read

    @property
    def disappeared(self) -> str | None:
        """Label that seems to have left the place; None if it was expected to be empty."""
        return None if self.expected == EMPTY else self.expected


def moved_and_misread(against: Sequence[Contradiction]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the places where something was moved, and the places that are most likely misread.

    What appears in one place must have disappeared from another. A single place with another, uncertain reading is
    misread.
    """
    moved = {c.place for c in against for other in against if _is_moved(c, other) or _is_moved(other, c)}
    moved |= {c.place for c in against if c.sure}
    return (
        tuple(c.place for c in against if c.place in moved),
        tuple(c.place for c in against if c.place not in moved),
    )


def _is_moved(here: Contradiction, there: Contradiction) -> bool:
    """Returns whether what appeared in one place may have come from the other."""
    if here.place == there.place or there.disappeared is None:
        return False
    return is_of(there.disappeared, here.appeared)


def is_of(label: str, read: str | None) -> bool:
    """Returns whether a label is the one that was read, or of the type that was read."""
    return read is not None and (label == read or label.startswith(f"{read}/"))


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sighting, corrected by answers. A place that is hidden or not read supports every label."""

    sighting: Sighting
    labels: Mapping[str, str] = field(default_factory=dict)
    """Place -> label that a player has entered."""
    distrusted: Collection[str] = ()
    """Places whose reading is ignored, because the same reading was wrong before."""

    def reading(self, place: str) -> PlaceReading | None:
        """Returns the reading of *place*; None if there is none."""
        if place in self.labels:
            return PlaceReading({self.labels[place]: 1.0})
        found = None if place in self.distrusted else self.sighting.places.get(place)
        return None if found is None or found.hidden else found

    def watches(self, group: str) -> bool:
        """Returns whether the group's places are read at all, even if they are hidden now."""
        return f"{group}:0" in self.sighting.places

    def probability(self, place: str, label: str) -> float:
        """Returns the probability of *label* on *place*; 1 without a reading, so that no label is excluded."""
        found = self.reading(place)
        return 1.0 if found is None else max(FLOOR, found.probability(label))

    def presence_probability(self, place: str, label: str) -> float:
        """Returns the probability that *label* is on *place*, bare or with something on it (``castle/shield_7``)."""
        found = self.reading(place)
        if found is None:
            return 1.0
        covered = (p for read, p in found.probabilities.items() if read != label and is_of(read, label))
        return max(FLOOR, found.probability(label) + sum(covered))

    def log_likelihood(self, group: str, labels: Sequence[str], unordered: bool) -> float:
        """Returns the log probability that a group's places hold *labels*, in the best order if *unordered*."""
        if not unordered:
            return sum(self._log(group, i, label) for i, label in enumerate(labels))
        return _best_assignment(self._log_table(group, labels))[0]

    def greatest_log_likelihood(self, groups: Mapping[str, Sequence[str]]) -> float:
        """Returns the log probability of the likeliest label on every place of these groups."""
        return sum(
            math.log(max((FLOOR, *found.probabilities.values())))
            for group, labels in groups.items()
            for index in range(len(labels))
            if (found := self.reading(f"{group}:{index}")) is not None
        )

    def contradictions(self, group: str, labels: Sequence[str], unordered: bool) -> list[Contradiction]:
        """Returns the places of the group whose readings contradict *labels*."""
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

    def absence_probability(self, group: str, label: str, size: int) -> float:
        """Returns the probability that *label* is nowhere in the group."""
        result = 1.0
        for i in range(size):
            found = self.reading(f"{group}:{i}")
            if found is not None:
                result *= 1.0 - found.probability(label)
        return max(FLOOR, result)

    def _log_table(self, group: str, labels: Sequence[str]) -> list[list[float]]:
        """Returns log probabilities, a row per place and a column per label."""
        return [[self._log(group, i, label) for label in labels] for i in range(len(labels))]

    def _log(self, group: str, index: int, label: str) -> float:
        return math.log(self.probability(f"{group}:{index}", label))


def _best_assignment(table: Sequence[Sequence[float]]) -> tuple[float, tuple[int, ...]]:
    """Returns the one-to-one assignment of columns to rows with the greatest sum, and that sum.

    Dynamic programming over subsets: exponential, but fast enough for the seven places of the largest group.
    """
    size = len(table)
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    for row in range(size):
        for columns in combinations(range(size), row + 1):
            used = sum(1 << c for c in columns)
            best[used] = max(
                (best[used ^ 1 << c][0] + table[row][c], (*best[used ^ 1 << c][1], c)) for c in columns
            )
    return best[(1 << size) - 1]
