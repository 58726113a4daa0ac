"""What the eye is told of cards that lie on the table: data alone, for whoever knows the game."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExpectedCard:
    """A card that should lie in its area."""

    identity: Hashable
    """Which card it is: the spaces of another one are looked for anew."""
    bare: tuple[bool | None, ...]
    """Of each of its spaces in reading order, whether nothing lies on it; None while somebody may be laying a tile."""
