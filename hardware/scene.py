"""What lies on a (virtual) table: the truth that a drawn frame shows, in a sighting's places and labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SceneDie:
    """A die lying in one player's dice area (or the white die's)."""

    value: int
    colour: str
    area: str
    """Name of the dice area it lies in: a player's name, or ``white``."""
    throw: int = 0
    """Which throw it lies from: the same value thrown again comes to rest elsewhere."""


@dataclass(frozen=True, slots=True)
class SceneCard:
    """A printed card that is laid on the table and taken away, with spaces for tiles."""

    number: int
    tile_types: tuple[str, ...]
    """Tile type of each of its spaces, in reading order."""
    symbols: tuple[int, ...] = ()
    """Spaces that bear a symbol."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that lies on the table at one moment."""

    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Place group -> labels, one per place: ``{"storage:red": ("building/bank", "empty", "empty"), ...}``."""
    dice: tuple[SceneDie, ...] = ()
    hand: str | None = None
    """Name of the player whose hand is over the table, if any."""
    cards: Mapping[str, SceneCard] = field(default_factory=dict)
    """Card area -> the card in it; tiles on its spaces are the place group ``card:AREA``."""
