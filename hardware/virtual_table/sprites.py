"""The print as sprites, drawn once and cached: tile faces, printed spaces and goods.

A sprite is a (h, w, 4) uint8 BGRA picture, straight (not premultiplied) alpha, read-only, with its origin at the centre
of the picture and ``SPRITE_SCALE`` pixels per mm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

import cv2
import numpy as np

from .icons import ICONS, INK, Point

SPRITE_SCALE = 4.0
"""Pixels per mm of a finished sprite: twice the resolution of the camera, so that resampling stays sharp."""
_DETAIL = 3
"""Supersampling factor for smooth edges."""
_SUBPIXEL = 4
"""Fractional bits of polygon corners (OpenCV's *shift*)."""

HEX_MM = 28.27
"""Distance between opposite sides of a printed space, and the pitch of the duchy (measured, see the facts)."""
TILE_MM = 27.3
"""Distance between opposite sides of a hex tile, which fits inside its space."""
GOODS_MM = 20.0
"""Side of a goods tile and of its printed square."""

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
}
"""Pictures on a monastery beside its number: a reminder of its effect, in our own pictures."""
_MOTIF_SPOTS: dict[int, tuple[tuple[float, float, float], ...]] = {
    2: ((-4.7, 3.2, 5.4), (5.6, 3.6, 4.2)),
    3: ((-6.4, 2.8, 4.3), (6.4, 2.8, 4.3), (0.0, 7.2, 4.0)),
    4: ((-7.6, 1.8, 3.4), (-2.6, 5.6, 3.4), (2.9, 5.6, 3.4), (7.8, 1.8, 3.4)),
}
"""Positions of a monastery's pictures, by their number: x, y, half width in mm."""
_GOODS_FACES: dict[int, tuple[str, str]] = {
    1: ("#7b4a2a", "barrel"),
    2: ("#e59fc0", "cloth"),
    3: ("#e8862e", "wheat"),
    4: ("#b7dba0", "grapes"),
    5: ("#2f8f9a", "fish"),
    6: ("#4b3f8f", "cheese"),
}
"""Ground colour and picture of each kind of goods."""
PIPS: dict[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Pips of each die face on a 3 x 3 grid."""


def bgr(colour: str) -> tuple[int, int, int]:
    """Returns blue, green and red of ``#rrggbb``."""
    return int(colour[5:7], 16), int(colour[3:5], 16), int(colour[1:3], 16)


def mix(colour: str, other: str, share: float) -> str:
    """Returns *colour* with *share* (0 to 1) of *other* in it."""
    blend = [round(a + (b - a) * share) for a, b in zip(bgr(colour), bgr(other), strict=True)]
    return f"#{blend[2]:02x}{blend[1]:02x}{blend[0]:02x}"


def hexagon(flat_mm: float) -> np.ndarray:
    """Returns the corners of a pointy-top hexagon about (0, 0): (6, 2) float64 mm, from the top, clockwise."""
    angles = np.radians(np.arange(6) * 60)
    corners: np.ndarray = np.stack([np.sin(angles), -np.cos(angles)], axis=1) * flat_mm / np.sqrt(3)
    return corners


def square(side_mm: float) -> np.ndarray:
    """Returns the corners of a square about (0, 0): (4, 2) float64 mm, from the top left, clockwise."""
    return np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float) * side_mm / 2


def rounded(width_mm: float, height_mm: float, radius_mm: float) -> np.ndarray:
    """Returns the outline of a rounded rectangle about (0, 0): (N, 2) float64 mm, clockwise."""
    quarter = np.radians(np.linspace(0, 90, 7))
    arc = np.stack([np.cos(quarter), np.sin(quarter)], axis=1) * radius_mm
    inner = np.array([width_mm / 2 - radius_mm, height_mm / 2 - radius_mm])
    turns = [np.array([[c, s], [-s, c]]) for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    corners = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) * inner
    return np.concatenate([arc @ turn + corner for turn, corner in zip(turns, corners, strict=True)])


class Pen:
    """Draws on a sprite in mm from its centre, x right and y down."""

    def __init__(self, width_mm: float, height_mm: float) -> None:
        self._scale = SPRITE_SCALE * _DETAIL
        self._size = (round(width_mm * SPRITE_SCALE), round(height_mm * SPRITE_SCALE))
        w, h = self._size[0] * _DETAIL, self._size[1] * _DETAIL
        self._ink = np.zeros((h, w, 3), np.uint8)
        self._cover = np.zeros((h, w), np.uint8)
        self._middle = np.array([(w - 1) / 2, (h - 1) / 2])

    def _px(self, points_mm: np.ndarray | Sequence[Point]) -> np.ndarray:
        px = np.asarray(points_mm, float) * self._scale + self._middle
        fixed_point: np.ndarray = np.round(px * (1 << _SUBPIXEL)).astype(np.int32)
        return fixed_point

    def fill(self, points_mm: np.ndarray | Sequence[Point], colour: str) -> None:
        """Fills a polygon."""
        px = [self._px(points_mm)]
        cv2.fillPoly(self._ink, px, bgr(colour), shift=_SUBPIXEL)
        cv2.fillPoly(self._cover, px, 255, shift=_SUBPIXEL)

    def line(self, points_mm: np.ndarray | Sequence[Point], colour: str, width_mm: float) -> None:
        """Draws the outline of a polygon."""
        px, width = [self._px(points_mm)], max(1, round(width_mm * self._scale))
        cv2.polylines(self._ink, px, True, bgr(colour), width, shift=_SUBPIXEL)
        cv2.polylines(self._cover, px, True, 255, width, shift=_SUBPIXEL)

    def disc(self, x: float, y: float, radius_mm: float, colour: str) -> None:
        """Fills a circle."""
        angles = np.radians(np.arange(0, 360, 12))
        self.fill(np.stack([x + radius_mm * np.cos(angles), y + radius_mm * np.sin(angles)], axis=1), colour)

    def icon(self, name: str, x: float, y: float, half_mm: float, outline_mm: float = 0.35) -> None:
        """Draws an icon of ``ICONS`` about (x, y), from -half_mm to half_mm."""
        for shape in ICONS[name]:
            points = np.array(shape.points) * half_mm + (x, y)
            self.fill(points, shape.colour)
            if shape.outlined:
                self.line(points, INK, outline_mm)

    def die_face(self, value: int, x: float, y: float, side_mm: float) -> None:
        """Draws a printed white die face."""
        outline = np.add(rounded(side_mm, side_mm, side_mm / 6), (x, y))
        self.fill(outline, "#fbfaf4")
        self.line(outline, "#6d6558", 0.3)
        for px, py in PIPS[value]:
            self.disc(x + px * side_mm * 0.27, y + py * side_mm * 0.27, side_mm * 0.1, "#1d1a17")

    def text(self, words: str, x: float, y: float, height_mm: float, colour: str) -> None:
        """Writes *words* centred on (x, y)."""
        font, thickness = cv2.FONT_HERSHEY_DUPLEX, max(1, round(height_mm * self._scale / 7))
        size = cv2.getFontScaleFromHeight(font, round(height_mm * self._scale), 1)
        (w, h), _ = cv2.getTextSize(words, font, size, thickness)
        ox, oy = self._middle + np.array([x, y]) * self._scale + (-w / 2, h / 2)
        for target, value in ((self._ink, bgr(colour)), (self._cover, 255)):
            cv2.putText(target, words, (round(ox), round(oy)), font, size, value, thickness, cv2.LINE_AA)

    def grain(self, strength: float, seed: int) -> None:
        """Adds the mottling of print on card to what has been drawn so far."""
        rng = np.random.default_rng(seed)
        h, w = self._cover.shape
        coarse = rng.normal(0, strength, (h // 24 + 2, w // 24 + 2)).astype(np.float32)
        field = cv2.resize(coarse, (w, h), interpolation=cv2.INTER_CUBIC)
        self._ink = np.clip(self._ink + field[..., None], 0, 255).astype(np.uint8)

    def sprite(self) -> np.ndarray:
        """Returns the finished picture."""
        cover = self._cover.astype(np.float32) / 255
        small = cv2.resize(cover, self._size, interpolation=cv2.INTER_AREA)
        ink = cv2.resize(self._ink * cover[..., None], self._size, interpolation=cv2.INTER_AREA)
        straight = ink / np.maximum(small, 1e-3)[..., None]
        picture = np.dstack([np.clip(straight, 0, 255), small * 255]).round().astype(np.uint8)
        picture.setflags(write=False)
        return picture


def _hex_pen() -> Pen:
    return Pen(HEX_MM + 4, HEX_MM * 2 / np.sqrt(3) + 4)


def _square_pen() -> Pen:
    return Pen(GOODS_MM + 4, GOODS_MM + 4)


@cache
def tile_face(label: str) -> np.ndarray:
    """Returns the face of a hex tile or goods tile, or the back of a tile.

    Raises KeyError for an unknown *label*.
    """
    kind, _, variant = label.partition("/")
    if kind == "goods":
        return _goods_face(int(variant))
    if label == BACK:
        return _tile_back()
    pen = _hex_pen()
    colour, rim = TILE_COLOURS[kind], _RIMS[kind]
    pen.fill(hexagon(TILE_MM), rim)
    pen.fill(hexagon(TILE_MM - 2.6), mix(colour, "#ffffff", 0.35))
    pen.fill(hexagon(TILE_MM - 3.4), colour)
    pen.grain(5, len(label))
    _FACES[kind](pen, variant)
    return pen.sprite()


def _castle(pen: Pen, _: str) -> None:
    pen.icon("castle", 0, -0.4, 9.6)


def _mine(pen: Pen, _: str) -> None:
    pen.icon("mine", 0, -0.4, 9.8)


def _ship(pen: Pen, _: str) -> None:
    pen.icon("ship", 0, -0.2, 9.6)


def _building(pen: Pen, variant: str) -> None:
    pen.icon(variant, 0, 0, 9.4)


def _herd(pen: Pen, variant: str) -> None:
    animal, _, count = variant.partition("_")
    for x, y, half in _HERDS[int(count)]:
        pen.icon(animal, x, y, half, outline_mm=0.3)


def _monastery(pen: Pen, variant: str) -> None:
    pen.text(variant, 0, -7.8, 7.4, INK)
    motif = _MOTIFS[int(variant)]
    for name, (x, y, half) in zip(motif, _MOTIF_SPOTS[len(motif)], strict=True):
        pen.icon(name, x, y, half, outline_mm=0.3)


_FACES: Mapping[str, Callable[[Pen, str], None]] = {
    "castle": _castle,
    "mine": _mine,
    "ship": _ship,
    "building": _building,
    "livestock": _herd,
    "monastery": _monastery,
}
"""What is drawn on the face of each tile type."""


def _goods_face(number: int) -> np.ndarray:
    pen = _square_pen()
    colour, icon = _GOODS_FACES[number]
    pen.fill(rounded(GOODS_MM, GOODS_MM, 1.6), mix(colour, "#000000", 0.45))
    pen.fill(rounded(GOODS_MM - 1.8, GOODS_MM - 1.8, 1.2), colour)
    pen.grain(4, number)
    pen.icon(icon, 1.6, 1.8, 6.4)
    pen.die_face(number, -5.6, -5.6, 6.4)
    return pen.sprite()


def _tile_back() -> np.ndarray:
    """Returns the back of a tile: black, as the real one; the rest of its print is unknown."""
    pen = _hex_pen()
    pen.fill(hexagon(TILE_MM), "#17161a")
    pen.fill(hexagon(TILE_MM - 2.6), "#5d5647")
    pen.fill(hexagon(TILE_MM - 3.4), "#2a282c")
    pen.grain(4, 6)
    pen.line(hexagon(TILE_MM - 9), "#75694e", 0.7)
    pen.icon("star", 0, 0, 6)
    return pen.sprite()


@cache
def printed_space(tile_type: str, die: int) -> np.ndarray:
    """Returns an empty space of a duchy: the colour of its tile type with a white die face."""
    pen = _hex_pen()
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
    pen = _hex_pen()
    ground = mix(TILE_COLOURS[tile_type], "#d9cfb4", 0.4)
    pen.fill(hexagon(HEX_MM), mix(_RIMS[tile_type], "#3a2f22", 0.3))
    pen.fill(hexagon(HEX_MM - 1.6), ground)
    pen.grain(6, len(tile_type))
    pen.line(hexagon(HEX_MM - 9), mix(ground, "#ffffff", 0.45), 0.7)
    return pen.sprite()


@cache
def printed_storage() -> np.ndarray:
    """Returns an empty storage space: a dark hexagon with a key."""
    pen = _hex_pen()
    pen.fill(hexagon(HEX_MM), "#2e2620")
    pen.fill(hexagon(HEX_MM - 1.6), "#4d4238")
    pen.grain(5, 1)
    pen.icon("key", 0, 0, 7.5)
    return pen.sprite()


@cache
def printed_black_slot() -> np.ndarray:
    """Returns an empty slot of the black depot."""
    pen = _hex_pen()
    pen.fill(hexagon(HEX_MM), "#8d7a45")
    pen.fill(hexagon(HEX_MM - 1.4), "#23211f")
    pen.grain(4, 2)
    pen.line(hexagon(HEX_MM - 9), "#5b513a", 0.7)
    return pen.sprite()


@cache
def printed_goods_square() -> np.ndarray:
    """Returns an empty square for goods."""
    pen = _square_pen()
    pen.fill(rounded(GOODS_MM, GOODS_MM, 1.6), "#6f5a3b")
    pen.fill(rounded(GOODS_MM - 1.4, GOODS_MM - 1.4, 1.2), "#cdb98e")
    pen.grain(5, 3)
    pen.line(square(GOODS_MM - 8), "#b09a6c", 0.6)
    return pen.sprite()


@cache
def printed_round(number: int) -> np.ndarray:
    """Returns an empty square of the round track with its number."""
    pen = _square_pen()
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


@cache
def paper_outline(shape: str) -> np.ndarray:
    """Returns the thin outline on an enrolment sheet for a tile or goods tile."""
    pen, outline = (_hex_pen(), hexagon(HEX_MM)) if shape == "hex" else (_square_pen(), square(GOODS_MM + 1))
    pen.line(outline, "#b9b6ac", 0.4)
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
    pen.icon("castle", 0, -6, 26)
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
    pen.icon("warehouse", 0, -24, 12)


def _forest(pen: Pen) -> None:
    _hill(pen, 6, 44, 42, 34, "#8b9a58")
    rng = np.random.default_rng(7)
    spots = rng.uniform((-40, -26), (40, 34), (46, 2))
    for x, y in sorted(spots.tolist(), key=lambda spot: spot[1]):
        if np.hypot(x / 44, (y - 6) / 36) < 1:
            _tree(pen, x, y, 6.2)
    pen.icon("church", 20, -28, 11)


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
