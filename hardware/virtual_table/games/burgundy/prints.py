"""What is printed on the boards, as sprites: spaces, slots, squares, badges and flags."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from ...sprites import (
    GOODS_MM,
    HEX_MM,
    SHIELD_MM,
    Pen,
    hex_pen,
    hexagon,
    mix,
    rounded,
    shield,
    shield_pen,
    square,
    square_pen,
)
from .icons import ICONS
from .sprites import GOODS_FACES, RIMS, TILE_COLOURS


@cache
def printed_space(tile_type: str, die: int) -> np.ndarray:
    """Returns an empty space of a duchy: the colour of its tile type with a white die face."""
    pen = hex_pen()
    ground = mix(TILE_COLOURS[tile_type], "#e9dfc6", 0.3)
    pen.fill(hexagon(HEX_MM - 0.2), mix(RIMS[tile_type], "#3a2f22", 0.35))
    pen.fill(hexagon(HEX_MM - 1.4), ground)
    pen.fill(hexagon(HEX_MM - 5.0), mix(ground, "#ffffff", 0.12))
    pen.grain(6, die)
    pen.die_face(die, 0, 0, 10.5)
    return pen.sprite()


@cache
def printed_slot(tile_type: str) -> np.ndarray:
    """Returns an empty slot of a depot: the colour of its tile type, and a pale ring for the tile."""
    pen = hex_pen()
    ground = mix(TILE_COLOURS[tile_type], "#d9cfb4", 0.4)
    pen.fill(hexagon(HEX_MM), mix(RIMS[tile_type], "#3a2f22", 0.3))
    pen.fill(hexagon(HEX_MM - 1.6), ground)
    pen.grain(6, len(tile_type))
    pen.line(hexagon(HEX_MM - 9), mix(ground, "#ffffff", 0.45), 0.7)
    return pen.sprite()


@cache
def printed_storage() -> np.ndarray:
    """Returns an empty storage space: a dark hexagon with a key."""
    pen = hex_pen()
    pen.fill(hexagon(HEX_MM), "#2e2620")
    pen.fill(hexagon(HEX_MM - 1.6), "#4d4238")
    pen.grain(5, 1)
    pen.icon(ICONS["key"], 0, 0, 7.5)
    return pen.sprite()


@cache
def printed_black_slot() -> np.ndarray:
    """Returns an empty slot of the black depot."""
    pen = hex_pen()
    pen.fill(hexagon(HEX_MM), "#8d7a45")
    pen.fill(hexagon(HEX_MM - 1.4), "#23211f")
    pen.grain(4, 2)
    pen.line(hexagon(HEX_MM - 9), "#5b513a", 0.7)
    return pen.sprite()


def _framed_square(frame: str, ground: str, *, frame_mm: float = 0.7) -> Pen:
    """Returns a pen that has drawn a square for goods in these colours."""
    pen, inside_mm = square_pen(), GOODS_MM - 2 * frame_mm
    pen.fill(rounded(GOODS_MM, GOODS_MM, 1.6), frame)
    pen.fill(rounded(inside_mm, inside_mm, 1.2), ground)
    return pen


@cache
def printed_goods_square() -> np.ndarray:
    """Returns an empty square for goods."""
    pen = _framed_square("#6f5a3b", "#cdb98e")
    pen.grain(5, 3)
    pen.line(square(GOODS_MM - 8), "#b09a6c", 0.6)
    return pen.sprite()


_BONUS_ICONS: Mapping[str, str] = {
    "silver_2": "coin",
    "points_4": "star",
    "workers_4": "boarding_house",
    "take_building": "carpenter",
    "take_castle_mine_monastery": "church",
    "take_ship_or_livestock": "market",
    "sell_goods": "warehouse",
    "extra_action": "action",
    "place_tile": "town_hall",
    "take_any_hex": "hexagon",
}
"""Picture of each bonus of a trade route."""


@cache
def printed_route_square(number: str, bonus: str) -> np.ndarray:
    """Returns an empty square of a trade route: its number, in the colour of that kind of goods, and its bonus.

    Either may be empty where the print is unknown. Raises KeyError for an unknown *bonus*.
    """
    colour = GOODS_FACES[int(number)][0] if number else "#8f8577"
    pen = _framed_square(mix(colour, "#000000", 0.2), "#e6d9b8", frame_mm=1.3)
    pen.grain(4, len(bonus))
    if number:
        pen.die_face(int(number), -5.0, -5.0, 5.2)
    if bonus:
        pen.icon(ICONS[_BONUS_ICONS[bonus]], 2.0, 2.0, 5.4, outline_mm=0.3)
    return pen.sprite()


@cache
def printed_shield_spot() -> np.ndarray:
    """Returns an empty spot for a shield beside a depot's goods."""
    pen = shield_pen()
    pen.fill(shield(SHIELD_MM), "#6f5a3b")
    pen.fill(shield(SHIELD_MM - 1.4), "#cdb98e")
    pen.grain(5, 7)
    pen.line(shield(SHIELD_MM - 8), "#b09a6c", 0.6)
    return pen.sprite()


@cache
def border_post() -> np.ndarray:
    """Returns the flag of a border post at the edge of a duchy."""
    pen = Pen(12, 12)
    pen.icon(ICONS["flag"], 0, 0, 5.0)
    return pen.sprite()


@cache
def printed_round(number: int) -> np.ndarray:
    """Returns an empty square of the round track with its number."""
    pen = _framed_square("#5b2436", "#e4d6b0")
    pen.grain(5, number)
    pen.text(str(number), 0, 0, 8.0, "#5b2436")
    return pen.sprite()


@cache
def die_badge(value: int) -> np.ndarray:
    """Returns the die face that marks a depot."""
    pen = Pen(18, 18)
    pen.die_face(value, 0, 0, 13)
    return pen.sprite()
