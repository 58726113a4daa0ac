"""The pictures that are printed on the main board."""

from __future__ import annotations

from functools import cache

import numpy as np

from ...sprites import Pen, square
from .icons import ICONS

_ORNAMENT_MM = 96.0
_ORNAMENT_INK = 0.55
"""Opacity of the ink of an ornament on the paper of the board."""


@cache
def ornament(name: str) -> np.ndarray:
    """Returns a picture printed on the main board, 96 mm wide, to be drawn at any size."""
    pen = Pen(_ORNAMENT_MM, _ORNAMENT_MM)
    _ORNAMENTS[name](pen)
    picture = pen.sprite().copy()
    picture[..., 3] = (picture[..., 3] * _ORNAMENT_INK).round()
    picture.setflags(write=False)
    return picture


def _hill(pen: Pen, x: float, y: float, rx: float, ry: float, colour: str) -> None:
    angles = np.radians(np.arange(180, 361, 6))
    pen.fill(np.stack([x + rx * np.cos(angles), y + ry * np.sin(angles)], axis=1), colour)


def _castle_hill(pen: Pen) -> None:
    _hill(pen, -20, 42, 26, 24, "#97a765")
    _hill(pen, 0, 44, 46, 30, "#86994f")
    pen.icon(ICONS["castle"], 0, -6, 26)
    for x, half in ((-36, 6), (-29, 7), (30, 7), (37, 6)):
        _tree(pen, x, 34, half)


def _tree(pen: Pen, x: float, y: float, half: float) -> None:
    pen.fill(square(1) * (half * 0.3, half * 1.2) + (x, y + half * 0.8), "#5b3d22")
    for dx, dy, share in ((-0.45, 0.1, 0.6), (0.45, 0.1, 0.6), (0, -0.5, 0.75)):
        pen.disc(x + dx * half, y + dy * half, share * half, "#4d6b33")
    pen.disc(x - 0.2 * half, y - 0.65 * half, 0.35 * half, "#6d8a48")


def _vineyard(pen: Pen) -> None:
    _hill(pen, 0, 40, 46, 52, "#9aa55f")
    for row, count in enumerate((2, 4, 5, 6)):
        y = 2 + 10 * row
        for i in range(count):
            x = (i - (count - 1) / 2) * 12
            pen.fill(square(1) * (0.8, 9) + (x, y), "#6a4a2a")
            pen.disc(x, y - 2, 3.6, "#55702f")
            pen.disc(x + 1.2, y - 0.5, 1.5, "#6b3a7c")
    pen.icon(ICONS["warehouse"], 0, -24, 12)


def _forest(pen: Pen) -> None:
    _hill(pen, 6, 44, 42, 34, "#8b9a58")
    rng = np.random.default_rng(7)
    spots = rng.uniform((-40, -26), (40, 34), (46, 2))
    for x, y in sorted(spots.tolist(), key=lambda spot: spot[1]):
        if np.hypot(x / 44, (y - 6) / 36) < 1:
            _tree(pen, x, y, 6.2)
    pen.icon(ICONS["church"], 20, -28, 11)


def _compass(pen: Pen) -> None:
    pen.disc(0, 0, 38, "#6b5430")
    pen.disc(0, 0, 36.5, "#d9c798")
    pen.disc(0, 0, 26, "#8f7748")
    pen.disc(0, 0, 25, "#e2d3a8")
    for reach, width, start in ((30, 6, 45), (42, 8, 0)):
        for quarter in range(4):
            angle = np.radians(start + 90 * quarter)
            tip, side = np.array([np.sin(angle), -np.cos(angle)]), np.array([np.cos(angle), np.sin(angle)])
            inner = tip * width
            pen.fill(np.array([tip * reach, inner + side * width, (0, 0)]), "#7a2f3f")
            pen.fill(np.array([tip * reach, inner - side * width, (0, 0)]), "#b98a86")
    pen.text("N", 0, -44, 5, "#6b5430")


_ORNAMENTS = {"castle": _castle_hill, "compass": _compass, "forest": _forest, "vineyard": _vineyard}
