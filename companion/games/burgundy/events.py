"""What happened: the facts that the score sheet, the page and the voice all tell alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that a move brought about."""

    kind: str
    player: str | None = None
    """Colour of the player it concerns."""
    points: int = 0
    data: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "player": self.player, "points": self.points, **self.data}
