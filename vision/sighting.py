"""A sighting: what the camera saw of the table, as plain data (no camera library is needed to use it).

A place is named ``group:index``. The groups of The Castles of Burgundy are ``duchy:<player>`` (37 spaces in
reading order), ``storage:<player>``, ``goods:<player>``, ``depot:<n>``, ``depot_goods:<n>``, ``black``, ``round``
and, for the Châteauma, ``inventory`` and ``card:<side>``. A table file declares where they lie; of a card it
declares the area, and the eye finds the spaces.

What lies on a place is named by a label: ``empty``, a tile type (``castle``), or type and variant
(``building/bank``, ``livestock/cow_3``, ``monastery/7``, ``goods/4``). Of a tile that lies face down only that is
told.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

EMPTY = "empty"
FACE_DOWN = "face_down"


class FrameSizeError(ValueError):
    """A frame of another shape than the table file was made for."""


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die lying on the table."""

    value: int | None
    """Pips of the top face, or None when it could not be told (see *reason*)."""
    colour: str
    """Body colour."""
    box: tuple[int, int, int, int]
    """x, y, width, height in pixels of the frame."""
    confidence: float
    """Probability that value and colour are right."""
    reason: str | None = None
    """Why there is no value: ``cocked``, ``hidden``, ``blurred``..."""

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "value": self.value,
            "colour": self.colour,
            "box": list(self.box),
            "confidence": round(self.confidence, 4),
        }
        if self.reason is not None:
            data["reason"] = self.reason
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> DieReading:
        x, y, w, h = data["box"]
        return cls(data["value"], data["colour"], (x, y, w, h), data["confidence"], data.get("reason"))


@dataclass(frozen=True, slots=True)
class PlaceReading:
    """What may lie on one place: label -> probability, summing to 1 (labels left out have what is missing)."""

    probabilities: Mapping[str, float]
    hidden: bool = False
    """True when a hand or glare covers the place; the probabilities then say nothing."""

    @property
    def best(self) -> str:
        """The most probable label."""
        return max(self.probabilities, key=self.probabilities.__getitem__)

    def probability(self, label: str) -> float:
        """Probability of *label*; a reading that tells only the type spreads it over the type's variants."""
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
    """One settled frame, read."""

    places: Mapping[str, PlaceReading] = field(default_factory=dict)
    dice: tuple[DieReading, ...] = ()
    ms: float = 0.0
    """Milliseconds that reading took."""
    nudged: Mapping[str, float] = field(default_factory=dict)
    """Player -> mm by which a board was found moved since the frame before."""
    lost: tuple[str, ...] = ()
    """Players whose board is not where it was and was not found elsewhere."""
    not_found: tuple[str, ...] = ()
    """Groups of places that should be there and were not found: the spaces of a card."""

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
