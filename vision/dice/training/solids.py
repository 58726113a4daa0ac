"""A drawn die: a rounded cube with pips, seen from any side. Everything random comes from the caller's generator."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

PIP_LAYOUTS: dict[int, list[tuple[float, float]]] = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
"""Pip centres in units of the pip spacing; opposite faces of a die add up to seven."""

UNKNOWN_VALUE = 0
"""Of a die that is there, but whose value nobody could tell."""
SUBPIXEL_BITS = 4
"""cv2 draws polygons with coordinates in 1/16 px."""
COCKED_RATIO = 0.88
"""A die is cocked when its second face is seen at this share of its first one or more: at tilts over 41 degrees."""


@dataclass(frozen=True, slots=True)
class DieLook:
    """What one set of dice looks like; lengths in units of the die's side."""

    body: np.ndarray
    """(3,) float BGR 0..255."""
    pip: np.ndarray
    """(3,) float BGR 0..255."""
    pip_radius: float
    pip_spacing: float
    six_narrowing: float
    """Distance of the two rows of a six by that of the pips of a four."""
    one_radius: float
    """Radius of the single pip of the one, often larger."""
    roundness: float
    """Radius of edges and corners."""
    side_shades: tuple[float, float, float]
    """Brightness of the faces seen besides the top one."""
    translucency: float
    gloss: float
    dimple: float
    """How much lighter or darker one side of each pip's hollow is, -1..1."""
    glint: float = 0.0
    """Radius of the lamp's mirror image in each pip, in units of the pip's; 0 for none."""
    edge_softness: float = 0.0
    """Blur of the edges between faces: large where edges are round and the light is even."""
    odd_pip: np.ndarray | None = None
    """(3,) float BGR 0..255 of the pips on *odd_faces*, where they have another colour."""
    odd_faces: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """The truth about one die in a scene, px of the scene."""

    centre: tuple[float, float]
    """Centre of the face that points up most."""
    side: float
    """Length of its sides before foreshortening."""
    value: int
    cocked: bool
    outline: np.ndarray
    """(N, 2) float32 outline of the whole die."""


def rotation(yaw: float, tilt: float, towards: float) -> np.ndarray:
    """(3, 3) rotation: *yaw* about the view axis, then *tilt* about the axis lying at angle *towards*; radians."""
    c, s = np.cos(yaw), np.sin(yaw)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    axis = np.array([np.cos(towards), np.sin(towards), 0.0])
    return cv2.Rodrigues(axis * tilt)[0] @ turn


def draw_die(
    canvas: np.ndarray,
    look: DieLook,
    value: int,
    centre: tuple[float, float],
    side: float,
    pose: np.ndarray,
    rng: np.random.Generator,
) -> DrawnDie:
    """Draws one die on *canvas*, (H, W, 3) float32 BGR, in place; *centre* is that of the cube in px."""
    cube = _Cube(np.asarray(centre, float), side, pose)
    outline = cube.outline(look.roundness)
    normals = [(pose @ normal)[2] for normal in _NORMALS]
    order = np.argsort(normals)
    values = _values_with_on_top(value, int(order[-1]), rng)
    background = canvas.copy() if look.translucency else None
    _fill(canvas, outline, look.body * look.side_shades[2])
    shades = (1.0, look.side_shades[0], look.side_shades[1])
    seen = [(int(f), shade) for f, shade in zip(order[:-4:-1], shades, strict=True) if normals[f] > 0.08]
    for face, shade in seen:
        _draw_face(canvas, cube, look, face, shade)
    if look.edge_softness:
        _soften(canvas, outline, look.edge_softness * side)
    for face, shade in seen:
        _draw_pips(canvas, cube, look, face, values[face], shade, rng)
    if background is not None:
        _let_through(canvas, background, outline, look.translucency)
    top = int(order[-1])
    middle = cube.project(_NORMALS[top] * 0.5)[0]
    return DrawnDie(
        (float(middle[0]), float(middle[1])),
        side,
        value,
        bool(normals[order[-2]] > COCKED_RATIO * normals[top]),
        outline,
    )


_NORMALS = [np.array(n, float) for n in ((0, 0, 1), (0, 0, -1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0))]


class _Cube:
    """A cube in weak perspective: die units to px."""

    CAMERA_DISTANCE = 12.0
    """Sides of the die; nearer than any camera above a table, so that perspective shows."""

    def __init__(self, centre: np.ndarray, side: float, pose: np.ndarray) -> None:
        self.centre, self.side, self.pose = centre, side, pose

    def project(self, points: np.ndarray) -> np.ndarray:
        turned = np.atleast_2d(points) @ self.pose.T
        scale = self.side * self.CAMERA_DISTANCE / (self.CAMERA_DISTANCE - turned[:, 2:3])
        return turned[:, :2] * scale + self.centre

    def outline(self, roundness: float) -> np.ndarray:
        """Outline of the rounded cube: the hull of balls in its corners."""
        inner = 0.5 - roundness
        corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float) * inner
        ring = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        ball = np.stack([np.cos(ring), np.sin(ring)], 1) * roundness * self.side
        points = (self.project(corners)[:, None] + ball[None]).reshape(-1, 2)
        return cv2.convexHull(points.astype(np.float32))[:, 0]

    def on_face(self, face: int, flat: np.ndarray) -> np.ndarray:
        """Px of points (N, 2) on a face, measured in sides from its middle."""
        normal = _NORMALS[face]
        u = np.roll(normal, 1)
        return self.project(normal * 0.5 + flat[:, :1] * u + flat[:, 1:] * np.cross(normal, u))


def _values_with_on_top(value: int, top: int, rng: np.random.Generator) -> dict[int, int]:
    """Values of the six faces of a die that shows *value* on face *top* (faces 2k and 2k + 1 are opposite)."""
    pairs = [(v, 7 - v) for v in (1, 2, 3) if v != min(value, 7 - value)]
    rng.shuffle(pairs)
    values = {top: value, top ^ 1: 7 - value}
    for axis, pair in zip([a for a in range(3) if a != top // 2], pairs, strict=True):
        flip = int(rng.integers(2))
        values[2 * axis + flip], values[2 * axis + 1 - flip] = int(pair[0]), int(pair[1])
    return values


def _draw_face(canvas: np.ndarray, cube: _Cube, look: DieLook, face: int, shade: float) -> None:
    inset = 0.5 - 0.6 * look.roundness
    corner = np.linspace(0, np.pi / 2, 5)
    arc = np.stack([np.cos(corner), np.sin(corner)], 1) * look.roundness + inset - look.roundness
    square = np.concatenate(
        [arc @ np.array([[c, s], [-s, c]]) for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    )
    _fill(canvas, cube.on_face(face, square), look.body * shade)


def _draw_pips(
    canvas: np.ndarray,
    cube: _Cube,
    look: DieLook,
    face: int,
    value: int,
    shade: float,
    rng: np.random.Generator,
) -> None:
    quarter = rng.integers(2)
    radius = look.one_radius if value == 1 else look.pip_radius
    colour = look.odd_pip if look.odd_pip is not None and value in look.odd_faces else look.pip
    circle = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    disc = np.stack([np.cos(circle), np.sin(circle)], 1)
    light, lamp = rng.normal(0, 0.25, 2), rng.normal(0, 0.35, 2)
    for x, y in PIP_LAYOUTS[value]:
        x *= look.six_narrowing if value == 6 else 1
        at = np.array([(-y, x) if quarter else (x, y)]) * look.pip_spacing
        _fill(canvas, cube.on_face(face, at + disc * radius), colour * shade)
        if look.dimple:
            hollow = colour * shade + 110 * look.dimple
            _fill(canvas, cube.on_face(face, at + light * radius + disc * radius * 0.45), hollow)
        if look.glint:
            spot = at + np.clip(lamp, -0.6, 0.6) * radius + disc * radius * look.glint
            _fill(canvas, cube.on_face(face, spot), np.full(3, rng.uniform(150, 255)))


def _soften(canvas: np.ndarray, outline: np.ndarray, sigma: float) -> None:
    """Blurs what lies within *outline*, without the ground around it."""
    x, y, w, h = cv2.boundingRect(outline)
    x0, y0 = max(0, x), max(0, y)
    patch = canvas[y0 : y + h, x0 : x + w]
    if not patch.size:
        return
    inside = np.zeros(patch.shape[:2], np.float32)
    cv2.fillPoly(inside, [outline.astype(np.int32) - (x0, y0)], 1.0)
    weight = cv2.GaussianBlur(inside, None, sigma)[..., None]
    blurred = cv2.GaussianBlur(patch * inside[..., None], None, sigma) / np.maximum(weight, 1e-3)
    patch[inside > 0] = blurred[inside > 0]


def _fill(canvas: np.ndarray, polygon: np.ndarray, colour: np.ndarray) -> None:
    points = np.round(polygon * (1 << SUBPIXEL_BITS)).astype(np.int32)
    cv2.fillPoly(canvas, [points], np.clip(colour, 0, 255).tolist(), cv2.LINE_8, SUBPIXEL_BITS)


def _let_through(canvas: np.ndarray, background: np.ndarray, outline: np.ndarray, share: float) -> None:
    """Mixes the blurred background into the die, as through coloured acrylic."""
    mask = np.zeros(canvas.shape[:2], np.float32)
    _fill(mask, outline, np.array([share]))
    mask = mask[..., None]
    canvas *= 1 - mask
    canvas += background * mask
