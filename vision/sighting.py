"""A sighting: what the camera saw of the table, as plain data that needs no camera library.

A place is named ``group:index``; the groups are those of its game. A table file declares their positions; for a card it
declares the area, and the reader detects the spaces, as the group ``card:AREA``.

The content of a place is a label: ``empty``, a tile type, or type and variant with a slash between them; ``face_down``
for a tile that lies face down.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from calibration.errors import CompanionError

EMPTY = "empty"
FACE_DOWN = "face_down"


class FrameSizeError(CompanionError, ValueError):
    """A frame whose aspect ratio does not match its table file."""


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die lying on the table."""

    value: int | None
    """Pips of the top face; None if they could not be read (see *reason*)."""
    colour: str
    """Body colour."""
    box: tuple[int, int, int, int]
    """x, y, width, height in pixels of the frame."""
    confidence: float
    """Probability that value and colour are correct."""
    reason: str | None = None
    """Why there is no value: ``cocked``, ``hidden``, ``blurred``..."""
    probabilities: tuple[float, ...] = ()
    """Probabilities of the values 1 to 6 if this is a die with a readable face, summing to 1; empty if unknown."""

    @property
    def value_probabilities(self) -> tuple[float, ...]:
        """Returns the probabilities of the values 1 to 6, of which a reading may have only the confidence."""
        if self.probabilities:
            return self.probabilities
        rest = (1 - self.confidence) / 5 if self.value else 1 / 6
        return tuple(self.confidence if value == self.value else rest for value in range(1, 7))

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "value": self.value,
            "colour": self.colour,
            "box": list(self.box),
            "confidence": round(self.confidence, 4),
        }
        if self.reason is not None:
            data["reason"] = self.reason
        if self.probabilities:
            data["probabilities"] = [round(p, 4) for p in self.probabilities]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> DieReading:
        x, y, w, h = data["box"]
        return cls(
            value=data["value"],
            colour=data["colour"],
            box=(x, y, w, h),
            confidence=data["confidence"],
            reason=data.get("reason"),
            probabilities=tuple(data.get("probabilities", ())),
        )


@dataclass(frozen=True, slots=True)
class PlaceReading:
    """The possible content of one place: label -> probability, summing to 1 (omitted labels have the remainder)."""

    probabilities: Mapping[str, float]
    hidden: bool = False
    """True when a hand or glare covers the place; the probabilities are then meaningless."""

    @property
    def best(self) -> str:
        """Returns the most probable label."""
        return max(self.probabilities, key=self.probabilities.__getitem__)

    def probability(self, label: str) -> float:
        """Returns the probability of *label*; one of only the type counts for each of its variants."""
        if label in self.probabilities:
            return self.probabilities[label]
        tile_type, _, variant = label.partition("/")
        return self.probabilities.get(tile_type, 0.0) if variant else 0.0

    def to_json(self) -> dict[str, Any]:
        return {"p": {k: round(v, 4) for k, v in self.probabilities.items()}, "hidden": self.hidden}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PlaceReading:
        return cls(dict(data["p"]), data["hidden"])


@dataclass(frozen=True, slots=True)
class Sighting:
    """The reading of one still frame."""

    places: Mapping[str, PlaceReading] = field(default_factory=dict)
    dice: tuple[DieReading, ...] = ()
    ms: float = 0.0
    """Milliseconds that reading took."""
    nudged: Mapping[str, float] = field(default_factory=dict)
    """Player -> mm by which the board has moved since the previous frame."""
    lost: tuple[str, ...] = ()
    """Players whose board has moved and was not found again."""
    not_found: tuple[str, ...] = ()
    """Groups of places that should exist and were not found: the spaces of a card."""

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "places": {name: reading.to_json() for name, reading in self.places.items()},
            "dice": [die.to_json() for die in self.dice],
            "ms": round(self.ms, 1),
        }
        if self.nudged:
            data["nudged"] = dict(self.nudged)
        if self.lost:
            data["lost"] = list(self.lost)
        if self.not_found:
            data["unfound"] = list(self.not_found)
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Sighting:
        return cls(
            {name: PlaceReading.from_json(p) for name, p in data["places"].items()},
            tuple(DieReading.from_json(d) for d in data["dice"]),
            data["ms"],
            data.get("nudged", {}),
            tuple(data.get("lost", ())),
            tuple(data.get("unfound", ())),
        )

    def dumps(self) -> str:
        return json.dumps(self.to_json())
