"""Draws synthetic printings of the game: boards of any shape, and tiles.

No printing is a real one: their common features (the colour of each tile type, a die face in the middle of a space,
pictures of houses, animals and ships on tiles) are combined randomly. Lengths are in pitches, the distance of two
spaces. Colours are (3,) float BGR 0..255, pictures (H, W, 3) float32 BGR 0..255.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import cv2
import numpy as np

from calibration.games.burgundy.facts import TILE_TYPES

from ....geometry import HEX_UP
from ....training.colours import Generator, any_colour, hsv, near
from ....training.grounds import (
    CASTLES,
    EMBLEMS,
    GROUNDS,
    HERDS,
    HOUSES,
    SHIPS,
    SIGNS,
    Relief,
    any_relief,
    noise,
    painted_solid,
    pick,
)
from ....training.pips import PIP_LAYOUTS

Art = Callable[[Generator, np.ndarray, np.ndarray, float], None]

HUES: Mapping[str, tuple[tuple[float, float, float], ...]] = {
    "castle": ((345, 0.6, 0.45), (355, 0.7, 0.5), (330, 0.55, 0.4), (140, 0.6, 0.3), (150, 0.5, 0.35)),
    "mine": ((0, 0.03, 0.5), (210, 0.12, 0.55), (30, 0.08, 0.6), (220, 0.06, 0.7), (0, 0.0, 0.35)),
    "ship": ((212, 0.55, 0.65), (200, 0.5, 0.75), (222, 0.65, 0.6), (190, 0.55, 0.7)),
    "livestock": ((100, 0.45, 0.6), (85, 0.6, 0.7), (120, 0.4, 0.55), (95, 0.7, 0.75)),
    "building": ((32, 0.3, 0.8), (27, 0.4, 0.65), (40, 0.25, 0.75), (30, 0.15, 0.85), (22, 0.5, 0.55)),
    "monastery": ((48, 0.6, 0.9), (42, 0.75, 0.85), (54, 0.65, 0.95), (50, 0.45, 0.95)),
}
"""Usual hues (degrees), saturations and values of each tile type; castles are burgundy in some printings, dark green in
others, where livestock is the paler green."""
PICTURES: Mapping[str, tuple[Art, ...]] = {
    "castle": CASTLES,
    "mine": EMBLEMS,
    "ship": SHIPS,
    "livestock": HERDS,
    "building": HOUSES,
    "monastery": (*SIGNS, *HOUSES),
}
"""Pictures on tiles of each type in most printings."""
SPEAKING = 0.7
"""Share of the printings in which tiles show these pictures."""
PAINTED = 0.4
"""Share of the printings whose spaces are painted landscapes rather than plain colours."""
PRINT_PX = 64
"""px per pitch of the drawing."""
MARGIN = 1.75, 2.2
"""Width and height of a card, more than those of the centres of its spaces."""
TILE_PX = 80
"""px; side of the picture of a tile, a little more than its height of 1.155 pitches."""
REACH = 48
"""px from the centre of a space within which it is drawn."""
FINE = 4
"""Fractional bits of pixel coordinates."""


@dataclass(frozen=True, slots=True)
class SpaceStyle:
    """How a printing draws its spaces."""

    fills: Mapping[str, np.ndarray]
    line: np.ndarray | None
    """None: a darker tone of the fill."""
    line_width: float
    size: float
    """Of the hexagon, by the pitch: less than one leaves a gap."""
    frame: float
    """Width of a darker rim within the hexagon, 0 for none."""
    inner: float
    """Size of a paler hexagon within, 0 for none."""
    face_side: float
    """Of the die face; 0: pips lie on the colour itself."""
    paper: np.ndarray
    ink: np.ndarray
    pip_step: float
    """By the face's side, as the next."""
    pip_radius: float
    rounded: bool
    outlined: bool
    tilt: float
    """Radians by which faces are turned."""
    tone: float | None
    """Faces have the colour of their space, so many times as light; None: that of *paper*."""
    relief: Relief | None
    """How faces are painted as solid dice; None: they are flat."""
    faint: float
    """How much faces and pips blend into their space, 0..1."""
    symbol: float
    """How strongly a picture shows behind the face, 0..1."""
    cover: float
    """How much the fill covers the card's paper."""
    texture: float
    """Grey levels of mottling."""
    paint: float
    """Grey levels of painted blotches: grass, woods, soil."""
    blotch: float
    """Their size, by the pitch."""
    rim: float
    """How much darker the painting is at its edge than in its middle, 0..1."""


@dataclass(frozen=True, slots=True)
class TileStyle:
    """How a printing draws its tiles."""

    edges: Mapping[str, np.ndarray]
    grounds: Mapping[str, np.ndarray]
    edge_width: float
    inner: float
    """Size of a hexagon or disc in another tone that the picture stands on, 0 for none."""
    inner_tone: float
    """How pale it is: 0 as the ground, 1 white."""
    disc: bool
    bevel: float
    texture: float
    cell: float
    art_size: float
    busy: int
    """Pictures on one tile."""
    numbers: bool
    size: float
    """Width of a tile by the pitch."""
    thickness: float


@dataclass(frozen=True)
class Printing:
    """One printing of the game."""

    spaces: SpaceStyle
    tiles: TileStyle
    paper: Callable[[Generator, int], np.ndarray]
    arts: Mapping[str, Art]
    """The kind of picture that tiles of each colour mostly bear."""
    ink: np.ndarray | None
    """Of pictures that are drawn in lines; None: they are painted."""
    seed: int
    """Of its pictures: the same variant looks alike wherever it lies."""
    drawn: dict[tuple[str, str], np.ndarray] = field(default_factory=dict)
    """Tiles already drawn."""

    def artist(self, *what: str) -> Generator:
        return np.random.default_rng((self.seed, zlib.crc32("/".join(what).encode())))


def any_printing(rng: Generator) -> Printing:
    """Returns a random printing."""
    usual = {tile_type: hues[int(rng.integers(len(hues)))] for tile_type, hues in HUES.items()}
    if usual["castle"][0] < 180:  # a green castle needs a livestock that is no dark green
        usual["livestock"] = (90, 0.6, 0.75)
    speaking = rng.random() < SPEAKING
    return Printing(
        spaces=_space_style(rng, usual),
        tiles=_tile_style(rng, usual),
        paper=pick(rng, GROUNDS),
        arts={tile_type: pick(rng, PICTURES[tile_type] if speaking else EMBLEMS) for tile_type in TILE_TYPES},
        ink=any_colour(rng) * rng.uniform(0.1, 0.5) if rng.random() < 0.3 else None,
        seed=int(rng.integers(2**31)),
    )


def _palette(
    rng: Generator, usual: Mapping[str, tuple[float, float, float]], spread: float
) -> dict[str, np.ndarray]:
    """Returns a tone for each tile type; all are paler or more saturated together."""
    rich, light = np.exp(rng.normal(-0.05, 0.25)), np.exp(rng.normal(0, 0.12))
    return {
        tile_type: hsv(
            hue + rng.normal(0, 4 + 10 * spread),
            saturation * rich * np.exp(rng.normal(0, spread)),
            value * light * np.exp(rng.normal(0, spread)),
        )
        for tile_type, (hue, saturation, value) in usual.items()
    }


def _space_style(rng: Generator, usual: Mapping[str, tuple[float, float, float]]) -> SpaceStyle:
    light, dark = hsv(45, rng.uniform(0, 0.2), rng.uniform(0.8, 1)), hsv(rng.uniform(0, 360), 0.3, 0.15)
    paper, ink = (light, dark) if rng.random() < 0.88 else (dark, light)
    bare = rng.random() < 0.22
    return SpaceStyle(
        fills=_palette(rng, usual, 0.1),
        line=None if rng.random() < 0.6 else any_colour(rng) * rng.uniform(0.2, 1),
        line_width=rng.uniform(0.0, 0.07),
        size=rng.uniform(0.88, 1.0),
        frame=rng.uniform(0.03, 0.12) if rng.random() < 0.4 else 0.0,
        inner=rng.uniform(0.55, 0.9) if rng.random() < 0.3 else 0.0,
        face_side=0.0 if bare else rng.uniform(0.26, 0.48),
        paper=paper,
        ink=dark if bare and rng.random() < 0.7 else ink,
        pip_step=rng.uniform(0.24, 0.31),
        pip_radius=rng.uniform(0.07, 0.12),
        rounded=bool(rng.random() < 0.6),
        outlined=bool(rng.random() < 0.4),
        tilt=rng.normal(0, 0.25) if rng.random() < 0.25 else 0.0,
        tone=rng.uniform(0.8, 1.6) if rng.random() < 0.35 else None,
        relief=any_relief(rng) if rng.random() < 0.35 else None,
        faint=rng.uniform(0.1, 0.6) if rng.random() < 0.25 else 0.0,
        symbol=rng.uniform(0.1, 0.6) if rng.random() < 0.4 else 0.0,
        cover=rng.uniform(0.6, 1.0) if rng.random() < 0.5 else 1.0,
        texture=rng.exponential(6),
        paint=rng.uniform(4, 30) if (painted := rng.random() < PAINTED) else 0.0,
        blotch=rng.uniform(0.04, 0.25),
        rim=rng.uniform(0, 0.45) if painted else 0.0,
    )


def _tile_style(rng: Generator, usual: Mapping[str, tuple[float, float, float]]) -> TileStyle:
    edges = _palette(rng, usual, 0.15)
    kind, edge_width = rng.choice(["own", "other", "scenery"], p=[0.45, 0.33, 0.22]), rng.uniform(0.0, 0.14)
    if kind == "scenery":  # one landscape for all, so that only the rim shows the type
        meadow = near(rng, hsv(rng.uniform(25, 110), rng.uniform(0.1, 0.5), rng.uniform(0.4, 0.9)), 10)
        grounds, edge_width = dict.fromkeys(edges, meadow), edge_width + 0.05
    else:
        grounds = edges if kind == "own" else _palette(rng, usual, 0.2)
    return TileStyle(
        edges=edges,
        grounds=grounds,
        edge_width=edge_width,
        inner=rng.uniform(0.5, 0.85) if rng.random() < 0.45 else 0.0,
        inner_tone=rng.uniform(-0.2, 0.8),
        disc=bool(rng.random() < 0.3),
        bevel=rng.uniform(0.1, 0.6) if rng.random() < 0.5 else 0.0,
        texture=rng.exponential(12),
        cell=rng.uniform(1.5, 12),
        art_size=rng.uniform(0.35, 0.95),
        busy=int(rng.integers(1, 4)),
        numbers=bool(rng.random() < 0.7),
        size=rng.uniform(0.9, 1.0),
        thickness=rng.uniform(0.02, 0.09),
    )


# --- drawing -------------------------------------------------------------------------------------------------


def polygon(canvas: np.ndarray, points: np.ndarray, colour: np.ndarray | float) -> None:
    """Fills *points* (N, 2) px with subpixel accuracy but without antialiasing: the camera blurs anyway."""
    cv2.fillPoly(canvas, [np.round(points * 2**FINE).astype(np.int32)], np.asarray(colour).tolist(), 8, FINE)


def disc(canvas: np.ndarray, centre: np.ndarray, radius: float, colour: np.ndarray) -> None:
    at = np.round(np.asarray(centre) * 2**FINE).astype(int).tolist()
    cv2.circle(canvas, at, max(1, round(radius * 2**FINE)), np.asarray(colour).tolist(), -1, 8, FINE)


def hexagon(centre: np.ndarray, width: float, turn: float = 0.0) -> np.ndarray:
    """Returns (6, 2) corners of a hexagon *width* px wide that has a corner up, turned by radians."""
    angles = np.arange(6) * np.pi / 3 + np.pi / 6 + turn
    return centre + width * HEX_UP * np.stack([np.cos(angles), np.sin(angles)], 1)


def lettering(canvas: np.ndarray, text: str, at: np.ndarray, scale: float, colour: np.ndarray) -> None:
    """Writes *text* with its lower left at *at* px."""
    mask = np.zeros(canvas.shape[:2], np.uint8)
    cv2.putText(mask, text, np.asarray(at).astype(int).tolist(), 0, scale, 255, max(1, round(2 * scale)))
    canvas[mask > 127] = colour


def rough(rng: Generator, size: int, cell: float, strength: float) -> np.ndarray:
    """Returns (size, size, 3) mottling, mostly grey."""
    grey = noise(rng, size, cell, cell)[..., None]
    return grey * strength * rng.uniform(0.7, 1.3, 3)


def die_face(canvas: np.ndarray, centre: np.ndarray, die: int, style: SpaceStyle, width: float) -> None:
    """Draws a die face in *style* on a space *width* px wide."""
    side = (style.face_side or 0.42) * width
    axes = (
        np.array([[np.cos(style.tilt), np.sin(style.tilt)], [-np.sin(style.tilt), np.cos(style.tilt)]]) * side
    )
    if style.face_side:
        square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
        if style.rounded:
            square = np.array([(x * a, y * b) for x, y in square for a, b in ((1, 0.7), (0.7, 1))])
            square = cv2.convexHull(square.astype(np.float32))[:, 0]
        if style.relief is not None:
            axes = style.relief.lean @ axes
            painted_solid(canvas, centre + square @ axes, style.relief, side, style.paper)
        elif style.outlined:
            polygon(canvas, centre + square * 1.1 @ axes, style.ink)
        polygon(canvas, centre + square @ axes, style.paper)
    for across, down in np.array(PIP_LAYOUTS[die]) * style.pip_step:
        disc(canvas, centre + np.array([across, down]) @ axes, style.pip_radius * side, style.ink)


# --- boards  -------------------------------------------------------------------------------------------------


def card_size(spaces: np.ndarray) -> tuple[float, float]:
    """Returns width and height of the card with *spaces* (N, 2), whose origin is in its middle."""
    width, height = 2 * np.abs(spaces).max(axis=0) + MARGIN
    return float(width), float(height)


def board_picture(
    printing: Printing, spaces: np.ndarray, printed: Sequence[tuple[str, int]], rng: Generator
) -> np.ndarray:
    """Returns the card with *spaces* (N, 2) that show the *printed* tile types and dice."""
    width, height = (round(side * PRINT_PX) for side in card_size(spaces))
    canvas = printing.paper(rng, max(width, height))[:height, :width].copy()
    _decorate(rng, canvas)
    middle = np.array([width - 1, height - 1]) / 2
    for tile_type in TILE_TYPES:
        mark = _space_mark(printing, tile_type)
        for centre, (own, die) in zip(spaces * PRINT_PX + middle, printed, strict=True):
            if own == tile_type:
                _space(printing, canvas, mark, centre, tile_type, die, rng)
    return canvas + rng.normal(0, printing.spaces.texture / 2, canvas.shape).astype(np.float32)


def _decorate(rng: Generator, canvas: np.ndarray) -> None:
    """Trees, frames, corner rings and lettering around the spaces."""
    height, width = canvas.shape[:2]
    tone = any_colour(rng)
    for _ in range(rng.integers(0, 150) if rng.random() < 0.6 else 0):
        at = rng.uniform(0, 1, 2) * (width, height)
        disc(canvas, at, PRINT_PX * rng.uniform(0.03, 0.25), near(rng, tone, 30))
    for _ in range(rng.integers(0, 3)):
        inset = round(PRINT_PX * rng.uniform(0.03, 0.3))
        cv2.rectangle(
            canvas,
            (inset, inset),
            (width - inset, height - inset),
            any_colour(rng).tolist(),
            int(rng.integers(1, 6)),
        )
    for _ in range(rng.integers(0, 4)):
        corner = rng.uniform(0.02, 0.85, 2) * (width, height)
        text = "".join(chr(int(letter)) for letter in rng.integers(48, 91, rng.integers(1, 6)))
        lettering(canvas, text, corner, rng.uniform(0.5, 1.2), any_colour(rng))
    for x, y in ((0.07, 0.08), (0.93, 0.08), (0.93, 0.92), (0.07, 0.92)):
        if rng.random() < 0.3:
            disc(
                canvas, np.array([x * width, y * height]), PRINT_PX * rng.uniform(0.1, 0.35), any_colour(rng)
            )


def _space_mark(printing: Printing, tile_type: str) -> np.ndarray:
    """Returns (2 REACH, 2 REACH, 3): the picture behind the faces of a tile type, NaN around it."""
    mark = np.full((2 * REACH, 2 * REACH, 3), np.nan, np.float32)
    if printing.spaces.symbol:
        rng = printing.artist("space", tile_type)
        _stamp(rng, printing, mark, printing.arts[tile_type], np.full(2, REACH), 0.8 * PRINT_PX)
    return mark


def _space(
    printing: Printing,
    canvas: np.ndarray,
    mark: np.ndarray,
    centre: np.ndarray,
    tile_type: str,
    die: int,
    rng: Generator,
) -> None:
    style, fill = printing.spaces, printing.spaces.fills[tile_type]
    x, y = np.round(centre).astype(int) - REACH
    window = canvas[y : y + 2 * REACH, x : x + 2 * REACH]
    at, width = centre - (x, y), style.size * PRINT_PX
    before = window.copy() if style.cover < 1 else None
    polygon(window, hexagon(at, width), fill * 0.65 if style.frame else fill)
    if style.frame:
        polygon(window, hexagon(at, width * (1 - 2 * style.frame)), fill)
    if style.inner:
        polygon(window, hexagon(at, width * style.inner), fill * 0.6 + 255 * 0.4)
    if style.paint:
        _paint(rng, window, hexagon(at, width), style)
    if style.symbol:
        seen = (
            ~np.isnan(mark)
            & (np.hypot(*(np.indices(mark.shape[:2])[::-1] - at[:, None, None])) < width / 2)[..., None]
        )
        window[seen] += style.symbol * (mark - window)[seen]
    if before is not None:
        window += (1 - style.cover) * (before - window)
    line = fill * 0.55 if style.line is None else style.line
    if thick := round(style.line_width * PRINT_PX):
        outline = np.round(hexagon(at, width) * 2**FINE).astype(np.int32)
        cv2.polylines(window, [outline], True, line.tolist(), thick, cv2.LINE_8, FINE)
    paper = style.paper if style.tone is None else np.clip(fill * style.tone, 0, 255)
    paper, ink = (colour + style.faint * (fill - colour) for colour in (paper, style.ink))
    style = replace(style, paper=paper, ink=ink)
    die_face(window, at, die, style, PRINT_PX)


def _paint(rng: Generator, window: np.ndarray, outline: np.ndarray, style: SpaceStyle) -> None:
    """Paints a landscape within *outline* (6, 2) px: blotches of light and dark, darker towards its edge."""
    inside, size = np.zeros(window.shape[:2], np.uint8), max(window.shape[:2])
    polygon(inside, outline, 1)
    blotches = rough(rng, size, style.blotch * PRINT_PX, style.paint)[: len(window), : window.shape[1]]
    away = np.hypot(*(np.indices(inside.shape)[::-1] - outline.mean(axis=0)[:, None, None])) / (PRINT_PX / 2)
    painted = (window + blotches) * (1 - style.rim * away**2)[..., None].astype(np.float32)
    window[inside > 0] = painted[inside > 0]


# --- tiles ---------------------------------------------------------------------------------------------------


def tile_picture(printing: Printing, tile_type: str, variant: str) -> np.ndarray:
    """Returns the face of a tile, (TILE_PX, TILE_PX, 3), a corner up, 1 pitch of PRINT_PX wide, with its edge continued
    around it."""
    key = tile_type, variant
    if key not in printing.drawn:
        printing.drawn[key] = _drawn_tile(printing, tile_type, variant)
    return printing.drawn[key]


def _drawn_tile(printing: Printing, tile_type: str, variant: str) -> np.ndarray:
    style, rng = printing.tiles, printing.artist("tile", tile_type, variant)
    common = printing.artist("ground", tile_type)
    middle = np.full(2, (TILE_PX - 1) / 2)
    canvas = np.empty((TILE_PX, TILE_PX, 3), np.float32)
    canvas[:] = style.edges[tile_type]
    ground = style.grounds[tile_type]
    polygon(canvas, hexagon(middle, PRINT_PX * (1 - 2 * style.edge_width)), ground)
    canvas += rough(common, TILE_PX, style.cell, style.texture)
    canvas += rough(common, TILE_PX, TILE_PX / 3, style.texture)
    if style.inner:
        tone = ground + style.inner_tone * (255 - ground if style.inner_tone > 0 else ground)
        inner = PRINT_PX * style.inner
        if style.disc:
            disc(canvas, middle, inner / 2, tone)
        else:
            polygon(canvas, hexagon(middle, inner), tone)
    for _ in range(style.busy):
        art = printing.arts[tile_type] if rng.random() < 0.8 else pick(rng, EMBLEMS)
        at = middle + rng.normal(0, 0.12 * (style.busy > 1) * PRINT_PX, 2)
        _stamp(rng, printing, canvas, art, at, PRINT_PX * style.art_size / style.busy**0.5)
    if rng.random() < (0.35 if tile_type == "monastery" else 0.05):  # some effects are about dice
        at = middle + rng.uniform(-0.25, 0.25, 2) * PRINT_PX
        die_face(canvas, at, int(rng.integers(1, 7)), printing.spaces, PRINT_PX * rng.uniform(0.4, 0.8))
    if rng.random() < (0.25 if tile_type == "building" else 0.03):
        at, turn = middle + rng.normal(0, 0.04, 2) * PRINT_PX, rng.normal(0, 0.15)
        _stamp(rng, printing, canvas, partial(_facade, turn=turn), at, PRINT_PX * rng.uniform(0.45, 0.8))
    if style.numbers and tile_type == "monastery":
        _label(rng, canvas, variant)
    if rng.random() < 0.15:
        polygon(canvas, hexagon(np.add(middle, (0, 0.38 * PRINT_PX)), PRINT_PX * 0.15), np.full(3, 25))
    if style.bevel:
        _bevel(canvas, hexagon(middle, PRINT_PX * 0.97), style.bevel)
    return np.clip(canvas, 0, 255)


def _facade(rng: Generator, canvas: np.ndarray, centre: np.ndarray, width: float, *, turn: float) -> None:
    """Draws a wall with a roof whose windows are arranged like pips: a tile may resemble an empty space."""
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * width
    x, y = np.round(centre).astype(int)
    wall = any_colour(rng) if rng.random() < 0.5 else near(rng, canvas[y, x], 12)
    dark = any_colour(rng) * 0.4
    wide, high = rng.uniform(0.3, 0.5, 2)
    body = np.array([(-wide, -high), (wide, -high), (wide, high), (-wide, high)])
    polygon(canvas, centre + body @ axes, wall)
    eaves, ridge = wide * rng.uniform(1, 1.25), high + rng.uniform(0.1, 0.3)
    roofs = ([(0, -ridge)], [(-wide / 2, -ridge), (wide / 2, -ridge)])
    roof = np.array([(eaves, -high), *roofs[int(rng.integers(2))][::-1], (-eaves, -high)])
    polygon(canvas, centre + roof @ axes, dark)
    size, apart = rng.uniform(0.05, 0.1), rng.uniform(0.5, 0.65)
    for across, down in PIP_LAYOUTS[int(rng.integers(1, 7))]:
        at = centre + apart * np.array([across * wide, down * high]) @ axes
        if rng.random() < 0.3:
            disc(canvas, at, size * width, dark)
        else:
            polygon(canvas, at + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * size @ axes, dark)


def _stamp(
    rng: Generator, printing: Printing, canvas: np.ndarray, art: Art, at: np.ndarray, width: float
) -> None:
    """Draws a picture in its own colours, blended with the ground like a painting, or as lines."""
    before = canvas.copy()
    art(rng, canvas, at, width)
    if printing.ink is not None:
        drawn = np.nan_to_num(canvas, nan=128).astype(np.uint8)
        lines = cv2.Canny(drawn, 20, 60) > 0
        canvas[:] = before
        if rng.random() < 0.7:
            lines = cv2.dilate(lines.astype(np.uint8), np.ones((2, 2), np.uint8)) > 0
        canvas[lines] = printing.ink
    elif rng.random() < 0.6:
        canvas += rng.uniform(0, 0.6) * (before - canvas)


def _label(rng: Generator, canvas: np.ndarray, text: str) -> None:
    """Draws the number of a monastery, above or below the picture."""
    at = np.array([TILE_PX / 2, TILE_PX * rng.choice([0.22, 0.8])]) + rng.normal(0, 1, 2)
    if rng.random() < 0.5:
        disc(canvas, at, TILE_PX * 0.1, hsv(45, 0.1, 0.95))
    lettering(canvas, text, np.add(at, (-4 * len(text), 4)), rng.uniform(0.35, 0.5), any_colour(rng) * 0.3)


def _bevel(canvas: np.ndarray, outline: np.ndarray, strength: float) -> None:
    """Draws a rim lit from above."""
    shade = canvas.copy()
    for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        line = (240, 240, 240) if (start + end)[1] / 2 < TILE_PX / 2 else (30, 30, 30)
        cv2.line(shade, tuple(map(int, start)), tuple(map(int, end)), line, 4, cv2.LINE_AA)
    canvas += strength * (shade - canvas)
