"""The true content of a virtual table, with the place names and labels of a sighting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SceneDie:
    """A die in the dice area of a player or of the white die."""

    value: int
    colour: str
    area: str
    """Name of its dice area: a player, or ``white``."""
    throw: int = 0
    """Number of its throw: the same value in another throw lands elsewhere."""


@dataclass(frozen=True, slots=True)
class SceneCard:
    """A printed card with spaces for tiles."""

    number: int
    tile_types: tuple[str, ...]
    """Tile type of each space, in reading order."""
    symbols: tuple[int, ...] = ()
    """Indices of the spaces that bear a symbol."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The content of the table at one moment."""

    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Place group -> labels, one per place: ``{"storage:red": ("building/bank", "empty", "empty"), ...}``. Further
    places of a group are empty."""
    dice: tuple[SceneDie, ...] = ()
    hand: str | None = None
    """Name of the player whose hand is over the table; None if there is none."""
    cards: Mapping[str, SceneCard] = field(default_factory=dict)
    """Card area -> the card in it; tiles on its spaces are the place group ``card:AREA``."""
