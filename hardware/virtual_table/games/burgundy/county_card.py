"""A county card of the virtual table. The print of the real ones is unknown: this one is invented."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from hardware.scene import SceneCard

from ...icons import Point
from ...sprites import HEX_MM, Pen, hexagon, mix, rounded
from .icons import ICONS
from .sprites import TILE_COLOURS

CARD_MM = (66.0, 116.0)
"""Width and height."""
_ZIGZAG_MM, _STEP_MM = 13.0, 17.5
"""Offset of its spaces from the centre line, alternating sides, and distance from one to the next."""
_RIM_MM = 3.0
_PAPER, _EDGE, _INK = "#8f7f62", "#3d3022", "#2b2117"


def spaces_of(count: int) -> Sequence[Point]:
    """Returns the positions of the spaces of a card in reading order, mm from its centre."""
    return [(_ZIGZAG_MM * (-1) ** (i + 1), (i - (count - 1) / 2) * _STEP_MM) for i in range(count)]


@cache
def county_card(card: SceneCard) -> np.ndarray:
    """Returns the face of *card*: its number, and its spaces with their symbols."""
    width, height = CARD_MM
    pen = Pen(width + 2, height + 2)
    pen.fill(rounded(width, height, 3), _EDGE)
    pen.fill(rounded(width - _RIM_MM, height - _RIM_MM, 2), _PAPER)
    pen.grain(4, card.number)
    pen.text(str(card.number), width / 2 - 7, -height / 2 + 7, 5, _INK)
    for i, (tile_type, middle) in enumerate(
        zip(card.tile_types, spaces_of(len(card.tile_types)), strict=True)
    ):
        ground = mix(TILE_COLOURS[tile_type], "#e9dfc6", 0.3)
        pen.fill(np.add(hexagon(HEX_MM - 0.2), middle), mix(TILE_COLOURS[tile_type], "#3a2f22", 0.6))
        pen.fill(np.add(hexagon(HEX_MM - 1.6), middle), ground)
        pen.fill(np.add(hexagon(HEX_MM - 6.0), middle), mix(ground, "#ffffff", 0.12))
        if i in card.symbols:
            pen.icon(ICONS["goods"], *middle, 5.0)
    return pen.sprite()
