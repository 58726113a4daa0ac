"""The print and the tiles, as sprites: tile faces, printed spaces and goods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import numpy as np

from ...icons import INK
from ...sprites import (
    GOODS_MM,
    HEX_MM,
    SHIELD_MM,
    TILE_MM,
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

TILE_COLOURS = {
    "castle": "#8e2447",
    "mine": "#8f9296",
    "ship": "#2f7fc4",
    "livestock": "#8cc152",
    "building": "#dcc095",
    "monastery": "#f2cb30",
}
"""Colour of each tile type."""
_RIMS = {
    "castle": "#5a1029",
    "mine": "#55585c",
    "ship": "#164f86",
    "livestock": "#4f8424",
    "building": "#9a7443",
    "monastery": "#b98a0e",
}
"""Colour of the border of each tile type."""
_GROUNDS: Mapping[str, tuple[str, str]] = {
    **{kind: (colour, _RIMS[kind]) for kind, colour in TILE_COLOURS.items()},
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
_GOODS_FACES: dict[int, tuple[str, str]] = {
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
    colour, icon = _GOODS_FACES[number]
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


@cache
def printed_space(tile_type: str, die: int) -> np.ndarray:
    """Returns an empty space of a duchy: the colour of its tile type with a white die face."""
    pen = hex_pen()
    ground = mix(TILE_COLOURS[tile_type], "#e9dfc6", 0.3)
    pen.fill(hexagon(HEX_MM - 0.2), mix(_RIMS[tile_type], "#3a2f22", 0.35))
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
    pen.fill(hexagon(HEX_MM), mix(_RIMS[tile_type], "#3a2f22", 0.3))
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


@cache
def printed_goods_square() -> np.ndarray:
    """Returns an empty square for goods."""
    pen = square_pen()
    pen.fill(rounded(GOODS_MM, GOODS_MM, 1.6), "#6f5a3b")
    pen.fill(rounded(GOODS_MM - 1.4, GOODS_MM - 1.4, 1.2), "#cdb98e")
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

    Either may be empty where the print is unknown.
    """
    pen = square_pen()
    colour = _GOODS_FACES[int(number)][0] if number else "#8f8577"
    pen.fill(rounded(GOODS_MM, GOODS_MM, 1.6), mix(colour, "#000000", 0.2))
    pen.fill(rounded(GOODS_MM - 2.6, GOODS_MM - 2.6, 1.2), "#e6d9b8")
    pen.grain(4, len(bonus))
    if number:
        pen.die_face(int(number), -5.0, -5.0, 5.2)
    if bonus:
        pen.icon(ICONS[_BONUS_ICONS.get(bonus, "star")], 2.0, 2.0, 5.4, outline_mm=0.3)
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
    pen = square_pen()
    pen.fill(rounded(GOODS_MM, GOODS_MM, 1.6), "#5b2436")
    pen.fill(rounded(GOODS_MM - 1.4, GOODS_MM - 1.4, 1.2), "#e4d6b0")
    pen.grain(5, number)
    pen.text(str(number), 0, 0, 8.0, "#5b2436")
    return pen.sprite()


@cache
def die_badge(value: int) -> np.ndarray:
    """Returns the die face that marks a depot."""
    pen = Pen(18, 18)
    pen.die_face(value, 0, 0, 13)
    return pen.sprite()


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
