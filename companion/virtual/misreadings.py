"""Simulated misreadings of a camera: places misread or hidden, dice unread."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vision.sighting import EMPTY, DieReading, PlaceReading, Sighting

if TYPE_CHECKING:
    import numpy as np

    from companion.runtime.table_loop import Reader

WRONG_FROM, WRONG_TO = 0.5, 0.98
"""Probability that a reader gives to a wrong label, drawn uniformly; a random part of the rest goes to the true one."""
UNREAD_CONFIDENCE = 0.3


@dataclass(frozen=True, slots=True)
class MisreadingRates:
    """Shares of readings that are wrong or missing, drawn for every sighting."""

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
    """Distorts readings at the rates of *noise*; *labels* are all labels that a place may be misread as."""

    def __init__(self, noise: MisreadingRates, labels: Sequence[str], rng: random.Random) -> None:
        self._noise, self._labels, self._rng = noise, tuple(labels), rng

    def distort(self, seen: Sighting) -> Sighting:
        places = {name: self.distort_place(name, reading) for name, reading in seen.places.items()}
        return replace(seen, places=places, dice=tuple(map(self.distort_die, seen.dice)))

    def distort_place(self, name: str, reading: PlaceReading) -> PlaceReading:
        drawn = self._rng.random()
        if drawn < self._noise.hidden:
            return PlaceReading({EMPTY: 0.0}, hidden=True)
        if drawn < self._noise.hidden + self._noise.misread and not reading.hidden:
            wrong, label = self._rng.uniform(WRONG_FROM, WRONG_TO), reading.best
            return PlaceReading({self._other(label, name): wrong, label: (1 - wrong) * self._rng.random()})
        return reading

    def _other(self, label: str, place: str) -> str:
        """Returns what *label* is misread as: another of its kind, nothing, or something where nothing lies."""
        goods = "goods" in place or place.startswith("round")
        same_kind = [one for one in self._labels if one != label and one.startswith("goods/") == goods]
        same_type = [one for one in same_kind if one.split("/")[0] == label.split("/")[0]]
        return self._rng.choice(same_kind if label == EMPTY else [*same_type, EMPTY])

    def distort_die(self, die: DieReading) -> DieReading:
        if self._rng.random() < self._noise.unread:
            return replace(die, value=None, confidence=UNREAD_CONFIDENCE, reason="unclear")
        return die


class MisreadingReader:
    """Represents a reader whose sightings are distorted."""

    def __init__(self, reader: Reader, simulator: MisreadingSimulator) -> None:
        self._reader, self._simulator = reader, simulator

    def read(self, frame: np.ndarray, only: Collection[str] | None = None) -> Sighting:
        return self._simulator.distort(self._reader.read(frame, only))
