"""Drawn scenes to learn from: tables, dice, and all that is round or square but no die.

Every kind of ground, clutter and camera fault is one function in a table; a scene picks among them. Nothing is
taken from photos.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.dice.training.solids import PIP_LAYOUTS, DieLook, DrawnDie, draw_die, rotation

SUPERSAMPLE = 2
CLUTTERED = 2.2
"""Kinds of clutter in a scene that has some, on average."""
OVEREXPOSED = 0.25
"""Share of scenes in which the camera exposes for a dark ground: pale dice burn out and their edges vanish."""
Generator = np.random.Generator


@dataclass(frozen=True, slots=True)
class Scene:
    """A frame and the dice in it."""

    frame: np.ndarray
    """(H, W, 3) uint8 BGR."""
    dice: tuple[DrawnDie, ...]


def draw_scene(rng: Generator, size: int, sides: tuple[float, float]) -> Scene:
    """Draws a square scene of *size* px in which dice have *sides* from the first to the second, px."""
    big = size * SUPERSAMPLE
    side = float(np.exp(rng.uniform(*np.log(sides)))) * SUPERSAMPLE
    canvas = _pick(rng, GROUNDS)(rng, big)
    for _ in range(rng.poisson(CLUTTERED) if rng.random() < 0.65 else 0):
        _pick(rng, CLUTTER)(rng, canvas, side)
    light = rng.uniform(0, 2 * np.pi)
    dice = _throw(rng, canvas, side, light) if rng.random() < 0.85 else []
    if rng.random() < 0.15:
        _pick(rng, (_arm, _glare))(rng, canvas, side)
    frame = cv2.resize(canvas, (size, size), interpolation=cv2.INTER_AREA)
    frame = _through_camera(rng, frame)
    return Scene(frame, tuple(_scaled(die, 1 / SUPERSAMPLE) for die in dice))


def _pick(rng: Generator, table: tuple[Callable, ...]) -> Callable:
    return table[int(rng.integers(len(table)))]


def _scaled(die: DrawnDie, k: float) -> DrawnDie:
    x, y = ((c + 0.5) * k - 0.5 for c in die.centre)
    return DrawnDie((x, y), die.side * k, die.value, die.cocked, (die.outline + 0.5) * k - 0.5)


# --- colours -------------------------------------------------------------------------------------------------


def _hsv(hue: float, saturation: float, value: float) -> np.ndarray:
    """(3,) float32 BGR 0..255 from a hue in degrees and shares."""
    pixel = np.float32([[[hue % 360, np.clip(saturation, 0, 1), np.clip(value, 0, 1)]]])
    return cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] * 255


def _any_colour(rng: Generator) -> np.ndarray:
    return _hsv(rng.uniform(0, 360), rng.beta(1, 1.6), rng.beta(2, 1.4))


def _ground_colour(rng: Generator) -> np.ndarray:
    """Any colour; dark cloths and trays are frequent."""
    if rng.random() < 0.35:
        return _hsv(rng.uniform(0, 360), rng.uniform(0, 0.7), rng.uniform(0.03, 0.3))
    return _any_colour(rng)


def _near(rng: Generator, colour: np.ndarray, spread: float) -> np.ndarray:
    return np.clip(colour + rng.normal(0, spread, 3), 0, 255)


def _look(rng: Generator) -> DieLook:
    """White and ivory, black, or coloured dice with pips that can be told from the body."""
    kind = rng.random()
    white_pip = _hsv(rng.uniform(0, 360), rng.uniform(0, 0.12), rng.uniform(0.75, 1))
    black_pip = _hsv(rng.uniform(0, 360), rng.uniform(0, 0.6), rng.uniform(0, 0.22))
    if kind < 0.4:
        body = _hsv(rng.uniform(15, 60), rng.uniform(0, 0.3), rng.uniform(0.7, 1))
        pip = (
            black_pip if rng.random() < 0.85 else _hsv(rng.choice([0, 220, 120]), 0.9, rng.uniform(0.3, 0.7))
        )
    elif kind < 0.53:
        body, pip = _hsv(rng.uniform(0, 360), rng.uniform(0, 0.35), rng.uniform(0.03, 0.25)), white_pip
    else:
        body = _hsv(rng.uniform(0, 360), rng.uniform(0.45, 1), rng.uniform(0.2, 0.95))
        grey = body @ (0.114, 0.587, 0.299)
        pip = white_pip
        if grey > 90 and rng.random() < 0.45:
            pip = black_pip
        elif rng.random() < 0.2:
            pip = _hsv(rng.uniform(0, 360), rng.uniform(0.4, 1), 1.0 if grey < 110 else 0.1)
    radius = rng.uniform(0.06, 0.13)
    odd = kind < 0.4 and rng.random() < 0.25
    return DieLook(
        body=body,
        pip=pip,
        pip_radius=radius,
        pip_spacing=rng.uniform(max(0.2, 2.1 * radius), 0.29),  # pips of a six do not touch
        six_narrowing=rng.uniform(0.65, 1.05),
        one_radius=radius * (rng.uniform(1, 1.6) if rng.random() < 0.25 else 1),
        roundness=rng.uniform(0.04, 0.28),
        side_shades=tuple(rng.uniform(0.4, 1.15, 3)),
        translucency=rng.uniform(0.1, 0.45) if rng.random() < 0.15 else 0.0,
        gloss=rng.uniform(0, 1) if rng.random() < 0.5 else 0.0,
        dimple=rng.normal(0, 0.35) if rng.random() < 0.4 else 0.0,
        glint=rng.uniform(0.15, 0.5) if rng.random() < 0.25 else 0.0,
        edge_softness=rng.uniform(0.02, 0.14) if rng.random() < 0.6 else 0.0,
        odd_pip=_hsv(rng.choice([0, 0, 220]), 0.9, rng.uniform(0.5, 0.95)) if odd else None,
        odd_faces=((1, 4), (1,), (4,))[int(rng.integers(3))],
    )


# --- grounds -------------------------------------------------------------------------------------------------


def _noise(rng: Generator, size: int, cell_x: float, cell_y: float) -> np.ndarray:
    """(size, size) float32 smooth noise of unit spread with features of about *cell* px."""
    shape = max(2, int(size / cell_y)), max(2, int(size / cell_x))
    return cv2.resize(rng.normal(0, 1, shape).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)


def _plain(rng: Generator, size: int) -> np.ndarray:
    canvas = np.empty((size, size, 3), np.float32)
    canvas[:] = _ground_colour(rng)
    return canvas + (_noise(rng, size, size / 2, size / 2) * rng.uniform(0, 20))[..., None]


def _grain(rng: Generator, size: int) -> np.ndarray:
    """Wood or cloth: noise drawn out along one direction, with seams."""
    canvas = _plain(rng, size)
    for _ in range(3):
        cell = np.exp(rng.uniform(np.log(2), np.log(40)))
        canvas += (_noise(rng, size, cell * rng.uniform(1, 20), cell) * rng.uniform(0, 18))[..., None]
    for y in rng.integers(0, size, rng.integers(0, 4)):
        canvas[y : y + int(rng.integers(1, 6))] *= rng.uniform(0.3, 0.9)
    return np.ascontiguousarray(np.rot90(canvas)) if rng.random() < 0.5 else canvas


def _speckle(rng: Generator, size: int) -> np.ndarray:
    """Carpet or felt: coloured noise at several scales."""
    canvas = _plain(rng, size)
    for cell in (2, 4, 8, 20):
        strength = rng.exponential(10)
        canvas += np.dstack([_noise(rng, size, cell, cell)] * 3) * strength * rng.uniform(0.7, 1.3, 3)
    return canvas


def _weave(rng: Generator, size: int) -> np.ndarray:
    canvas = _plain(rng, size)
    along = np.arange(size, dtype=np.float32)
    period = rng.uniform(4, 24)
    canvas += (np.sin(along * 2 * np.pi / period)[None] * rng.uniform(2, 25))[..., None]
    canvas += (np.sin(along * 2 * np.pi / period)[:, None] * rng.uniform(2, 25))[..., None]
    return canvas + (_noise(rng, size, 3, 3) * rng.uniform(0, 12))[..., None]


def _patches(rng: Generator, size: int) -> np.ndarray:
    """Large flat shapes over each other: papers, boxes, cards, checked cloth."""
    canvas = _plain(rng, size)
    for _ in range(rng.integers(2, 14)):
        box = cv2.boxPoints(
            (rng.uniform(0, size, 2).tolist(), rng.uniform(size / 12, size, 2).tolist(), rng.uniform(0, 180))
        )
        cv2.fillPoly(canvas, [box.astype(np.int32)], _any_colour(rng).tolist())
    return canvas


GROUNDS = (_plain, _plain, _grain, _grain, _speckle, _weave, _patches)


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
class FaceStyle:
    """How a board prints its die faces; lengths in units of the face's side."""

    paper: np.ndarray
    ink: np.ndarray
    spacing: float
    radius: float
    rounded: bool


def _face_style(rng: Generator) -> FaceStyle:
    """Dark pips on light paper, or now and then the other way round."""
    paper, ink = _hsv(45, rng.uniform(0, 0.25), rng.uniform(0.75, 1)), _any_colour(rng) * 0.25
    if rng.random() < 0.2:
        paper, ink = ink, paper
    return FaceStyle(paper, ink, rng.uniform(0.24, 0.3), rng.uniform(0.07, 0.12), rng.random() < 0.5)


def _printed_face(
    canvas: np.ndarray, centre: np.ndarray, side: float, turn: float, value: int, style: FaceStyle
) -> None:
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * side
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    if style.rounded:
        square = np.array([(x * a, y * b) for x, y in square for a, b in ((1, 0.7), (0.7, 1))])
        square = cv2.convexHull(square.astype(np.float32))[:, 0]
    _polygon(canvas, centre + square @ axes, style.paper)
    for spot in np.array(PIP_LAYOUTS[value]) * style.spacing @ axes + centre:
        _disc(canvas, spot, style.radius * side, style.ink)


def _hex_board(rng: Generator, canvas: np.ndarray, side: float) -> None:
    """A printed board: outlined hexagons of some colours, most with a picture of a die face, some with an emblem.

    On the real boards the printed face is about two fifths of the hexagon wide, and a die about three fifths.
    The hexagons are never near black or white: a pale face on a black one would be just a die in a dark tray.
    """
    pitch = side * rng.uniform(1.3, 2.4)
    angle = rng.uniform(0, 2 * np.pi)
    origin = rng.uniform(0, len(canvas), 2)
    palette = [
        _hsv(hue, *rng.uniform((0.15, 0.4), (0.9, 0.9))) for hue in rng.uniform(0, 360, rng.integers(2, 7))
    ]
    face, style = pitch * rng.uniform(0.28, 0.5), _face_style(rng)
    common_turn = angle + rng.choice([0, np.pi / 6]) if rng.random() < 0.7 else None
    line = _any_colour(rng)
    for centre in origin + pitch * _hex_grid(int(rng.integers(1, 5)), angle):
        if not (-pitch < centre.min() and centre.max() < len(canvas) + pitch):
            continue
        colour = _near(rng, palette[int(rng.integers(len(palette)))], 8)
        _polygon(canvas, _regular(centre, pitch * 0.56, angle + np.pi / 6, 6), colour, line)
        if rng.random() < 0.8:
            turn = rng.uniform(0, 2 * np.pi) if common_turn is None else common_turn
            _printed_face(canvas, centre, face, turn, int(rng.integers(1, 7)), style)
        else:
            _pick(rng, EMBLEMS)(rng, canvas, centre, pitch * rng.uniform(0.4, 0.8))


def _hex_grid(reach: int, angle: float) -> np.ndarray:
    """Centres (N, 2) of the hexagons up to *reach* steps around the origin, one apart."""
    steps = range(-reach, reach + 1)
    turns = np.array([angle, angle + np.pi / 3])
    axes = np.stack([np.cos(turns), np.sin(turns)], 1)
    return np.array([(i, j) for i in steps for j in steps if abs(i + j) <= reach]) @ axes


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
                _any_colour(rng).tolist(),
                -1,
            )
        else:
            _polygon(
                canvas,
                _regular(at, width * rng.uniform(0.05, 0.3), rng.uniform(0, 6), int(rng.integers(3, 6))),
                _any_colour(rng),
            )


def _building(rng: Generator, canvas: np.ndarray, centre: np.ndarray, width: float) -> None:
    """A little house or castle: a body with a roof and rows of openings that are narrower than high.

    With round openings it would be the face of a die, and teach that dice are none.
    """
    turn, wall, opening = rng.uniform(0, 2 * np.pi), _any_colour(rng), _any_colour(rng)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * width
    tall, wide = rng.uniform(0.5, 1, 2)
    body = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (0, rng.uniform(0.65, 0.9)), (-0.5, 0.5)])
    _polygon(canvas, centre + body * (wide, tall) @ axes, wall, _any_colour(rng) * 0.4)
    rows, columns = rng.integers(1, 4, 2)
    window = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * rng.uniform((0.02, 0.07), (0.04, 0.12))
    for y in (np.arange(rows) + 0.5) / rows - 0.5:
        for x in (np.arange(columns) + 0.5) / columns - 0.5:
            at = np.array([x * wide, y * tall]) * 0.85
            _polygon(canvas, centre + (window + at) @ axes, opening)


EMBLEMS = (_emblem, _building)


def _markers(rng: Generator, canvas: np.ndarray, side: float) -> None:
    """Square markers as for finding a table: a dark frame with a grid of light and dark cells."""
    light, dark = _hsv(0, 0, rng.uniform(0.6, 1)), _hsv(0, 0, rng.uniform(0, 0.25))
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
        _polygon(canvas, _regular(centre + radius * 0.08, radius, turn, corners), _any_colour(rng) * 0.2)
        _polygon(canvas, _regular(centre, radius, turn, corners), _any_colour(rng), _any_colour(rng))
        _pick(rng, EMBLEMS)(rng, canvas, centre, radius)
        if rng.random() < 0.3:
            corner = centre + radius * 0.45 * np.array([np.cos(turn), np.sin(turn)])
            value = int(rng.integers(1, 7))
            _printed_face(canvas, corner, radius * 0.4, turn + np.pi / 4, value, _face_style(rng))


def _coins(rng: Generator, canvas: np.ndarray, side: float) -> None:
    """Coins, tokens and buttons: rings with holes, dots or numbers."""
    for _ in range(rng.integers(1, 7)):
        centre, colour = rng.uniform(0, len(canvas), 2), _any_colour(rng)
        radius = side * rng.uniform(0.3, 0.9)
        _disc(canvas, centre + radius * 0.1, radius, colour * 0.3)
        _disc(canvas, centre, radius, colour)
        ring = int(radius * rng.uniform(0.5, 0.9))
        cv2.circle(canvas, centre.astype(int).tolist(), ring, _any_colour(rng).tolist(), 2)
        for hole in _regular(
            centre, radius * rng.uniform(0, 0.6), rng.uniform(0, 6), int(rng.integers(1, 7))
        ):
            _disc(canvas, hole, radius * 0.15, _any_colour(rng))


def _dots(rng: Generator, canvas: np.ndarray, side: float) -> None:
    """Pip-sized dots with no die around them, alone or in rows: screws, beads, dice patterns on cloth."""
    colour, radius = _any_colour(rng), side * rng.uniform(0.05, 0.16)
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
        box = cv2.boxPoints((at.tolist(), rng.uniform(2, 8, 2) * side, rng.uniform(0, 180)))
        _polygon(canvas, box, _any_colour(rng))
    ink = np.zeros(canvas.shape[:2], np.uint8)
    first, last = (33, 122) if rng.random() < 0.7 else (45, 47)
    for _ in range(rng.integers(1, 8)):
        word = "".join(chr(int(c)) for c in rng.integers(first, last, rng.integers(1, 14)))
        place = at.astype(int).tolist()
        at[1] += side * 0.6
        cv2.putText(ink, word, place, int(rng.integers(8)), side / 60, 255, max(1, int(side / 20)))
    canvas[ink > 127] = _any_colour(rng)


def _lines(rng: Generator, canvas: np.ndarray, side: float) -> None:
    """Printed squares and frames, grids and edges."""
    colour = _any_colour(rng).tolist()
    for _ in range(rng.integers(1, 6)):
        width = side * rng.uniform(0.6, 2) if rng.random() < 0.7 else side * rng.uniform(3, 12)
        box = cv2.boxPoints((rng.uniform(0, len(canvas), 2).tolist(), (width, width), rng.uniform(0, 180)))
        cv2.polylines(canvas, [box.astype(np.int32)], True, colour, int(rng.integers(1, 5)))


def _pawns(rng: Generator, canvas: np.ndarray, side: float) -> None:
    """Blank solids: cubes without pips, pawns and pegs with a highlight."""
    for _ in range(rng.integers(1, 5)):
        centre, colour = rng.uniform(0, len(canvas), 2), _any_colour(rng)
        radius = side * rng.uniform(0.2, 0.6)
        corners = int(rng.choice([4, 6, 20]))
        for k, shade in enumerate((0.3, 0.6, 1.0)):
            _polygon(canvas, _regular(centre - k * radius * 0.15, radius, k * 0.3, corners), colour * shade)
        if rng.random() < 0.5:
            _disc(canvas, centre - radius * rng.uniform(0, 0.5, 2), radius * 0.2, _hsv(0, 0, 0.98))


CLUTTER = (
    _hex_board, _hex_board, _hex_board, _tiles, _tiles, _markers, _coins, _dots, _text, _lines, _pawns,
)  # fmt: skip


def _arm(rng: Generator, canvas: np.ndarray, side: float) -> None:
    size = len(canvas)
    skin = _hsv(rng.uniform(8, 30), rng.uniform(0.2, 0.6), rng.uniform(0.3, 0.95)).tolist()
    start, end = rng.uniform(0, size, 2), rng.uniform(-size / 2, 1.5 * size, 2)
    cv2.line(
        canvas, start.astype(int).tolist(), end.astype(int).tolist(), skin, int(side * rng.uniform(0.8, 2.5))
    )


def _glare(rng: Generator, canvas: np.ndarray, side: float) -> None:
    spot = np.zeros(canvas.shape[:2], np.float32)
    at = rng.integers(0, len(canvas), 2).tolist()
    axes = np.maximum(2, side * rng.uniform(0.2, 2, 2)).astype(int).tolist()
    cv2.ellipse(spot, at, axes, rng.uniform(0, 180), 0, 360, rng.uniform(60, 250), -1)
    canvas += cv2.GaussianBlur(spot, None, side * rng.uniform(0.1, 0.8))[..., None]


# --- dice ----------------------------------------------------------------------------------------------------


def _throw(rng: Generator, canvas: np.ndarray, side: float, light: float) -> list[DrawnDie]:
    """Throws some dice of a few kinds on the canvas and casts their shadows away from the *light*."""
    looks = [_look(rng) for _ in range(rng.integers(1, 4))]
    tilt = abs(rng.normal(0, 0.25)) if rng.random() < 0.7 else rng.uniform(0, 0.7)
    towards = rng.uniform(0, 2 * np.pi)
    away = np.array([np.cos(light), np.sin(light)]) * side * rng.uniform(0.05, 1.0)
    depth, soft = rng.uniform(0.1, 0.8) * (rng.random() < 0.8), side * rng.uniform(0.02, 0.25)
    dice = []
    for spot, yaw in sorted(_places(rng, len(canvas), side), key=lambda place: place[0][1]):
        die_side = side * rng.uniform(0.95, 1.05)
        _shadow(canvas, spot, die_side, yaw, away, depth, soft)
        tumbled = rng.random() < 0.04
        pose = rotation(yaw, rng.uniform(0.5, 0.95) if tumbled else tilt + rng.normal(0, 0.03), towards)
        look = looks[int(rng.integers(len(looks)))]
        dice.append(draw_die(canvas, look, int(rng.integers(1, 7)), tuple(spot), die_side, pose, rng))
        if look.gloss:
            _highlight(rng, canvas, dice[-1], look.gloss)
    return dice


def _places(rng: Generator, size: int, side: float) -> list[tuple[np.ndarray, float]]:
    """Centres and yaws of dice that lie alone or against each other, none on another."""
    margin = side * 0.8
    places: list[tuple[np.ndarray, float]] = []
    for _ in range(rng.integers(1, 9)):
        yaw = rng.uniform(0, 2 * np.pi)
        spot = rng.uniform(margin, size - margin, 2)
        if places and rng.random() < 0.5:
            near, near_yaw = places[int(rng.integers(len(places)))]
            yaw = near_yaw if rng.random() < 0.4 else yaw
            beside = (
                near_yaw + rng.integers(4) * np.pi / 2 if rng.random() < 0.4 else rng.uniform(0, 2 * np.pi)
            )
            spot = near + side * rng.uniform(1.0, 1.5) * np.array([np.cos(beside), np.sin(beside)])
        apart = all(
            np.hypot(*(spot - other)) > _clearance(side, yaw - other_yaw) for other, other_yaw in places
        )
        if apart and margin < spot.min() and spot.max() < size - margin:
            places.append((spot, yaw))
    return places


def _clearance(side: float, turn: float) -> float:
    """Least distance of two dice that touch, between 1 (side by side) and 1.2 sides."""
    return side * (1.0 + 0.2 * abs(np.sin(2 * turn)))


def _shadow(
    canvas: np.ndarray,
    spot: np.ndarray,
    side: float,
    yaw: float,
    offset: np.ndarray,
    depth: float,
    soft: float,
) -> None:
    square = _regular(spot, side * 0.72, yaw + np.pi / 4, 4)
    hull = cv2.convexHull(np.concatenate([square, square + offset]).astype(np.float32))
    x, y, w, h = cv2.boundingRect(hull)
    pad = int(3 * soft) + 2
    x0, y0 = max(0, x - pad), max(0, y - pad)
    patch = canvas[y0 : y + h + pad, x0 : x + w + pad]
    mask = np.zeros(patch.shape[:2], np.float32)
    cv2.fillPoly(mask, [hull.astype(np.int32) - (x0, y0)], depth)
    patch *= 1 - cv2.GaussianBlur(mask, None, soft)[..., None]


def _highlight(rng: Generator, canvas: np.ndarray, die: DrawnDie, gloss: float) -> None:
    """A soft gradient over the die, or a hard glint on one edge."""
    x, y, w, h = cv2.boundingRect(die.outline)
    x0, y0 = max(0, x), max(0, y)
    patch = canvas[y0 : y + h, x0 : x + w]
    mask = np.zeros(patch.shape[:2], np.float32)
    if rng.random() < 0.6:
        cv2.fillPoly(mask, [die.outline.astype(np.int32) - (x0, y0)], 1.0)
        ramp = np.linspace(-1, 1, mask.shape[1], dtype=np.float32)
        ramp = np.cos(light := rng.uniform(0, 6)) * ramp[None] + (
            np.sin(light) * np.linspace(-1, 1, mask.shape[0], dtype=np.float32)[:, None]
        )
        patch += (mask * ramp * gloss * 60)[..., None]
    else:
        start = die.outline[int(rng.integers(len(die.outline)))] * 0.8 + np.array(die.centre) * 0.2
        end = die.outline[int(rng.integers(len(die.outline)))] * 0.8 + np.array(die.centre) * 0.2
        start, end = start - (x0, y0), start + (end - start) * rng.uniform(0.05, 0.7) - (x0, y0)
        cv2.line(
            mask, start.astype(int).tolist(), end.astype(int).tolist(), 1.0, max(1, int(die.side * 0.06))
        )
        patch += (cv2.GaussianBlur(mask, None, die.side * 0.03) * gloss * 220)[..., None]


# --- camera --------------------------------------------------------------------------------------------------


def _through_camera(rng: Generator, frame: np.ndarray) -> np.ndarray:
    """Uneven light, colour cast, exposure, blur, noise and JPEG: float32 BGR to uint8 BGR."""
    size = len(frame)
    if rng.random() < 0.6:
        frame = frame * (1 + 0.15 * np.clip(_noise(rng, size, size / 2, size / 2), -2, 2))[..., None]
    cast = np.exp(rng.normal(0, 0.1, 3)) * np.exp(rng.normal(0.0, 0.25))
    if rng.random() < OVEREXPOSED:
        cast = cast * rng.uniform(1.2, 2.6)
    frame = 255 * np.clip(frame * cast / 255, 0, 1) ** np.exp(rng.normal(0, 0.2))
    frame = frame + rng.uniform(0, 30) if rng.random() < 0.2 else frame
    if rng.random() < 0.7:
        frame = cv2.GaussianBlur(frame, None, rng.uniform(0.3, 1.6))
    if rng.random() < 0.15:
        kernel = np.zeros((7, 7), np.float32)
        reach = rng.uniform(-3, 3, 2)
        cv2.line(
            kernel, np.round(3 - reach).astype(int).tolist(), np.round(3 + reach).astype(int).tolist(), 1.0
        )
        frame = cv2.filter2D(frame, -1, kernel / kernel.sum())
    if rng.random() < 0.4:
        frame = frame + (frame - cv2.GaussianBlur(frame, None, 1.0)) * rng.uniform(0.3, 1.5)
    frame = frame + rng.normal(0, rng.exponential(3), frame.shape)
    frame = np.clip(frame, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        quality = int(rng.integers(50, 98))
        frame = cv2.imdecode(
            cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR
        )
    return frame
