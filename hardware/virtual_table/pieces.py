"""Things on the table, each drawn as a patch of the flat canvas: cards, tiles, dice and hands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import cv2
import numpy as np

from ..scene import SceneCard
from .art import Art
from .canvas import Frame, Patch, Sheet
from .layout import PlaceGroup, Point
from .optics import Lens, Light
from .sprites import HEX_MM, PIPS, SPRITE_SCALE, bgr, rounded, square

TILE_THICK_MM = 2.0
"""Punched card, as in the real game."""
CARD_THICK_MM = 0.4
DIE_MM = 16.0
"""Edge of a die (measured on the real one)."""
_DIE_ROUND_MM = 2.4
_PIP_MM = 1.45
"""Radius of a pip."""
_PIP_PITCH_MM = 4.1
_TILE_SIDE = "#6e6353"
"""Colour of the cut edge of a tile."""
_DICE_COLOURS: Mapping[str, tuple[str, str]] = {
    "white": ("#f4f1e8", "#1c1b1d"),
    "red": ("#c01f2b", "#f7f3ea"),
    "blue": ("#1f55b5", "#f4f4f0"),
    "green": ("#23823c", "#f4f4ea"),
    "black": ("#2b2b2f", "#efeeea"),
    "yellow": ("#efc32f", "#26211a"),
}
"""Body and pip colours of each colour of dice."""
_FLAT_MM = DIE_MM - 1.9
"""Side of the flat part of a face."""
_FLAT_CORNER_MM = 3.0
_GAMMA = 2.2
_REFLECTANCE = 0.04
"""Share of light that plastic mirrors at right angles (refractive index 1.5)."""
_BOUNCE = 0.15
"""Share of the light on the table that it reflects on what stands there."""
_POLISH = 100.0
"""Exponent of the reflection of a lamp in polished plastic."""
_EDGE_ARC = np.linspace(0, np.pi / 2, 9)
"""Angles between two faces at which the light on their rounded edge is computed."""
_SKIN, _SKIN_DARK = "#d9a283", "#c78d6f"


@dataclass(frozen=True, slots=True)
class Stage:
    """What drawing a piece needs: the canvas, the camera and the lamp."""

    frame: Frame
    lens: Lens
    light: Light


@dataclass(frozen=True, slots=True)
class Tile:
    """A hex tile, goods tile or token with its pose."""

    label: str
    centre_mm: Point
    turn_deg: float
    art: Art

    @property
    def outline_mm(self) -> np.ndarray:
        """Its outline on the table: (N, 2)."""
        outline: np.ndarray = self.art.shape(self.label).outline @ _turn(self.turn_deg).T + self.centre_mm
        return outline


@dataclass(frozen=True, slots=True)
class Card:
    """A card with spaces for tiles, with its pose."""

    face: SceneCard
    area: str
    """Name of its card area."""
    centre_mm: Point
    turn_deg: float
    art: Art

    @property
    def outline_mm(self) -> np.ndarray:
        """Its outline on the table: (N, 2)."""
        outline: np.ndarray = rounded(*self.art.card.size_mm, 3.0) @ _turn(self.turn_deg).T + self.centre_mm
        return outline

    @property
    def spaces(self) -> PlaceGroup:
        """Its spaces for tiles."""
        offsets = np.array(self.art.card.spaces(len(self.face.tile_types))) @ _turn(self.turn_deg).T
        centres = tuple((float(x), float(y)) for x, y in offsets + self.centre_mm)
        return PlaceGroup(f"card:{self.area}", "hex", HEX_MM, centres, self.face.tile_types, self.turn_deg)


@dataclass(frozen=True, slots=True)
class Die:
    """A die with its pose."""

    value: int
    colour: str
    centre_mm: Point
    turn_deg: float

    @property
    def top_mm(self) -> np.ndarray:
        """Returns the corners of the top face, without its height, (4, 2)."""
        outline: np.ndarray = square(DIE_MM) @ _turn(self.turn_deg).T + self.centre_mm
        return outline

    @property
    def sides(self) -> tuple[int, int, int, int]:
        """Returns the values of the side faces, clockwise from the die's own right; opposite faces sum to seven."""
        low = min(self.value, 7 - self.value)
        first, second = low % 3 + 1, (low + 1) % 3 + 1
        if self.value != low:
            first, second = second, first
        return first, second, 7 - first, 7 - second


def _turn(degrees: float) -> np.ndarray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s], [s, c]])


def _hull(*points: np.ndarray) -> np.ndarray:
    return cv2.convexHull(np.concatenate(points).astype(np.float32)).reshape(-1, 2)


def draw_tile(stage: Stage, tile: Tile) -> Patch:
    """Draws a tile: soft shadow, cut edge, face."""
    rim, height = tile.outline_mm, TILE_THICK_MM
    top = stage.lens.onto_table(rim, height)
    cast = stage.light.shadow_points(rim, height)
    sheet = Sheet.around(stage.frame, np.concatenate([rim, top, cast]), margin_mm=2.5)
    sheet.shade(stage.light.shadow, 0.7, _hull(rim, cast))
    sheet.fill(_TILE_SIDE, _hull(rim, top))
    middle = stage.lens.onto_table(np.array([tile.centre_mm]), height)[0]
    grow = 1 + height / (stage.lens.eye_mm[2] - height)
    sheet.paste(tile.art.face(tile.label), SPRITE_SCALE, tuple(middle), tile.turn_deg, grow)
    return sheet.patch()


def draw_card(stage: Stage, card: Card) -> Patch:
    """Draws a card, flat on the table."""
    rim = card.outline_mm
    cast = stage.light.shadow_points(rim, CARD_THICK_MM)
    sheet = Sheet.around(stage.frame, np.concatenate([rim, cast]), margin_mm=3)
    sheet.shade(stage.light.shadow, 0.7, _hull(rim, cast))
    sheet.paste(card.art.card.face(card.face), SPRITE_SCALE, card.centre_mm, card.turn_deg)
    return sheet.patch()


def draw_die(stage: Stage, die: Die) -> Patch:
    """Draws a die as a cube with rounded edges: the silhouette, then every visible edge, then the flat part of every
    visible face."""
    half, body = DIE_MM / 2, np.array([*die.centre_mm, DIE_MM / 2])
    turn = np.eye(3)
    turn[:2, :2] = _turn(die.turn_deg)
    colour, ink = (
        np.array(bgr(c), np.float32) for c in _DICE_COLOURS.get(die.colour, ("#888888", "#111111"))
    )

    def seen(points: np.ndarray) -> np.ndarray:
        """Canvas position (mm) of (N, 3) points given in the die's own axes."""
        world = points @ turn.T + body
        return stage.lens.onto_table(world[:, :2], world[:, 2])

    def is_visible(normal: np.ndarray, depth: float) -> bool:
        outward = turn @ normal
        return bool(outward @ (stage.lens.eye_mm - body - outward * depth) > 0)

    def lit(paint: np.ndarray, *normals: np.ndarray) -> np.ndarray:
        return _lit_plastic(stage, body, paint, np.array(normals) @ turn.T)

    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    inner = seen(corners * (half - _DIE_ROUND_MM))
    angles = np.radians(np.arange(0, 360, 30))
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1) * _DIE_ROUND_MM
    silhouette = _hull(*(corner + circle for corner in inner))
    world = corners * (half - 1.0) @ turn.T + body
    cast = stage.light.shadow_points(world[:, :2], world[:, 2])

    sheet = Sheet.around(stage.frame, np.concatenate([silhouette, cast]), margin_mm=6)
    sheet.shade(stage.light.shadow, 1.4, _hull(cast))
    sheet.shade(0.4, 1.2, _hull(world[:, :2]))
    sheet.fill(colour * 0.72 + 14, silhouette)
    faces = _faces(die)
    for (_, _, one), (_, _, other) in combinations(faces, 2):
        if one @ other == 0 and is_visible(one + other, half - _DIE_ROUND_MM / 2):
            arc = np.outer(np.cos(_EDGE_ARC), one) + np.outer(np.sin(_EDGE_ARC), other)
            sheet.fill(lit(colour, *arc), _hull(seen(_edge(one, other))))
    flat = rounded(_FLAT_MM, _FLAT_MM, _FLAT_CORNER_MM)
    dot = np.stack([np.cos(angles), np.sin(angles)], axis=1) * _PIP_MM
    for value, axes, normal in faces:
        if not is_visible(normal, half):
            continue
        sheet.fill(lit(colour, normal), seen(flat @ axes + normal * half))
        pips = np.array(PIPS[value], float)[:, None] * _PIP_PITCH_MM + dot
        sheet.fill(lit(ink, normal), *(seen(pip @ axes + normal * half) for pip in pips))
    return sheet.patch()


def _lit_plastic(stage: Stage, place_mm: np.ndarray, colour: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Returns (3,) BGR of plastic at *place_mm* with this *colour*, the mean over its (N, 3) unit *normals*.

    Plastic scatters light in its colour and mirrors some of the room and of the lamp in white, which is most of what
    distinguishes the faces of a black die. The reflectance is Schlick's ("An inexpensive BRDF model for
    physically-based rendering", 1994), the highlight of the lamp Blinn's with its energy kept.
    """
    to_lamp, to_eye = (
        away / np.linalg.norm(away)
        for away in (np.array(stage.light.lamp_mm) - place_mm, stage.lens.eye_mm - place_mm)
    )
    halfway = (to_lamp + to_eye) / np.linalg.norm(to_lamp + to_eye)
    ambient, direct = 1 - stage.light.falloff, stage.light.falloff / to_lamp[2]
    lamp = direct * np.clip(normals @ to_lamp, 0, 1)
    above = (1 + normals[:, 2]) / 2
    scattered = (colour / 255) ** _GAMMA * (ambient * (above + _BOUNCE * (1 - above)) + lamp)[:, None]
    facing = np.clip(normals @ to_eye, 0, 1)
    sees_room = 2 * facing * normals[:, 2] > to_eye[2]
    highlight = (_POLISH + 8) / 8 * np.clip(normals @ halfway, 0, 1) ** _POLISH
    reflectance = _REFLECTANCE + (1 - _REFLECTANCE) * (1 - facing) ** 5
    mirrored = reflectance * (ambient * sees_room + lamp * highlight)
    light = (scattered + mirrored[:, None]).mean(axis=0)
    lit: np.ndarray = 255 * np.clip(light, 0, 1) ** (1 / _GAMMA)
    return lit.astype(np.float32)


def _edge(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Returns (4, 3) mm in the axes of the die: the rounded edge between the faces with these normals."""
    along = np.cross(one, other) * (_FLAT_MM / 2 - _FLAT_CORNER_MM / 2)
    rims = (one * DIE_MM + other * _FLAT_MM) / 2, (one * _FLAT_MM + other * DIE_MM) / 2
    return np.array([rim + end for rim in rims for end in (along, -along)])


def _faces(die: Die) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """Returns value, axes (2, 3) and outward normal (3,) of the four sides, then of the top, in the axes of the die."""
    faces = []
    for quarter, value in enumerate(die.sides):
        outward, along = np.pad(_turn(90 * quarter).T, ((0, 0), (0, 1)))
        faces.append((value, np.array([along, (0, 0, 1)]), outward))
    return [*faces, (die.value, np.eye(3)[:2], np.eye(3)[2])]


@dataclass(frozen=True, slots=True)
class Hand:
    """A right forearm with a pointing hand."""

    tip_mm: Point
    """Position of the tip of the forefinger."""
    turn_deg: float
    """0: the arm comes from the bottom of the picture."""
    sleeve: str
    """``#rrggbb``."""


_HAND: tuple[tuple[str, float, tuple[float, ...], tuple[float, ...]], ...] = (
    ("skin", 34, (26, 330, 30), (18, 150, 22)),
    ("skin", 46, (18, 140, 24), (12, 88, 33)),
    ("dark", 26, (-12, 112, 13), (-24, 52, 9)),
    ("skin", 30, (36, 92, 11), (32, 48, 9)),
    ("skin", 34, (25, 84, 11.5), (22, 36, 9.5)),
    ("skin", 36, (12, 80, 12), (10, 28, 10)),
    ("skin", 24, (1, 80, 12), (0, 8, 8.5)),
    ("sleeve", 60, (52, 560, 52), (24, 200, 38)),
)
"""Strokes of the hand, bottom first: colour, height in mm, and (x, y, radius) in mm of both ends, from the fingertip,
with the arm along +y."""


def _stroke(a: tuple[float, ...], b: tuple[float, ...]) -> np.ndarray:
    angles = np.radians(np.arange(0, 360, 15))
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return _hull(*(np.array([x, y]) + radius * circle for x, y, radius in (a, b)))


def draw_hand(stage: Stage, hand: Hand) -> Patch:
    """Draws a hand over the table with its shadow."""
    colours = {"skin": _SKIN, "dark": _SKIN_DARK, "sleeve": hand.sleeve}
    strokes = []
    for name, height, a, b in _HAND:
        outline = _stroke(a, b) @ _turn(hand.turn_deg).T + hand.tip_mm
        strokes.append(
            (
                colours[name],
                min(a[2], b[2]),
                stage.lens.onto_table(outline, height),
                stage.light.shadow_points(outline, height * 0.6),
            )
        )
    everything = np.concatenate([points for *_, seen, cast in strokes for points in (seen, cast)])
    left, top = stage.frame.origin_mm
    far = np.array(stage.frame.size) / stage.frame.scale + stage.frame.origin_mm
    sheet = Sheet.around(stage.frame, np.clip(everything, (left, top), far), margin_mm=12)
    sheet.shade(stage.light.shadow, 4.0, *(cast for *_, cast in strokes))
    for colour, radius, seen, _ in strokes:
        sheet.shade(0.3, 1.5, seen)
        sheet.model(colour, radius * 0.45, seen)
    return sheet.patch()


Piece: TypeAlias = Card | Tile | Die | Hand


def draw(stage: Stage, piece: Piece) -> Patch:
    """Returns a piece as a patch of the flat canvas."""
    match piece:
        case Card():
            return draw_card(stage, piece)
        case Tile():
            return draw_tile(stage, piece)
        case Die():
            return draw_die(stage, piece)
        case Hand():
            return draw_hand(stage, piece)
