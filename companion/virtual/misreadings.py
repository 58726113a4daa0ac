"""Faults of the eye, made up: places misread or hidden, dice unread."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calibration.board_kind import kind_of
from vision.sighting import EMPTY, DieReading, PlaceReading, Sighting

from .virtual_game import LabelsAt

if TYPE_CHECKING:
    import numpy as np

    from companion.runtime.wiring import TableReader

WRONG_FROM, WRONG_TO = 0.5, 0.98
"""How sure a reader is when it is wrong, drawn evenly; much or little of the rest is for the true label."""
VALUES = range(1, 7)
UNREAD_CONFIDENCE, UNREAD_REST = 0.3, 0.1


@dataclass(frozen=True, slots=True)
class MisreadingRates:
    """Shares of what is not read as it is, drawn anew for every sighting."""

    misread: float = 0.0
    """Of the places."""
    hidden: float = 0.0
    """Of the places."""
    unread: float = 0.0
    """Of the dice."""


NO_MISREADINGS, TYPICAL_MISREADINGS = (
    MisreadingRates(),
    MisreadingRates(misread=0.02, hidden=0.05, unread=0.02),
)


class MisreadingSimulator:
    """Distorts readings with *noise*; *labels_at* says which labels a reader may confuse at a place."""

    def __init__(self, noise: MisreadingRates, labels_at: LabelsAt, rng: random.Random) -> None:
        self._noise, self._labels_at, self._rng = noise, labels_at, rng

    def distort(self, seen: Sighting) -> Sighting:
        places = {name: self.place(name, reading) for name, reading in seen.places.items()}
        return replace(seen, places=places, dice=tuple(map(self.die, seen.dice)))

    def place(self, name: str, reading: PlaceReading) -> PlaceReading:
        drawn = self._rng.random()
        if drawn < self._noise.hidden:
            return PlaceReading({EMPTY: 0.0}, hidden=True)
        if drawn < self._noise.hidden + self._noise.misread and not reading.hidden:
            wrong, label = self._rng.uniform(WRONG_FROM, WRONG_TO), reading.best
            return PlaceReading({self._other(label, name): wrong, label: (1 - wrong) * self._rng.random()})
        return reading

    def _other(self, label: str, place: str) -> str:
        """Returns what *label* is taken for: another of its kind, nothing, or something on an empty place."""
        others = [one for one in self._labels_at(place) if one != label]
        alike = [one for one in others if kind_of(one) == kind_of(label)]
        return self._rng.choice(others if label == EMPTY else [*alike, EMPTY])

    def die(self, die: DieReading) -> DieReading:
        """Returns the reading, or one that cannot tell the value from another."""
        if self._rng.random() >= self._noise.unread or die.value is None:
            return die
        alike = {die.value, self._rng.choice([value for value in VALUES if value != die.value])}
        shown = tuple(UNREAD_CONFIDENCE if value in alike else UNREAD_REST for value in VALUES)
        return replace(die, value=None, confidence=UNREAD_CONFIDENCE, reason="unclear", probabilities=shown)


class MisreadingReader:
    """Represents a reader whose sightings have faults."""

    def __init__(self, reader: TableReader, faults: MisreadingSimulator) -> None:
        self._reader, self._faults = reader, faults
        self.pictures = reader.pictures

    def read(
        self,
        frame: np.ndarray,
        only: Collection[str] | None = None,
        dice: Sequence[DieReading] | None = None,
    ) -> Sighting:
        read = self._faults.distort(self._reader.read(frame, only, dice))
        return read if dice is None else replace(read, dice=tuple(dice))
