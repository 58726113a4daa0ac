"""What the reader should expect of cards on the table, as plain data without rules."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExpectedCard:
    """A card that should lie in its area."""

    identity: Hashable
    """Identity of the card: the spaces of another card are searched again."""
    bare: tuple[bool | None, ...]
    """For each space in reading order, whether it is empty; None while a tile may be placed there."""
