"""Sprites, pictures of print and pieces that are drawn once, and the pen that draws them.

A sprite is a (h, w, 4) uint8 BGRA picture, straight (not premultiplied) alpha, read-only, with its origin at the centre
of the picture and ``SPRITE_SCALE`` pixels per mm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from .icons import INK, Icon, Point

SPRITE_SCALE = 4.0
"""Pixels per mm of a finished sprite: twice the resolution of the camera, so that resampling stays sharp."""
_DETAIL = 3
"""Supersampling factor for smooth edges."""
_SUBPIXEL = 4
"""Fractional bits of polygon corners (OpenCV's *shift*)."""

HEX_MM = 28.27
"""Distance between opposite sides of a printed space, and the pitch of a board (measured on a real one)."""
TILE_MM = 27.3
"""Distance between opposite sides of a hex tile, which fits inside its space."""
GOODS_MM = 20.0
"""Side of a goods tile and of its printed square."""
SHIELD_MM = 22.0
"""Width of a shield-shaped token, which is a little higher."""

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


def shield(width_mm: float) -> np.ndarray:
    """Returns the outline of a heraldic shield about (0, 0): (N, 2) float64 mm, from the top left, clockwise."""
    down = np.linspace(0, np.pi / 2, 9)
    right = np.stack([np.cos(down), 0.1 + 1.05 * np.sin(down)], axis=1)
    left = right[-2::-1] * (-1, 1)
    outline: np.ndarray = np.concatenate([[(-1, -1.05), (1, -1.05)], right, left]) * width_mm / 2
    return outline


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

    def icon(self, icon: Icon, x: float, y: float, half_mm: float, outline_mm: float = 0.35) -> None:
        """Draws an icon about (x, y), from -half_mm to half_mm."""
        for shape in icon:
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


def hex_pen() -> Pen:
    """Returns a pen for a sprite with room for a hexagon."""
    return Pen(HEX_MM + 4, HEX_MM * 2 / np.sqrt(3) + 4)


def square_pen() -> Pen:
    """Returns a pen for a sprite with room for a goods tile."""
    return Pen(GOODS_MM + 4, GOODS_MM + 4)


def shield_pen() -> Pen:
    """Returns a pen for a sprite with room for a shield-shaped token."""
    return Pen(SHIELD_MM + 4, SHIELD_MM * 1.1 + 4)


@dataclass(frozen=True, slots=True, eq=False)
class PieceShape:
    """A shape of pieces and of the places on which they lie."""

    place_mm: float
    """Size of a place."""
    outline: np.ndarray
    """Outline of a piece about (0, 0): (N, 2) float64 mm, clockwise."""
    room: np.ndarray
    """Outline printed around a piece on an enrolment sheet, likewise."""
    corner_deg: int
    """Rotation from one usual position of a piece to the next."""
    pen: Callable[[], Pen]


SHAPES: Mapping[str, PieceShape] = {
    "hex": PieceShape(HEX_MM, hexagon(TILE_MM), hexagon(HEX_MM), 60, hex_pen),
    "square": PieceShape(GOODS_MM, square(GOODS_MM), square(GOODS_MM + 1), 90, square_pen),
    "shield": PieceShape(SHIELD_MM, shield(SHIELD_MM), shield(SHIELD_MM + 1), 180, shield_pen),
}
"""Shapes of pieces by the name that a table file gives to their places."""


@cache
def paper_outline(shape: str) -> np.ndarray:
    """Returns the thin outline on an enrolment sheet for a piece."""
    pen = SHAPES[shape].pen()
    pen.line(SHAPES[shape].room, "#b9b6ac", 0.4)
    return pen.sprite()
