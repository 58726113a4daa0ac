"""Small pictures on tiles and boards as data: an icon is a tuple of filled polygons in a unit box.

Coordinates run from -1 to 1, x right and y down, so that an icon can be drawn at any size, position and angle.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

Point = tuple[float, float]

_ROUND = 20
"""Corners of the polygon for an oval: round at the size of a tile."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One filled polygon of an icon."""

    colour: str
    """``#rrggbb``."""
    points: tuple[Point, ...]
    outlined: bool = True
    """Whether a dark line is drawn around it."""


def poly(colour: str, *xy: float, outlined: bool = True) -> Shape:
    """Returns a polygon from x, y, x, y..."""
    return Shape(colour, tuple(zip(xy[::2], xy[1::2], strict=True)), outlined)


def box(colour: str, left: float, top: float, right: float, bottom: float, outlined: bool = True) -> Shape:
    """Returns an upright rectangle."""
    return poly(colour, left, top, right, top, right, bottom, left, bottom, outlined=outlined)


def oval(
    colour: str, x: float, y: float, rx: float, ry: float, turn: float = 0, outlined: bool = True
) -> Shape:
    """Returns an ellipse around (x, y), its long axis rotated clockwise by *turn* degrees."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    rim = [(rx * math.cos(a), ry * math.sin(a)) for a in (2 * math.pi * i / _ROUND for i in range(_ROUND))]
    return Shape(colour, tuple((x + u * c - v * s, y + u * s + v * c) for u, v in rim), outlined)


def bar(
    colour: str, x0: float, y0: float, x1: float, y1: float, width: float, outlined: bool = True
) -> Shape:
    """Returns a straight stroke of the given width."""
    length = math.hypot(x1 - x0, y1 - y0)
    nx, ny = -(y1 - y0) / length * width / 2, (x1 - x0) / length * width / 2
    return poly(
        colour, x0 + nx, y0 + ny, x1 + nx, y1 + ny, x1 - nx, y1 - ny, x0 - nx, y0 - ny, outlined=outlined
    )


INK = "#2b211a"

Icon = tuple[Shape, ...]
