"""Values that capabilities of games (:mod:`.capabilities`) return."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .api import Move


@dataclass(frozen=True, slots=True)
class MoveChoice:
    """One step on the way to a move: the move itself, or a part of it after which more has to be chosen."""

    key: str
    """What it adds to the path of choices."""
    move: Move | None = None
    """The move that is complete with it; None if it is a part."""
    code: str = ""
    """For a part: the game has a text ``move_choice.CODE``."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """Values for the fields of that text."""


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece that lies where its player likes, and not in one of several places."""

    label: str
    x_mm: float
    """Its middle, to the right of the origin of its group, ..."""
    y_mm: float
    """... and below it."""
    size_mm: tuple[float, float]
    """Width and height of the smallest rectangle around it, before it is turned."""
    turn_deg: float = 0.0
    """Clockwise."""
    player: str | None = None
    """Whose it is; None if it is nobody's."""
