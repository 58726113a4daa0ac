"""Dice as solids: a rounded cube with hollow pips, as a mesh with a texture.

The mesh is centred on the origin with sides of one; its faces are +x, -x, +y, -y, +z, -z in this order, opposite faces
add up to seven.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from ...training.colours import Generator, hsv
from ...training.pips import PIP_LAYOUTS
from .world import Mesh

TOUCHING = 2.3
"""Radii; minimum distance of the pips of a two or three."""
FARTHEST = 0.48
"""Sides; how far from the middle of its face a pip may reach."""
WITH_BADGE = 0.2
"""Share of the sets of dice with a picture around their pips."""
FACES = 6
GRID = 40
"""Squares along a face of the mesh: a pip is six of them wide."""
FACE_PX = 96
"""px; side of a face in the texture."""
_AXES = np.array(
    [
        [(0, 1, 0), (0, 0, 1), (1, 0, 0)],
        [(0, 0, 1), (0, 1, 0), (-1, 0, 0)],
        [(0, 0, 1), (1, 0, 0), (0, 1, 0)],
        [(1, 0, 0), (0, 0, 1), (0, -1, 0)],
        [(1, 0, 0), (0, 1, 0), (0, 0, 1)],
        [(0, 1, 0), (1, 0, 0), (0, 0, -1)],
    ],
    float,
)
"""(6, 3, 3): of each face the directions of u and v on it, and its normal."""


@dataclass(frozen=True, slots=True)
class Badge:
    """A round picture printed on each face around or under its pips; lengths as in :class:`DieLook`."""

    radius: float
    line: float
    """Width of the ring; 0: a filled disc on which the pips have the colour of the body."""


@dataclass(frozen=True, slots=True)
class DieLook:
    """Appearance of one set of dice; lengths in units of the side of the die, colours (3,) float BGR 0..255 (sRGB)."""

    body: np.ndarray
    swirl: np.ndarray | None
    """A second colour that runs through the body."""
    pip: np.ndarray
    accent_pip: np.ndarray | None
    """Colour of the pips on *accent_faces*, where they have another one."""
    accent_faces: tuple[int, ...]
    pip_radius: float
    pip_spacing: float
    six_narrowing: float
    """Distance of the two rows of a six by that of the pips of a four."""
    row_narrowing: float
    """Likewise of the pips of a two and of a three, which some printings set close together ..."""
    row_turn: float
    """... and along a side instead of a diagonal: radians by which their row is turned."""
    one_radius: float
    """Radius of the single pip of the one, often larger."""
    pip_depth: float
    """Depth of the pips' hollows, in units of their radius."""
    edge_radius: float
    ball_radius: float
    """Radius of the ball that cuts the corners; from 0.87 on there is nothing to cut."""
    roughness: float
    transmission: float
    """How much the body is like coloured glass, 0..1 ..."""
    metallic: float
    """... or like metal."""
    order: tuple[int, ...]
    """Values of the six faces."""
    square_pips: bool = False
    """Whether the pips are squares that stand on a corner."""
    badge: Badge | None = None
    word: str = ""
    """Small print beside the pip of the one."""


def any_look(rng: Generator) -> DieLook:
    """Returns a random appearance: white and ivory, black, or coloured dice with pips that contrast with the body."""
    kind = rng.random()
    white_pip = hsv(rng.uniform(0, 360), rng.uniform(0, 0.15), rng.uniform(0.75, 1))
    black_pip = hsv(rng.uniform(0, 360), rng.uniform(0, 0.6), rng.uniform(0, 0.22))
    if kind < 0.4:
        body = hsv(rng.uniform(15, 60), rng.uniform(0, 0.35), rng.uniform(0.7, 1))
        pip = black_pip if rng.random() < 0.85 else hsv(rng.choice([0, 220, 120]), 0.9, rng.uniform(0.3, 0.8))
    elif kind < 0.53:
        body, pip = hsv(rng.uniform(0, 360), rng.uniform(0, 0.35), rng.uniform(0.03, 0.25)), white_pip
    else:
        body = hsv(rng.uniform(0, 360), rng.uniform(0.45, 1), rng.uniform(0.2, 0.95))
        pip = _pip_for(rng, body, white_pip, black_pip)
    swirled = kind >= 0.4 and rng.random() < 0.2
    badge = _any_badge(rng) if rng.random() < WITH_BADGE else None
    radius, spacing = _pip_size(rng, badge)
    edge_radius = rng.uniform(0.04, 0.2) if rng.random() < 0.8 else rng.uniform(0.01, 0.04)
    values = rng.permutation([1, 2, 3])
    flips = rng.integers(2, size=3)
    order = [v if up == flip else 7 - v for v, flip in zip(values, flips, strict=True) for up in (0, 1)]
    return DieLook(
        body=body,
        swirl=np.clip(body * rng.uniform(0.3, 2.0) + rng.normal(0, 25, 3), 0, 255) if swirled else None,
        pip=pip,
        accent_pip=hsv(rng.choice([0, 0, 220]), 0.9, rng.uniform(0.5, 0.95))
        if kind < 0.4 and rng.random() < 0.2
        else None,
        accent_faces=((1, 4), (1,), (4,))[int(rng.integers(3))],
        pip_radius=radius,
        pip_spacing=spacing,
        six_narrowing=rng.uniform(0.65, 1.05),
        row_narrowing=rng.uniform(0.45, 1) if rng.random() < 0.3 else 1.0,
        row_turn=np.pi / 4 if rng.random() < 0.06 else 0.0,
        one_radius=radius * (rng.uniform(1, 1.7) if rng.random() < 0.3 else 1),
        pip_depth=rng.uniform(0.1, 1.0) if badge is None and rng.random() < 0.75 else 0.0,
        edge_radius=edge_radius,
        ball_radius=rng.uniform(0.62, 0.85) if rng.random() < 0.6 else 0.87,
        roughness=rng.uniform(0.03, 0.6),
        transmission=rng.uniform(0.3, 0.95) if kind >= 0.45 and rng.random() < 0.25 else 0.0,
        metallic=rng.uniform(0.5, 1) if rng.random() < 0.04 else 0.0,
        order=tuple(int(v) for v in order),
        square_pips=bool(rng.random() < (0.02 if badge is None else 0.4)),
        badge=badge,
        word="".join(chr(int(c)) for c in rng.integers(65, 91, 6)) if rng.random() < 0.06 else "",
    )


def _any_badge(rng: Generator) -> Badge:
    return Badge(rng.uniform(0.36, 0.46), 0.0 if rng.random() < 0.5 else rng.uniform(0.02, 0.07))


def _pip_size(rng: Generator, badge: Badge | None) -> tuple[float, float]:
    """Returns the radius of pips that do not touch, and half their distance in a four; a *badge* has all inside."""
    if badge is None:
        radius = rng.uniform(0.06, 0.125)
        return radius, rng.uniform(max(0.2, 2.1 * radius), 0.29)
    radius = rng.uniform(0.05, 0.07)
    return radius, rng.uniform(0.85, 1) * (badge.radius - badge.line / 2 - radius) / np.sqrt(2)


def _pip_for(rng: Generator, body: np.ndarray, white: np.ndarray, black: np.ndarray) -> np.ndarray:
    """Returns mostly white pips, on light bodies also black ones; now and then another strong colour."""
    grey = body @ (0.114, 0.587, 0.299)
    if rng.random() < 0.25:
        for _ in range(10):
            pip = hsv(rng.uniform(0, 360), rng.uniform(0.5, 1), rng.uniform(0.1, 1.0))
            if abs(pip @ (0.114, 0.587, 0.299) - grey) > 45 or np.abs(pip - body).max() > 110:
                return pip
    return black if grey > 90 and rng.random() < 0.45 else white


def die_mesh(look: DieLook) -> Mesh:
    """Returns the surface of a die."""
    points, squares, uv, face_points = _cube()
    inner = np.clip(points, -0.5 + look.edge_radius, 0.5 - look.edge_radius)
    away = points - inner
    rounded = inner + away * (
        look.edge_radius / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
    )
    distance = np.linalg.norm(rounded, axis=1, keepdims=True)
    rounded *= np.minimum(1, look.ball_radius / distance)
    for face, (rows, flat) in enumerate(face_points):
        for spot, radius in _pips(look, look.order[face]):
            nearness = 1 - ((flat - spot) ** 2).sum(1) / radius**2
            hollow = look.pip_depth * radius * np.maximum(nearness, 0)
            rounded[rows] -= hollow[:, None] * _AXES[face, 2]
    return Mesh(rounded.astype(np.float32), squares, uv)


def die_picture(look: DieLook, rng: Generator) -> np.ndarray:
    """Returns the texture with (2, 3) faces, (2 FACE_PX, 3 FACE_PX, 3) float32 BGR; the first face is at the lower
    left."""
    picture = np.empty((2 * FACE_PX, 3 * FACE_PX, 3), np.float32)
    picture[:] = look.body
    if look.swirl is not None:
        blobs = int(rng.integers(2, 7))
        clouds = cv2.resize(
            rng.normal(0.5, 1, (2 * blobs, 3 * blobs)).astype(np.float32),
            picture.shape[1::-1],
            interpolation=cv2.INTER_CUBIC,
        )
        picture += np.clip(clouds, 0, 1)[..., None] * (look.swirl - look.body)
    for face in range(FACES):
        value = look.order[face]
        colour = look.accent_pip if look.accent_pip is not None and value in look.accent_faces else look.pip
        left, top = FACE_PX * (face % 3), FACE_PX * (1 - face // 3)
        _draw_face(picture[top : top + FACE_PX, left : left + FACE_PX], look, value, colour)
    return cv2.GaussianBlur(picture, (0, 0), 0.8)


def _draw_face(canvas: np.ndarray, look: DieLook, value: int, colour: np.ndarray) -> None:
    """Draws pips of *colour*, and what is printed beside them, on a face (FACE_PX, FACE_PX, 3)."""
    if look.badge is not None:
        reach, line = round(look.badge.radius * FACE_PX), round(look.badge.line * FACE_PX)
        cv2.circle(canvas, (FACE_PX // 2, FACE_PX // 2), reach, colour.tolist(), line or -1)
        colour = colour if line else look.body
    if value == 1 and look.word:
        ink = look.pip if look.accent_pip is None else look.accent_pip
        mask = np.zeros(canvas.shape[:2], np.uint8)
        at = round(0.1 * FACE_PX), round(0.85 * FACE_PX)
        cv2.putText(mask, look.word, at, cv2.FONT_HERSHEY_SIMPLEX, 0.6, 255, 2)
        canvas[mask > 127] = ink
    for spot, radius in _pips(look, value):
        middle = np.array([0.5 + spot[0], 0.5 - spot[1]]) * FACE_PX
        if look.square_pips:
            corners = middle + 1.05 * radius * FACE_PX * np.array([(1, 0), (0, 1), (-1, 0), (0, -1)])
            cv2.fillPoly(canvas, [np.round(corners * 16).astype(np.int32)], colour.tolist(), cv2.LINE_8, 4)
        else:
            at = np.round(middle * 16).astype(int).tolist()
            cv2.circle(canvas, at, round(radius * FACE_PX * 16), colour.tolist(), -1, cv2.LINE_8, 4)


def _pips(look: DieLook, value: int) -> list[tuple[np.ndarray, float]]:
    """Returns the centre (u, v) and radius of each pip on the face of *value*."""
    radius = look.one_radius if value == 1 else look.pip_radius
    spots = np.array(PIP_LAYOUTS[value]) * look.pip_spacing
    if value == 6:
        spots[:, 0] *= look.six_narrowing
    if value in (2, 3):
        touching = TOUCHING * radius / np.hypot(*(spots[1] - spots[0]))
        spots = max(look.row_narrowing, touching) * spots @ turned(look.row_turn)[:2, :2]
        spots *= min(1, (FARTHEST - radius) / np.abs(spots).max())  # along a side there is less room
    return [(spot, radius) for spot in spots]


@cache
def _cube() -> tuple[np.ndarray, np.ndarray, np.ndarray, list[tuple[np.ndarray, np.ndarray]]]:
    """Returns points, squares and texture coordinates of a cube, and for each face the rows of its points and their u
    and v."""
    line = np.linspace(-0.5, 0.5, GRID + 1)
    u, v = (axis.ravel() for axis in np.meshgrid(line, line))
    corner = np.arange((GRID + 1) ** 2).reshape(GRID + 1, GRID + 1)
    squares = np.stack([corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]], -1).reshape(
        -1, 4
    )
    flat = np.stack([u, v], 1)
    points = np.concatenate([flat @ axes[:2] + 0.5 * axes[2] for axes in _AXES])
    _, first, same = np.unique(np.round(points * GRID * 2), axis=0, return_index=True, return_inverse=True)
    same = same.reshape(FACES, -1)
    face_uv = [(flat + 0.5 + (face % 3, face // 3)) / (3, 2) for face in range(FACES)]
    return (
        points[first],
        np.concatenate([same[face][squares] for face in range(FACES)]).astype(np.int32),
        np.concatenate([place[squares] for place in face_uv]).astype(np.float32),
        [(same[face], flat) for face in range(FACES)],
    )


def upright(look: DieLook, value: int, yaw: float) -> np.ndarray:
    """Returns (3, 3) rotation that lays a die with *value* up, turned by *yaw* radians about the vertical."""
    u, v, normal = _AXES[look.order.index(value)]
    up = np.stack([u, v, normal])  # takes the face's normal to +z
    rotation: np.ndarray = turned(yaw) @ up
    return rotation


def turned(yaw: float) -> np.ndarray:
    """Returns (3, 3) rotation by *yaw* radians about the vertical."""
    c, s = np.cos(yaw), np.sin(yaw)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
