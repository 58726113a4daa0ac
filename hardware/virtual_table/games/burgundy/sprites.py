"""The faces of tiles, goods and shields, as sprites."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import numpy as np

from ...icons import INK
from ...sprites import (
    GOODS_MM,
    SHIELD_MM,
    TILE_MM,
    Pen,
    hex_pen,
    hexagon,
    mix,
    rounded,
    shield,
    shield_pen,
    square_pen,
)
from .icons import ICONS

TILE_COLOURS = {
    "castle": "#8e2447",
    "mine": "#8f9296",
    "ship": "#2f7fc4",
    "livestock": "#8cc152",
    "building": "#dcc095",
    "monastery": "#f2cb30",
}
"""Colour of each tile type."""
RIMS = {
    "castle": "#5a1029",
    "mine": "#55585c",
    "ship": "#164f86",
    "livestock": "#4f8424",
    "building": "#9a7443",
    "monastery": "#b98a0e",
}
"""Colour of the border of each tile type."""
_GROUNDS: Mapping[str, tuple[str, str]] = {
    **{kind: (colour, RIMS[kind]) for kind, colour in TILE_COLOURS.items()},
    "inn": ("#b06a3c", "#6b3a1c"),
}
"""Colour and border of each kind of hex tile; an inn has no type."""
BUILDINGS = (
    "market",
    "carpenter",
    "church",
    "warehouse",
    "boarding_house",
    "bank",
    "town_hall",
    "watchtower",
)
ANIMALS = ("cow", "pig", "sheep", "chicken")
HERD_SIZES = (2, 3, 4)
MONASTERIES = range(1, 27)
GOODS = range(1, 7)
SHIELDS = range(1, 19)

TILE_LABELS: tuple[str, ...] = (
    "castle",
    "mine",
    "ship",
    *(f"building/{name}" for name in BUILDINGS),
    *(f"livestock/{animal}_{count}" for animal in ANIMALS for count in HERD_SIZES),
    *(f"monastery/{number}" for number in MONASTERIES),
)
"""Labels of all hex tile faces."""
GOODS_LABELS: tuple[str, ...] = tuple(f"goods/{number}" for number in GOODS)
"""Labels of all goods faces."""
BACK = "face_down"
"""Label of the back of a tile of the black depot."""

EXTRA_TILES: tuple[str, ...] = ("building/crane", "livestock/geese_2", "monastery/27", "monastery/28")
WHITE_CASTLES: tuple[str, ...] = ("building/white_castle", "monastery/29")
INN = "inn"
SHIELD_LABELS: tuple[str, ...] = tuple(f"shield/{number}" for number in SHIELDS)
SHIELDED_CASTLES: tuple[str, ...] = tuple(f"castle/shield_{number}" for number in SHIELDS)
"""Labels of castles on which a shield lies."""

_HERDS: dict[int, tuple[tuple[float, float, float], ...]] = {
    2: ((-4.4, -4.3, 6.0), (4.2, 4.6, 6.0)),
    3: ((0.2, -7.0, 5.2), (-5.4, 3.4, 5.2), (5.6, 4.4, 5.2)),
    4: ((0.0, -8.4, 4.7), (-6.6, -0.6, 4.7), (6.6, -0.4, 4.7), (0.2, 7.8, 4.7)),
}
"""Positions of the animals of a herd: x, y, half width in mm from the centre of the tile."""
_MOTIFS: dict[int, tuple[str, ...]] = {
    1: ("market", "market"),
    2: ("mine", "worker"),
    3: ("goods", "coin", "coin"),
    4: ("goods", "worker"),
    5: ("ship", "goods", "goods"),
    6: ("worker", "worker", "hexagon"),
    7: ("cow", "star"),
    8: ("worker", "plus_minus"),
    9: ("church", "plus_minus"),
    10: ("ship", "pig", "plus_minus"),
    11: ("castle", "mine", "plus_minus"),
    12: ("hexagon", "plus_minus"),
    13: ("worker", "worker", "coin"),
    14: ("worker", "worker", "worker", "worker"),
    15: ("cloth", "star", "barrel"),
    16: ("warehouse", "star"),
    17: ("watchtower", "star"),
    18: ("carpenter", "star"),
    19: ("church", "star"),
    20: ("market", "star"),
    21: ("boarding_house", "star"),
    22: ("bank", "star"),
    23: ("town_hall", "star"),
    24: ("cow", "pig", "sheep", "chicken"),
    25: ("goods", "star"),
    26: ("shield", "star"),
    27: ("ship", "plus_minus"),
    28: ("coin", "worker", "worker"),
    29: ("white_castle", "star"),
}
"""Pictures on a monastery beside its number: a reminder of its effect, in our own pictures."""
_MOTIF_SPOTS: dict[int, tuple[tuple[float, float, float], ...]] = {
    2: ((-4.7, 3.2, 5.4), (5.6, 3.6, 4.2)),
    3: ((-6.4, 2.8, 4.3), (6.4, 2.8, 4.3), (0.0, 7.2, 4.0)),
    4: ((-7.6, 1.8, 3.4), (-2.6, 5.6, 3.4), (2.9, 5.6, 3.4), (7.8, 1.8, 3.4)),
}
"""Positions of a monastery's pictures, by their number: x, y, half width in mm."""
_SHIELD_POINTS = ((6, 12), (12, 8), (18, 4))
"""Last shield of each row, and the points of its shields."""
_SHIELD_ICONS: dict[int, tuple[str, ...]] = {
    1: ("cow", "pig"),
    2: ("worker", "star"),
    3: ("worker", "coin"),
    4: ("key", "key"),
    5: ("ship", "goods"),
    6: ("church", "worker"),
    7: ("star", "star"),
    8: ("mine", "coin"),
    9: ("goods", "coin"),
    10: ("church", "star"),
    11: ("castle", "shield"),
    12: ("goods", "star"),
    13: ("shield", "shield"),
    14: ("hexagon", "castle"),
    15: ("hexagon", "mine"),
    16: ("die",),
    17: ("hexagon", "plus_minus"),
    18: ("hexagon", "hexagon"),
}
"""Pictures on a shield: a reminder of its effect, in our own pictures."""
_SHIELD_SPOTS: dict[int, tuple[tuple[float, float], ...]] = {1: ((0.0, 4.2),), 2: ((-4.1, 3.8), (4.1, 3.8))}
"""Positions of a shield's pictures, by their number: x and half width in mm."""
GOODS_FACES: dict[int, tuple[str, str]] = {
    1: ("#7b4a2a", "barrel"),
    2: ("#e59fc0", "cloth"),
    3: ("#e8862e", "wheat"),
    4: ("#b7dba0", "grapes"),
    5: ("#2f8f9a", "fish"),
    6: ("#4b3f8f", "cheese"),
}
"""Ground colour and picture of each kind of goods."""


@cache
def tile_face(label: str) -> np.ndarray:
    """Returns the face of a hex tile, goods tile or shield, or the back of a tile.

    Raises KeyError for an unknown *label*.
    """
    kind, _, variant = label.partition("/")
    if kind == "goods":
        return _goods_face(int(variant))
    if label == BACK:
        return _tile_back()
    if kind == "shield":
        return _shield_face(int(variant))
    pen = hex_pen()
    colour, rim = _GROUNDS[kind]
    pen.fill(hexagon(TILE_MM), rim)
    pen.fill(hexagon(TILE_MM - 2.6), mix(colour, "#ffffff", 0.35))
    pen.fill(hexagon(TILE_MM - 3.4), colour)
    pen.grain(5, len(label))
    _FACES[kind](pen, variant)
    return pen.sprite()


def _castle(pen: Pen, variant: str) -> None:
    pen.icon(ICONS["castle"], 0, -0.4, 9.6)
    if variant:
        _shield(pen, int(variant.removeprefix("shield_")))


def _mine(pen: Pen, _: str) -> None:
    pen.icon(ICONS["mine"], 0, -0.4, 9.8)


def _ship(pen: Pen, _: str) -> None:
    pen.icon(ICONS["ship"], 0, -0.2, 9.6)


def _inn(pen: Pen, _: str) -> None:
    pen.icon(ICONS["inn"], 0, 0, 9.4)


def _building(pen: Pen, variant: str) -> None:
    pen.icon(ICONS[variant], 0, 0, 9.4)


def _herd(pen: Pen, variant: str) -> None:
    animal, _, count = variant.partition("_")
    for x, y, half in _HERDS[int(count)]:
        pen.icon(ICONS[animal], x, y, half, outline_mm=0.3)


def _monastery(pen: Pen, variant: str) -> None:
    pen.text(variant, 0, -7.8, 7.4, INK)
    motif = _MOTIFS[int(variant)]
    for name, (x, y, half) in zip(motif, _MOTIF_SPOTS[len(motif)], strict=True):
        pen.icon(ICONS[name], x, y, half, outline_mm=0.3)


_FACES: Mapping[str, Callable[[Pen, str], None]] = {
    "castle": _castle,
    "mine": _mine,
    "ship": _ship,
    "building": _building,
    "livestock": _herd,
    "monastery": _monastery,
    "inn": _inn,
}
"""What is drawn on the face of each tile type."""


def _goods_face(number: int) -> np.ndarray:
    pen = square_pen()
    colour, icon = GOODS_FACES[number]
    pen.fill(rounded(GOODS_MM, GOODS_MM, 1.6), mix(colour, "#000000", 0.45))
    pen.fill(rounded(GOODS_MM - 1.8, GOODS_MM - 1.8, 1.2), colour)
    pen.grain(4, number)
    pen.icon(ICONS[icon], 1.6, 1.8, 6.4)
    pen.die_face(number, -5.6, -5.6, 6.4)
    return pen.sprite()


def _shield_face(number: int) -> np.ndarray:
    pen = shield_pen()
    _shield(pen, number)
    return pen.sprite()


def _shield(pen: Pen, number: int) -> None:
    """Draws a shield: its points above, a reminder of its effect, its number below."""
    pen.fill(shield(SHIELD_MM), "#5c4416")
    pen.fill(shield(SHIELD_MM - 2.2), "#c9a24c")
    pen.grain(4, number)
    pen.fill(np.add(rounded(7.6, 5.6, 1.2), (0, -7.8)), "#7d1522")
    pen.text(str(_shield_points(number)), 0, -7.8, 4.0, "#f7ecd0")
    icons = _SHIELD_ICONS[number]
    for name, (x, half) in zip(icons, _SHIELD_SPOTS[len(icons)], strict=True):
        pen.icon(ICONS[name], x, -0.2, half, outline_mm=0.3)
    pen.fill(np.add(rounded(7.4, 6.0, 1.5), (0, 7.3)), "#3d2a12")
    pen.text(str(number), 0, 7.3, 4.2, "#f7ecd0")


def _shield_points(number: int) -> int:
    return next(points for last, points in _SHIELD_POINTS if number <= last)


def _tile_back() -> np.ndarray:
    """Returns the back of a tile: black, as the real one; the rest of its print is unknown."""
    pen = hex_pen()
    pen.fill(hexagon(TILE_MM), "#17161a")
    pen.fill(hexagon(TILE_MM - 2.6), "#5d5647")
    pen.fill(hexagon(TILE_MM - 3.4), "#2a282c")
    pen.grain(4, 6)
    pen.line(hexagon(TILE_MM - 9), "#75694e", 0.7)
    pen.icon(ICONS["star"], 0, 0, 6)
    return pen.sprite()
