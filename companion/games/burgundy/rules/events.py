"""What happened: the facts behind the score sheet, the page and the voice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

RULES = {
    "start_castle": "S249, S517",
    "start_goods": "S241",
    "phase": "S260-271",
    "round": "S275-281",
    "goods_arrive": "S281",
    "take": "S334-338",
    "place": "S344-348",
    "discard": "S338",
    "buy": "S578-582, S650",
    "sell": "S563-568",
    "workers": "S485, S572-574",
    "silver": "S489",
    "livestock": "S407-417, S651",
    "watchtower": "S497",
    "advance": "S368",
    "white_die": "S368",
    "load": "S360-366, S649",
    "skip": "S423, S502",
    "area": "S513-515",
    "area_again": "-",
    "bonus_tile": "S519, S553-555",
    "points_tile": "S521",
    "turn_end": "S283-291",
    "mines": "S405, S586, S646",
    "final": "S590-597, S671-689",
    "game_over": "S599",
    "ruling": "-",
    "adjust": "-",
}
"""Kind of event -> the lines of the rule texts behind it (S: Special Edition, A: 2011). Modules add their own."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that a move caused."""

    kind: str
    player: str | None = None
    """Colour of the player it concerns."""
    points: int = 0
    data: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Returns the event as plain data."""
        return {"kind": self.kind, "player": self.player, "points": self.points, **self.data}
