"""Draws flat things on a table: its surface, and round or square things that are not dice.

Every kind is one function in a table; a scene picks among them. Pictures are (S, S, 3) float32 BGR 0..255.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np

from .colours import Generator, any_colour, ground_colour, hsv, near, paper_colour
from .pips import PIP_LAYOUTS

T = TypeVar("T")


def pick(rng: Generator, table: tuple[T, ...]) -> T:
    """Returns a random entry of *table*."""
    return table[int(rng.integers(len(table)))]


# --- grounds -------------------------------------------------------------------------------------------------


def noise(rng: Generator, size: int, cell_x: float, cell_y: float) -> np.ndarray:
    """Returns (size, size) float32 smooth noise of unit spread with features of about *cell* px."""
    shape = max(2, int(size / cell_y)), max(2, int(size / cell_x))
    return cv2.resize(rng.normal(0, 1, shape).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)


def _plain(rng: Generator, size: int) -> np.ndarray:
    canvas = np.empty((size, size, 3), np.float32)
    canvas[:] = ground_colour(rng)
    return canvas + (noise(rng, size, size / 2, size / 2) * rng.uniform(0, 20))[..., None]


def _grain(rng: Generator, size: int) -> np.ndarray:
    """Wood or cloth: noise drawn out along one direction, with seams."""
    canvas = _plain(rng, size)
    for _ in range(3):
        cell = np.exp(rng.uniform(np.log(2), np.log(40)))
        canvas += (noise(rng, size, cell * rng.uniform(1, 20), cell) * rng.uniform(0, 18))[..., None]
    for y in rng.integers(0, size, rng.integers(0, 4)):
        canvas[y : y + int(rng.integers(1, 6))] *= rng.uniform(0.3, 0.9)
    return np.ascontiguousarray(np.rot90(canvas)) if rng.random() < 0.5 else canvas


def _speckle(rng: Generator, size: int) -> np.ndarray:
    """Carpet or felt: coloured noise at several scales."""
    canvas = _plain(rng, size)
    for cell in (2, 4, 8, 20):
        strength = rng.exponential(10)
        canvas += np.dstack([noise(rng, size, cell, cell)] * 3) * strength * rng.uniform(0.7, 1.3, 3)
    return canvas


def _weave(rng: Generator, size: int) -> np.ndarray:
    canvas = _plain(rng, size)
    along = np.arange(size, dtype=np.float32)
    period = rng.uniform(4, 24)
    canvas += (np.sin(along * 2 * np.pi / period)[None] * rng.uniform(2, 25))[..., None]
    canvas += (np.sin(along * 2 * np.pi / period)[:, None] * rng.uniform(2, 25))[..., None]
    return canvas + (noise(rng, size, 3, 3) * rng.uniform(0, 12))[..., None]


def _patches(rng: Generator, size: int) -> np.ndarray:
    """Large flat shapes over each other: papers, boxes, cards, checked cloth."""
    canvas = _plain(rng, size)
    for _ in range(rng.integers(2, 14)):
        box = cv2.boxPoints(
            (rng.uniform(0, size, 2).tolist(), rng.uniform(size / 12, size, 2).tolist(), rng.uniform(0, 180))
        )
        cv2.fillPoly(canvas, [box.astype(np.int32)], any_colour(rng).tolist())
    return canvas


def _check(rng: Generator, size: int) -> np.ndarray:
    """Checked cloth, gratings and tiled floors: bars that cross, pale or glaring, on anything."""
    canvas = _plain(rng, size)
    along = np.arange(size, dtype=np.float32)
    period = size * np.exp(rng.uniform(np.log(0.012), np.log(0.2)))
    share, colour, cover = rng.uniform(0.1, 0.6), any_colour(rng), rng.uniform(0.3, 1)
    bars = ((along / period) % 1 < share).astype(np.float32)
    across = bars * (rng.random() < 0.8)
    both = np.maximum if rng.random() < 0.5 else lambda a, b: (a + b) / 2
    covered = cover * both(bars[None], across[:, None])[..., None]
    canvas = canvas * (1 - covered) + colour * covered
    turn = cv2.getRotationMatrix2D((size / 2, size / 2), rng.uniform(0, 90), 1.5)
    return cv2.warpAffine(canvas, turn, (size, size), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)


GROUNDS = (_plain, _plain, _plain, _grain, _grain, _grain, _speckle, _weave, _check, _patches)


# --- clutter -------------------------------------------------------------------------------------------------


def _polygon(
    canvas: np.ndarray, points: np.ndarray, colour: np.ndarray, edge: np.ndarray | None = None
) -> None:
    points = np.round(points).astype(np.int32)
    cv2.fillPoly(canvas, [points], np.asarray(colour).tolist())
    if edge is not None:
        cv2.polylines(canvas, [points], True, edge.tolist(), 2)


def _disc(canvas: np.ndarray, centre: np.ndarray, radius: float, colour: np.ndarray) -> None:
    at = np.round(centre).astype(int).tolist()
    cv2.circle(canvas, at, max(1, round(float(radius))), np.asarray(colour).tolist(), -1)


def _regular(centre: np.ndarray, radius: float, angle: float, corners: int) -> np.ndarray:
    turn = angle + np.arange(corners) * 2 * np.pi / corners
    return centre + radius * np.stack([np.cos(turn), np.sin(turn)], 1)


@dataclass(frozen=True, slots=True)
class Relief:
    """How a printed die face is painted as a solid die; lengths in units of the face's side."""

    lean: np.ndarray
    """(2, 2): the face as it is seen at an angle."""
    drop: np.ndarray
    """(2,) right and down to its lower edges ..."""
    shade: float
    """... between which its sides are so many times as light."""
    shadow: float
    """Length of its shadow by that of the drop."""
    light: float
    """How pale its lit edges are, 0..1."""


def any_relief(rng: Generator) -> Relief:
    oblique = rng.random() < 0.3
    turn = rng.uniform(0, 2 * np.pi)
    return Relief(
        lean=np.eye(2) + rng.normal(0, 0.2 if oblique else 0.03, (2, 2)),
        drop=rng.uniform(0.2, 0.6) * np.array([np.cos(turn), np.sin(turn)])
        if oblique
        else rng.uniform(0.02, 0.14) * np.array([np.cos(turn), np.sin(turn)]),
        shade=rng.uniform(0.3, 0.8),
        shadow=rng.uniform(1, 2.5),
        light=rng.uniform(0, 0.7),
    )


@dataclass(frozen=True, slots=True)
class FaceStyle:
    """How a board prints its die faces; lengths in units of the face's side."""

    paper: np.ndarray | None
    """None: a tone of what lies around the face ..."""
    tone: float
    """... so many times as light."""
    ink: np.ndarray
    spacing: float
    radius: float
    rounded: bool
    relief: Relief | None
    hollow: float = 0.0
    """How strongly pips are painted as hollows, with light on one side of each, 0..1."""


def _face_style(rng: Generator) -> FaceStyle:
    """Dark pips on light paper, now and then the other way round, or a face in the colour of its space."""
    paper, ink = hsv(45, rng.uniform(0, 0.25), rng.uniform(0.75, 1)), any_colour(rng) * 0.25
    if rng.random() < 0.2:
        paper, ink = ink, paper
    return FaceStyle(
        paper=None if rng.random() < 0.6 else paper,
        tone=rng.uniform(0.8, 1.6),
        ink=ink if rng.random() < 0.7 else hsv(45, 0.1, 0.95),
        spacing=rng.uniform(0.24, 0.3),
        radius=rng.uniform(0.06, 0.12),
        rounded=rng.random() < 0.6,
        relief=any_relief(rng) if rng.random() < 0.6 else None,
        hollow=rng.uniform(0.3, 1) if rng.random() < 0.5 else 0.0,
    )


def painted_solid(
    canvas: np.ndarray, corners: np.ndarray, relief: Relief, side: float, paper: np.ndarray
) -> None:
    """Draws shadow, sides and lit edges of the face with *corners* (N, 2) px, *side* px wide, as *relief* has them."""
    drop = relief.drop * side
    ground = canvas[tuple(np.clip(corners.mean(0)[::-1].astype(int), 0, np.array(canvas.shape[:2]) - 1))]
    for reach, colour in ((relief.shadow, ground * 0.55), (1.0, paper * relief.shade)):
        both = np.concatenate([corners, corners + reach * drop]).astype(np.float32)
        _polygon(canvas, cv2.convexHull(both)[:, 0], colour)
    lit = corners - 0.04 * side * drop / np.hypot(*drop)
    _polygon(canvas, lit, paper + relief.light * (255 - paper))


def _printed_face(
    canvas: np.ndarray, centre: np.ndarray, side: float, turn: float, value: int, style: FaceStyle
) -> None:
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * side
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    if style.rounded:
        square = np.array([(x * a, y * b) for x, y in square for a, b in ((1, 0.7), (0.7, 1))])
        square = cv2.convexHull(square.astype(np.float32))[:, 0]
    at = np.clip(centre[::-1].astype(int), 0, np.array(canvas.shape[:2]) - 1)
    paper = np.clip(canvas[tuple(at)] * style.tone, 0, 255) if style.paper is None else style.paper
    if style.relief is not None:
        axes = style.relief.lean @ axes
        painted_solid(canvas, centre + square @ axes, style.relief, side, paper)
    _polygon(canvas, centre + square @ axes, paper)
    light = style.ink + style.hollow * (255 - style.ink)
    lit_side = 0.45 * style.radius * side * np.array([np.cos(turn), np.sin(turn)])
    for spot in np.array(PIP_LAYOUTS[value]) * style.spacing @ axes + centre:
        _disc(canvas, spot, style.radius * side, style.ink)
        if style.hollow:
            _disc(canvas, spot + lit_side, 0.6 * style.radius * side, light)


def _hex_board(rng: Generator, canvas: np.ndarray, side: float) -> None:
    """A printed board: outlined hexagons of some colours, most with a picture of a die face, some with an emblem.

    On the real boards the printed face is about two fifths of the hexagon wide, and a die about three fifths.
    The hexagons are never near black or white: a pale face on a black one would be just a die in a dark tray.
    """
    pitch = side * rng.uniform(1.3, 2.4)
    angle = rng.uniform(0, 2 * np.pi)
    origin = rng.uniform(0, len(canvas), 2)
    palette = [
        hsv(hue, *rng.uniform((0.15, 0.4), (0.9, 0.9))) for hue in rng.uniform(0, 360, rng.integers(2, 7))
    ]
    face, style = pitch * rng.uniform(0.28, 0.5), _face_style(rng)
    common_turn = angle + rng.choice([0, np.pi / 6]) if rng.random() < 0.7 else None
    line, printed = any_colour(rng), rng.uniform(0.05, 0.9)
    painted = noise(rng, len(canvas), *([max(2.0, pitch * rng.uniform(0.03, 0.15))] * 2)) * rng.exponential(8)
    darker = rng.uniform(0, 0.4) if rng.random() < 0.5 else 0.0
    for centre in origin + pitch * _hex_grid(int(rng.integers(1, 5)), angle):
        if not (-pitch < centre.min() and centre.max() < len(canvas) + pitch):
            continue
        colour = near(rng, palette[int(rng.integers(len(palette)))], 8)
        space = _regular(centre, pitch * 0.56, angle + np.pi / 6, 6)
        _polygon(canvas, space, colour)
        _mottle(canvas, space, painted, darker)
        cv2.polylines(canvas, [np.round(space).astype(np.int32)], True, line.tolist(), 2)
        if rng.random() < printed:
            turn = rng.uniform(0, 2 * np.pi) if common_turn is None else common_turn
            _printed_face(canvas, centre, face, turn, int(rng.integers(1, 7)), style)
        else:
            if rng.random() < 0.75:  # a tile lies there
                edge = any_colour(rng)
                _polygon(
                    canvas, _regular(centre, pitch * rng.uniform(0.44, 0.54), angle + np.pi / 6, 6), edge
                )
                inner = near(rng, edge, 40)
                _polygon(
                    canvas, _regular(centre, pitch * rng.uniform(0.36, 0.44), angle + np.pi / 6, 6), inner
                )
            pick(rng, EMBLEMS)(rng, canvas, centre, pitch * rng.uniform(0.4, 0.8))


def _mottle(canvas: np.ndarray, corners: np.ndarray, painted: np.ndarray, darker: float) -> None:
    """Adds *painted*, (S, S) grey levels, to the shape with *corners* (N, 2) px, whose middle is *darker*, 0..1."""
    low = np.maximum(np.floor(corners.min(0)).astype(int), 0)
    high = np.minimum(np.ceil(corners.max(0)).astype(int) + 1, len(canvas))
    part = np.s_[low[1] : high[1], low[0] : high[0]]
    if not canvas[part].size:
        return
    inside = np.zeros(canvas[part].shape[:2], np.float32)
    cv2.fillPoly(inside, [np.round(corners - low).astype(np.int32)], 1.0)
    away = np.indices(inside.shape)[::-1] - (corners.mean(0) - low)[:, None, None]
    reach = np.ptp(corners[:, 0]) / 3
    shade = 1 - darker * inside * np.exp(-(away**2).sum(0) / reach**2)
    canvas[part] = canvas[part] * shade[..., None] + (inside * painted[part])[..., None]


def _hex_grid(reach: int, angle: float) -> np.ndarray:
    """Centres (N, 2) of the hexagons up to *reach* steps around the origin, one apart."""
    steps = range(-reach, reach + 1)
    turns = np.array([angle, angle + np.pi / 3])
    axes = np.stack([np.cos(turns), np.sin(turns)], 1)
    centres: np.ndarray = np.array([(i, j) for i in steps for j in steps if abs(i + j) <= reach]) @ axes
    return centres


def _emblem(rng: Generator, canvas: np.ndarray, centre: np.ndarray, width: float) -> None:
    """A little picture: strokes, dots and shapes within *width* px."""
    for _ in range(rng.integers(2, 9)):
        at = centre + rng.normal(0, width / 5, 2)
        if rng.random() < 0.5:
            axes = np.maximum(1, rng.uniform(0.03, 0.25, 2) * width).astype(int).tolist()
            cv2.ellipse(
                canvas,
                at.astype(int).tolist(),
                axes,
                rng.uniform(0, 180),
                0,
                360,
                any_colour(rng).tolist(),
                -1,
            )
        else:
            _polygon(
                canvas,
                _regular(at, width * rng.uniform(0.05, 0.3), rng.uniform(0, 6), int(rng.integers(3, 6))),
                any_colour(rng),
            )


def _building(rng: Generator, canvas: np.ndarray, centre: np.ndarray, width: float) -> None:
    """A house, castle or stall: bodies with roofs or battlements, and rows of openings or stripes.

    Openings are narrower than high, or square below a roof. With round ones it would be the face of a die, and teach
    that dice are none.
    """
    turn, wall, opening = rng.uniform(0, 2 * np.pi), any_colour(rng), any_colour(rng)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * width
    for _ in range(int(rng.choice([1, 1, 2, 3]))):
        tall, wide = rng.uniform(0.3, 1, 2)
        away = rng.uniform(-0.25, 0.25, 2) * (1.1 - wide, 1.1 - tall)
        roof = [(0.5, 0.5), (0, rng.uniform(0.65, 0.9))] if rng.random() < 0.6 else [(0.5, 0.5)]
        body = np.array([(-0.5, -0.5), (0.5, -0.5), *roof, (-0.5, 0.5)])
        _polygon(canvas, centre + (body * (wide, tall) + away) @ axes, wall, any_colour(rng) * 0.4)
        rows, columns = rng.integers(1, 4, 2)
        narrow, high = rng.uniform((0.02, 0.07), (0.05, 0.14))
        if len(roof) > 1 and rng.random() < 0.4:
            high = narrow
        window = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (narrow, high)
        for y in (np.arange(rows) + 0.5) / rows - 0.5:
            for x in (np.arange(columns) + 0.5) / columns - 0.5:
                at = np.array([x * wide, y * tall]) * 0.85 + away
                _polygon(canvas, centre + (window + at) @ axes, opening)


SAIL = np.array([(-0.11, -0.35), (0.11, -0.3), (0.13, 0.05), (-0.12, 0.05)])


def _ship(rng: Generator, canvas: np.ndarray, centre: np.ndarray, width: float) -> None:
    """A hull with pale sails above."""
    turn = rng.uniform(0, 2 * np.pi)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * width
    hull = np.array([(-0.45, 0.1), (0.45, 0.1), (0.3, 0.32), (-0.3, 0.32)])
    _polygon(canvas, centre + hull @ axes, any_colour(rng) * 0.6)
    pale = hsv(rng.uniform(20, 60), rng.uniform(0, 0.3), rng.uniform(0.7, 1))
    for x in np.linspace(-0.28, 0.28, int(rng.integers(1, 4))):
        sail = SAIL + np.array([x, rng.uniform(-0.05, 0.05)])
        _polygon(
            canvas, centre + sail @ axes, near(rng, pale, 10), pale * 0.5 if rng.random() < 0.5 else None
        )


def _herd(rng: Generator, canvas: np.ndarray, centre: np.ndarray, width: float) -> None:
    """Two to four animals: an oval body, spotted or not, with a head and legs."""
    coat, dark = any_colour(rng), any_colour(rng) * 0.35
    for _ in range(rng.integers(2, 5)):
        at, turn, size = (
            centre + rng.uniform(-0.3, 0.3, 2) * width,
            rng.uniform(0, 360),
            width * rng.uniform(0.1, 0.17),
        )
        axes = (max(1, int(size)), max(1, int(size * rng.uniform(0.5, 0.8))))
        facing = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
        for leg in (-0.6, 0.5):
            foot = at + facing * size * leg + np.array([-facing[1], facing[0]]) * size
            cv2.line(
                canvas,
                at.astype(int).tolist(),
                foot.astype(int).tolist(),
                dark.tolist(),
                max(1, int(size / 4)),
            )
        cv2.ellipse(canvas, at.astype(int).tolist(), axes, turn, 0, 360, coat.tolist(), -1)
        _disc(canvas, at + facing * size, size * 0.4, dark if rng.random() < 0.5 else coat)
        if rng.random() < 0.4:
            _disc(canvas, at + rng.normal(0, size / 4, 2), size * 0.3, dark)


def _number(rng: Generator, canvas: np.ndarray, centre: np.ndarray, width: float) -> None:
    """A number on a round token, perhaps with a row of dots below."""
    _disc(canvas, centre, width * 0.45, hsv(45, rng.uniform(0, 0.4), rng.uniform(0.6, 1)))
    ink = any_colour(rng) * 0.4
    scale, thick = width / 70, max(1, round(width / 25))
    text = str(rng.integers(1, 13))
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, thick)
    place = (centre + np.array([-wide / 2, high / 2 - width * 0.06])).astype(int).tolist()
    mask = np.zeros(canvas.shape[:2], np.uint8)
    cv2.putText(mask, text, place, cv2.FONT_HERSHEY_DUPLEX, scale, 255, thick)
    canvas[mask > 127] = ink
    dots = int(rng.integers(0, 6))
    for i in range(dots):
        _disc(canvas, centre + width * np.array([(i - (dots - 1) / 2) * 0.1, 0.28]), width * 0.035, ink)


def _crest(rng: Generator, canvas: np.ndarray, centre: np.ndarray, width: float) -> None:
    """Outlined shapes in a few colours, the left half mirrored on the right: castles, shields, monks, barrels."""
    turn = rng.uniform(0, 2 * np.pi)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * width
    palette = [any_colour(rng) for _ in range(rng.integers(2, 5))]
    edge = any_colour(rng) * 0.35 if rng.random() < 0.7 else None
    for _ in range(rng.integers(3, 9)):
        shape = _outline(rng) + rng.uniform((0, -0.4), (0.35, 0.4))
        colour = palette[int(rng.integers(len(palette)))]
        for side in (-1, 1):
            _polygon(canvas, centre + shape * (side, 1) @ axes, colour, edge)


def _outline(rng: Generator) -> np.ndarray:
    """Returns (N, 2) corners of a small shape around the origin: a bar, a gable, an arch or an oval."""
    wide, high = rng.uniform(0.04, 0.3, 2)
    bar = [(-1, 1), (-1, -1), (1, -1), (1, 1)]
    over = np.linspace(0, np.pi, 7)
    arch = np.stack([np.cos(over), -1 - wide / high * np.sin(over)], 1).tolist()
    oval = np.stack([np.cos(2 * over[:-1]), np.sin(2 * over[:-1])], 1).tolist()
    shapes = (bar, bar, [(-1, 1), (0, -1), (1, 1)], [(1, 1), *arch, (-1, 1)], oval)
    corners: np.ndarray = np.array(shapes[int(rng.integers(len(shapes)))]) * (wide, high)
    return corners


def _stall(rng: Generator, canvas: np.ndarray, centre: np.ndarray, width: float) -> None:
    """A striped roof on posts over a counter with wares."""
    turn = rng.uniform(0, 2 * np.pi)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * width
    stripes, (odd, even) = int(rng.integers(3, 9)), (any_colour(rng), any_colour(rng))
    low, high, flare = rng.uniform(-0.2, 0.05), rng.uniform(-0.45, -0.25), rng.uniform(0.7, 1)
    for i in range(stripes):
        left, right = i / stripes - 0.5, (i + 1) / stripes - 0.5
        stripe = np.array([(left, low), (right, low), (right * flare, high), (left * flare, high)])
        _polygon(canvas, centre + stripe @ axes, even if i % 2 else odd, odd * 0.5)
    wood = any_colour(rng) * 0.7
    for x in (-0.42, 0.38):
        post = np.array([(x, low), (x + 0.05, low), (x + 0.05, 0.4), (x, 0.4)])
        _polygon(canvas, centre + post @ axes, wood)
    counter = np.array([(-0.45, 0.15), (0.45, 0.15), (0.45, 0.35), (-0.45, 0.35)])
    _polygon(canvas, centre + counter @ axes, near(rng, wood, 30), wood * 0.4)
    for x in rng.uniform(-0.35, 0.35, rng.integers(0, 5)):
        _disc(canvas, centre + np.array([x, 0.12]) @ axes, width * rng.uniform(0.03, 0.08), any_colour(rng))


def _castle(rng: Generator, canvas: np.ndarray, centre: np.ndarray, width: float) -> None:
    """A wall with a gate between towers that have pointed roofs or battlements."""
    turn = rng.uniform(0, 2 * np.pi)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * width
    stone, roof = any_colour(rng), any_colour(rng)
    edge = stone * 0.4 if rng.random() < 0.7 else None
    wall = np.array([(-0.4, -0.1), (0.4, -0.1), (0.4, 0.4), (-0.4, 0.4)])
    _polygon(canvas, centre + wall @ axes, stone, edge)
    pointed = rng.random() < 0.6
    for x in np.linspace(-0.36, 0.36, int(rng.integers(2, 5))):
        half, top = rng.uniform(0.07, 0.13), rng.uniform(-0.35, -0.15)
        tower = np.array([(x - half, top), (x + half, top), (x + half, 0.4), (x - half, 0.4)])
        _polygon(canvas, centre + tower @ axes, near(rng, stone, 10), edge)
        if pointed:
            gable = np.array([(x - 1.3 * half, top), (x, top - 2.5 * half), (x + 1.3 * half, top)])
            _polygon(canvas, centre + gable @ axes, roof, edge)
        else:
            for step in (-0.8, 0.0, 0.8):
                merlon = np.array([(-0.25, 0), (0.25, 0), (0.25, -0.5), (-0.25, -0.5)]) * half
                _polygon(canvas, centre + np.add(merlon, (x + step * half, top)) @ axes, stone, edge)
    gate = np.array([(-0.08, 0.4), (-0.08, 0.2), (0, 0.12), (0.08, 0.2), (0.08, 0.4)])
    _polygon(canvas, centre + gate @ axes, stone * 0.2)


CASTLES, HOUSES, SHIPS, HERDS, SIGNS = (
    (_castle, _crest),
    (_building, _stall),
    (_ship,),
    (_herd,),
    (_number, _crest),
)
"""Pictures by what they show."""
EMBLEMS = (_emblem, _building, _building, _crest, _crest, _crest, _stall, _ship, _herd, _number)


def _markers(rng: Generator, canvas: np.ndarray, side: float) -> None:
    """Square markers as for finding a table: a dark frame with a grid of light and dark cells."""
    light, dark = hsv(0, 0, rng.uniform(0.6, 1)), hsv(0, 0, rng.uniform(0, 0.25))
    for _ in range(rng.integers(1, 5)):
        centre, turn, width = (
            rng.uniform(0, len(canvas), 2),
            rng.uniform(0, 2 * np.pi),
            side * rng.uniform(0.6, 2.5),
        )
        cells = int(rng.integers(4, 7))
        axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * width / (cells + 2)
        square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
        _polygon(canvas, centre + square * (cells + 4) @ axes, light)
        _polygon(canvas, centre + square * (cells + 2) @ axes, dark)
        for i in range(cells):
            for j in range(cells):
                if rng.random() < 0.5:
                    _polygon(canvas, centre + (square + np.array([i, j]) - (cells - 1) / 2) @ axes, light)


def _tiles(rng: Generator, canvas: np.ndarray, side: float) -> None:
    """Loose square and hexagonal tiles with emblems, some with a corner die, casting a thin shadow."""
    for _ in range(rng.integers(1, 8)):
        centre = rng.uniform(0, len(canvas), 2)
        radius, turn = side * rng.uniform(0.4, 1.3), rng.uniform(0, 6)
        corners = int(rng.choice([4, 4, 6]))
        _polygon(canvas, _regular(centre + radius * 0.08, radius, turn, corners), any_colour(rng) * 0.2)
        _polygon(canvas, _regular(centre, radius, turn, corners), any_colour(rng), any_colour(rng))
        pick(rng, EMBLEMS)(rng, canvas, centre, radius)
        if rng.random() < 0.3:
            corner = centre + radius * 0.45 * np.array([np.cos(turn), np.sin(turn)])
            value = int(rng.integers(1, 7))
            _printed_face(canvas, corner, radius * 0.4, turn + np.pi / 4, value, _face_style(rng))


def _coins(rng: Generator, canvas: np.ndarray, side: float) -> None:
    """Coins, tokens and buttons: rings with holes, dots or numbers."""
    for _ in range(rng.integers(1, 7)):
        centre, colour = rng.uniform(0, len(canvas), 2), any_colour(rng)
        radius = side * rng.uniform(0.3, 0.9)
        _disc(canvas, centre + radius * 0.1, radius, colour * 0.3)
        _disc(canvas, centre, radius, colour)
        ring = int(radius * rng.uniform(0.5, 0.9))
        cv2.circle(canvas, centre.astype(int).tolist(), ring, any_colour(rng).tolist(), 2)
        for hole in _regular(
            centre, radius * rng.uniform(0, 0.6), rng.uniform(0, 6), int(rng.integers(1, 7))
        ):
            _disc(canvas, hole, radius * 0.15, any_colour(rng))


def _dots(rng: Generator, canvas: np.ndarray, side: float) -> None:
    """Pip-sized dots with no die around them, alone or in rows: screws, beads, dice patterns on cloth."""
    colour, radius = any_colour(rng), side * rng.uniform(0.05, 0.16)
    start, step = rng.uniform(0, len(canvas), 2), side * rng.uniform(0.2, 1.2)
    turn = rng.uniform(0, 2 * np.pi)
    axes = step * np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    for i in range(rng.integers(1, 5)):
        for j in range(rng.integers(1, 5)):
            _disc(canvas, start + np.array([i, j]) @ axes + rng.normal(0, side * 0.03, 2), radius, colour)


def _text(rng: Generator, canvas: np.ndarray, side: float) -> None:
    """Printed lines on a light or dark strip, some of them mere dashes."""
    at = rng.uniform(0, len(canvas) * 0.8, 2)
    if rng.random() < 0.6:
        box = cv2.boxPoints((at.tolist(), (rng.uniform(2, 8, 2) * side).tolist(), rng.uniform(0, 180)))
        _polygon(canvas, box, any_colour(rng))
    ink = np.zeros(canvas.shape[:2], np.uint8)
    first, last = (33, 122) if rng.random() < 0.7 else (45, 47)
    for _ in range(rng.integers(1, 8)):
        word = "".join(chr(int(c)) for c in rng.integers(first, last, rng.integers(1, 14)))
        place = at.astype(int).tolist()
        at[1] += side * 0.6
        cv2.putText(ink, word, place, int(rng.integers(8)), side / 60, 255, max(1, int(side / 20)))
    canvas[ink > 127] = any_colour(rng)


def _lines(rng: Generator, canvas: np.ndarray, side: float) -> None:
    """Printed squares and frames, grids and edges."""
    colour = any_colour(rng).tolist()
    for _ in range(rng.integers(1, 6)):
        width = side * rng.uniform(0.6, 2) if rng.random() < 0.7 else side * rng.uniform(3, 12)
        box = cv2.boxPoints((rng.uniform(0, len(canvas), 2).tolist(), (width, width), rng.uniform(0, 180)))
        cv2.polylines(canvas, [box.astype(np.int32)], True, colour, int(rng.integers(1, 5)))


def _pawns(rng: Generator, canvas: np.ndarray, side: float) -> None:
    """Blank solids: cubes without pips, pawns and pegs with a highlight."""
    for _ in range(rng.integers(1, 5)):
        centre, colour = rng.uniform(0, len(canvas), 2), any_colour(rng)
        radius = side * rng.uniform(0.2, 0.6)
        corners = int(rng.choice([4, 6, 20]))
        for k, shade in enumerate((0.3, 0.6, 1.0)):
            _polygon(canvas, _regular(centre - k * radius * 0.15, radius, k * 0.3, corners), colour * shade)
        if rng.random() < 0.5:
            _disc(canvas, centre - radius * rng.uniform(0, 0.5, 2), radius * 0.2, hsv(0, 0, 0.98))


def _sheet(rng: Generator, canvas: np.ndarray, side: float) -> None:
    """A sheet of paper much larger than dice, with printed cells, some of them filled, and rows of rings."""
    centre, turn = rng.uniform(0, len(canvas), 2), rng.uniform(0, 2 * np.pi)
    width = side * np.exp(rng.uniform(np.log(2.5), np.log(16)))
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * width
    axes = axes * rng.choice([1.0, rng.uniform(0.6, 1)], (2, 1))
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    ink = any_colour(rng) * rng.uniform(0.1, 0.8)
    _polygon(canvas, centre + square @ axes, paper_colour(rng) if rng.random() < 0.7 else any_colour(rng))
    cells, share, thick = int(rng.integers(3, 12)), rng.uniform(0, 0.3), max(1, round(width / 150))
    reach, round_cells = rng.uniform(0.5, 0.95), rng.random() < 0.3
    for i in range(cells):
        for j in range(cells):
            middle = reach * (np.array([i, j]) + 0.5 - cells / 2) / cells
            cell = np.round(centre + (middle + square * reach / cells) @ axes).astype(np.int32)
            filled = rng.random() < share
            if round_cells:
                radius = max(1, round(0.35 * reach * width / cells))
                at = np.round(centre + middle @ axes).astype(int).tolist()
                cv2.circle(canvas, at, radius, ink.tolist(), -1 if filled else thick)
            elif filled:
                cv2.fillPoly(canvas, [cell], ink.tolist())
            else:
                cv2.polylines(canvas, [cell], True, ink.tolist(), thick)


def _squares(rng: Generator, canvas: np.ndarray, side: float) -> None:
    """A row of square tokens about as large as dice, each with the same small sign, or of spaces for them."""
    start, turn = rng.uniform(0, len(canvas), 2), rng.uniform(0, 2 * np.pi)
    width, step = side * rng.uniform(0.7, 1.4), rng.uniform(1.05, 1.8)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * width
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    papers = [paper_colour(rng) if rng.random() < 0.5 else any_colour(rng) for _ in range(rng.integers(1, 4))]
    place, size, seed = rng.uniform(-0.3, 0.3, 2), width * rng.uniform(0.15, 0.6), int(rng.integers(2**31))
    sign, line = pick(rng, (*EMBLEMS, _spots)), any_colour(rng) * 0.4 if rng.random() < 0.6 else None
    for i in range(rng.integers(1, 8)):
        centre = start + np.array([i * step, 0.0]) @ axes
        _polygon(canvas, centre + square @ axes, papers[int(rng.integers(len(papers)))], line)
        sign(np.random.default_rng(seed), canvas, centre + place @ axes, size)


def _spots(rng: Generator, canvas: np.ndarray, centre: np.ndarray, width: float) -> None:
    """One to three dark dots or dashes."""
    ink, turn = any_colour(rng) * 0.4, rng.uniform(0, 180)
    for _ in range(rng.integers(1, 4)):
        at = np.round(centre + rng.normal(0, width / 3, 2)).astype(int).tolist()
        axes = np.maximum(1, width * rng.uniform(0.1, 0.35, 2)).astype(int).tolist()
        cv2.ellipse(canvas, at, axes, turn, 0, 360, ink.tolist(), -1)


def _track(rng: Generator, canvas: np.ndarray, side: float) -> None:
    """A scoring track: small numbered squares along a line, every few of them in another colour."""
    start, turn = rng.uniform(0, len(canvas), 2), rng.uniform(0, 2 * np.pi)
    width, step, every = side * rng.uniform(0.5, 1.3), rng.uniform(1.02, 1.4), int(rng.integers(3, 11))
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * width
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    paper, other, ink = paper_colour(rng), any_colour(rng), any_colour(rng) * 0.4
    first, size, away = int(rng.integers(90)), width * rng.uniform(0.4, 0.9), rng.uniform(-0.25, 0.25, 2)
    for i in range(rng.integers(5, 25)):
        centre = start + np.array([i * step, 0.0]) @ axes
        _polygon(canvas, centre + square @ axes, paper if i % every else other, ink)
        _count(canvas, centre + away @ axes, size, str(first + i), ink)


def _count(canvas: np.ndarray, centre: np.ndarray, size: float, number: str, ink: np.ndarray) -> None:
    """Prints *number* about *size* px wide around *centre*."""
    thick = max(1, round(size / 10))
    (wide, high), _ = cv2.getTextSize(number, cv2.FONT_HERSHEY_SIMPLEX, 1, thick)
    mask = np.zeros(canvas.shape[:2], np.uint8)
    zoom = size / max(wide, high)
    at = np.round(centre + np.array([-wide, high]) * zoom / 2).astype(int).tolist()
    cv2.putText(mask, number, at, cv2.FONT_HERSHEY_SIMPLEX, zoom, 255, thick, cv2.LINE_AA)
    canvas[mask > 127] = ink


def _signs(rng: Generator, canvas: np.ndarray, side: float) -> None:
    """Large letters and rings with thick strokes, as on boxes and playing mats, under and between the dice."""
    ink, size = any_colour(rng), side * rng.uniform(1.0, 4.0)
    at, step = rng.uniform(0, len(canvas), 2), rng.uniform(-1.5, 1.5, 2) * size
    thick = max(1, round(size * rng.uniform(0.05, 0.3)))
    for _ in range(rng.integers(1, 6)):
        if rng.random() < 0.5:
            cv2.circle(canvas, np.round(at).astype(int).tolist(), round(size / 2), ink.tolist(), thick)
        else:
            mask = np.zeros(canvas.shape[:2], np.uint8)
            letter = chr(int(rng.integers(48, 91)))
            cv2.putText(mask, letter, np.round(at).astype(int).tolist(), 0, size / 22, 255, thick)
            canvas[mask > 127] = ink
        at = at + step


LOOSE_CLUTTER = (_markers, _coins, _dots, _text, _lines, _pawns)
CLUTTER = (
    *[_hex_board] * 9,
    *[_tiles] * 3,
    _sheet,
    _sheet,
    _squares,
    _squares,
    _track,
    _signs,
    *LOOSE_CLUTTER,
)


def marked_place(rng: Generator, canvas: np.ndarray, centre: np.ndarray, side: float) -> None:
    """Prints a place for one die: a frame, a ring, a disc or a square about *centre*."""
    ink, width = any_colour(rng), side * rng.uniform(1.15, 2.4)
    thick = max(1, round(side * rng.uniform(0.03, 0.2)))
    at = centre + rng.normal(0, 0.12 * side, 2)
    box = cv2.boxPoints((at.tolist(), (width, width), rng.uniform(0, 90)))
    kind = rng.random()
    if kind < 0.5:
        cv2.polylines(canvas, [np.round(box).astype(np.int32)], True, ink.tolist(), thick)
    elif kind < 0.75:
        cv2.circle(canvas, np.round(at).astype(int).tolist(), round(width / 2), ink.tolist(), thick)
    elif kind < 0.9:
        _polygon(canvas, box, ink)
    else:
        _disc(canvas, at, width / 2, ink)


def glare(rng: Generator, canvas: np.ndarray, side: float) -> None:
    spot = np.zeros(canvas.shape[:2], np.float32)
    at = rng.integers(0, len(canvas), 2).tolist()
    axes = np.maximum(2, side * rng.uniform(0.2, 2, 2)).astype(int).tolist()
    cv2.ellipse(spot, at, axes, rng.uniform(0, 180), 0, 360, rng.uniform(60, 250), -1)
    canvas += cv2.GaussianBlur(spot, (0, 0), side * rng.uniform(0.1, 0.8))[..., None]
