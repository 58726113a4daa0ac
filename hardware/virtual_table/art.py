"""How the print and the pieces of a game look on the virtual table; every picture is a sprite."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..scene import SceneCard
from .icons import Point
from .sprites import SHAPES, PieceShape

SEAT = "seat"
"""Stands for the player's own colour in a layer."""
OTHER_SEAT = "#7a6a58"


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of a panel: a piece of card, or a line if it has a *width_mm*."""

    inset_mm: float
    radius_mm: float
    colour: str
    """``#rrggbb``, or SEAT."""
    width_mm: float = 0.0
    thick_mm: float = 0.0
    """Thickness of the card, which casts a shadow."""
    mottle: float = 0.0
    """Unevenness of the ink in grey levels."""


@dataclass(frozen=True, slots=True)
class CardArt:
    """Cards with spaces for tiles."""

    size_mm: Point
    """Width and height."""
    spaces: Callable[[int], Sequence[Point]]
    """Returns the positions of a number of spaces in reading order, mm from the centre of the card."""
    face: Callable[[SceneCard], np.ndarray]


@dataclass(frozen=True, slots=True, eq=False)
class Art:
    """Print and pieces of one game."""

    panels: Mapping[str, tuple[Layer, ...]]
    """Layers of each style of panel, bottom layer first."""
    pictures: Mapping[str, Callable[[str], np.ndarray]]
    """Panels that are a single picture, by the detail of their style."""
    places: Mapping[str, Callable[..., np.ndarray]]
    """Print of a place, by the details of its name."""
    land: tuple[tuple[float, str], ...]
    """What is drawn around each space of a board, bottom first: mm between opposite sides of a hexagon, and colour."""
    seat_colours: Mapping[str, str]
    """Colour of the edge of a player's board, and of the sleeve."""
    tiles: tuple[str, ...]
    """Labels of all hexagonal tile faces."""
    goods: tuple[str, ...]
    """Labels of all square tile faces."""
    back: str
    """Label of the back of a hexagonal tile."""
    face: Callable[[str], np.ndarray]
    """Returns the face of a tile by its label."""
    card: CardArt
    shields: tuple[str, ...] = ()
    """Labels of all shield-shaped tokens."""
    covered: tuple[str, ...] = ()
    """Labels of hexagonal tiles on which a token lies."""

    @property
    def faces(self) -> frozenset[str]:
        """Returns the labels of everything that may lie on a place."""
        return frozenset((*self.tiles, *self.goods, self.back, *self.shields, *self.covered))

    def shape(self, label: str) -> PieceShape:
        """Returns the shape of the piece with this label."""
        return SHAPES["square" if label in self.goods else "shield" if label in self.shields else "hex"]

    def seat_colour(self, player: str) -> str:
        """Returns ``#rrggbb`` of the edge of a player's board."""
        return self.seat_colours.get(player, OTHER_SEAT)
