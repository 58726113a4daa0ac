"""Synthetic training scenes: a table with print and objects, thrown dice, lamps, and a camera.

Everything random comes from the caller's generator; no photos are used. Lengths are in sides of a die until the camera
converts them to px.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from ...training.camera import photograph_of
from ...training.colours import Generator, any_colour, hsv, linear, near
from ...training.grounds import CLUTTER, EMBLEMS, GROUNDS, glare, marked_place, noise, pick
from ...training.props import any_props
from .dice import DieLook, any_look, die_mesh, die_picture, turned, upright
from .world import Lamp, Mesh, Solid, Surface, View

SAMPLES = 4
"""Light paths per pixel; the remaining noise is removed."""
GROUND_PX = 768
WITH_CLUTTER = 0.65
"""Share of the tables with flat clutter; those with dice ..."""
CLUTTERED = 2.2
"""... and the average number of its kinds there."""
WITH_BOARDS = 0.35
"""Share of the tables on which printed boards with tiles lie ..."""
PITCH = 1.45, 2.2
"""... and the width of their spaces."""
STEEPEST = 0.8
"""Radians; tilt of the camera from the vertical, 46 degrees."""
PACKED = 0.2
"""Share of the scenes in which dice of many kinds lie close together in rows ..."""
MOST_PACKED = 25
"""... at most so many, for the time that rendering takes."""
MARKED = 0.3
"""Share of the tables with printed places for dice, in most of which one lies."""
OWN_TONE = 0.5
"""Share of the tables that are paper of about the colour of pale dice on them."""
PALE = 150
"""Grey level; the least channel of the colour of pale dice."""
WARM = 0.3
"""Share of the lamps that are as warm as a bulb."""
COCKED_TILT = (0.5, 0.9)
"""Radians; how far cocked dice lean."""
LEANING = 0.06
"""Radians; dice that lie flat lean half as much, as a standard deviation."""
CLEAR, HALF, LITTLE = 0.85, 0.7, 0.25
"""Visible shares of a top face: from the first on its value counts, between the others it is hidden."""
FINER = 2
"""Samples per px along a side of printed scenes."""
USUAL_SIDE = 25.0
"""px; assumed for a table without dice."""
UNKNOWN_VALUE = 0
"""Value of a die that is unreadable."""


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """The truth about one die in a scene, px of the scene."""

    centre: tuple[float, float]
    """Centre of the face that points up most."""
    side: float
    """Length of its sides at that face, seen square on."""
    value: int
    """Value of that face; UNKNOWN_VALUE when too little of it is visible to decide whether it is readable."""
    cocked: bool = False
    hidden: bool = False
    """Whether something hides about half of that face."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A frame and the dice in it."""

    frame: np.ndarray
    """(H, W, 3) uint8 BGR."""
    dice: tuple[DrawnDie, ...]


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a camera over a scene would see."""

    radiance: np.ndarray
    """(H, W, 3) float16 BGR, linear."""
    dice: tuple[DrawnDie, ...]

    def photograph(self, rng: Generator) -> Scene:
        """Returns a photo of it, each time by another camera."""
        side = float(np.median([die.side for die in self.dice])) if self.dice else USUAL_SIDE
        return Scene(photograph_of(rng, self.radiance.astype(np.float32), side), self.dice)


@dataclass(frozen=True, slots=True)
class _Die:
    """A die on the table."""

    solid: Solid
    value: int
    size: float
    cocked: bool

    def top(self) -> np.ndarray:
        """Returns (3,) middle of its top face."""
        axes = self.solid.pose / self.size
        direction = axes[:, int(np.argmax(np.abs(axes[2])))]
        direction = direction * np.sign(direction[2])
        top: np.ndarray = self.solid.place + direction * self.size / 2
        return top

    def face_points(self) -> np.ndarray:
        """Returns (25, 3) points all over its top face."""
        axes = (self.solid.pose / self.size).T
        rest = [axis for axis in axes if abs(axis[2]) < np.abs(axes[:, 2]).max()]
        spread = np.linspace(-0.36, 0.36, 5) * self.size
        return np.array([self.top() + i * rest[0] + j * rest[1] for i in spread for j in spread])


def render_scene(rng: Generator, size: int, sides: tuple[float, float]) -> Rendered:
    """Returns a square scene of *size* px in which dice have *sides* between two values, px."""
    from .studio import photograph  # needs Blender, which using rendered scenes does not

    px = float(np.exp(rng.uniform(*np.log(sides))))
    width = size / px
    view = _view(rng, width, px, size)
    tilted = float(np.hypot(*view.place[:2]) / np.linalg.norm(view.place))
    extent = width * (1.6 + 1.4 * tilted) + 2
    dice = _throw(rng, width) if rng.random() < 0.9 else []
    objects = _objects(rng, width, dice) if rng.random() < 0.5 else []
    if rng.random() < 0.12:
        objects.append(_arm(rng, width))
    solids = [*(die.solid for die in dice), *objects]
    probes = [die.face_points() for die in dice]
    radiance, seen = photograph(
        _ground(rng, extent, [die.solid.place[:2] for die in dice], paper=_paper_of(rng, dice)),
        extent,
        solids,
        _lamps(rng),
        _sky(rng),
        view,
        SAMPLES,
        int(rng.integers(2**31)),
        probes,
    )
    drawn = [_truth(die, view, points, share) for die, points, share in zip(dice, probes, seen, strict=True)]
    return Rendered(radiance.astype(np.float16), tuple(drawn))


def printed_scene(rng: Generator, size: int, sides: tuple[float, float]) -> Rendered:
    """Returns a scene like :func:`render_scene`, with print alone: flat, so that no ray has to be traced."""
    px = float(np.exp(rng.uniform(*np.log(sides))))
    width = size / px
    view = _view(rng, width, px, size)
    tilted = float(np.hypot(*view.place[:2]) / np.linalg.norm(view.place))
    extent = width * (1.6 + 1.4 * tilted) + 2
    light = linear(_ground(rng, extent, [], 1.0).colour) * (_sky(rng) + _lit(_lamps(rng), extent))
    corners = np.array([(-1, 1, 0), (1, 1, 0), (1, -1, 0), (-1, -1, 0)], float) * extent / 2
    seen, _ = view.project(corners)
    ends = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) * GROUND_PX - 0.5
    warp = cv2.getPerspectiveTransform(ends, (FINER * (seen + 0.5) - 0.5).astype(np.float32))
    fine = cv2.warpPerspective(
        light.astype(np.float32), warp, (FINER * size, FINER * size), borderMode=cv2.BORDER_REPLICATE
    )
    return Rendered(cv2.resize(fine, (size, size), interpolation=cv2.INTER_AREA).astype(np.float16), ())


def _lit(lamps: Sequence[Lamp], extent: float) -> np.ndarray:
    """Returns (GROUND_PX, GROUND_PX, 3) float32 BGR: the light of the *lamps* on a table of side *extent*."""
    along = np.linspace(-0.5, 0.5, 64) * extent
    points = np.stack([*np.meshgrid(along, -along), np.zeros((64, 64))], -1)
    light = np.zeros((64, 64, 3))
    for (
        lamp
    ) in lamps:  # falls with the square of the distance and with the angle: the third power of the distance
        nearness = np.linalg.norm(lamp.place) / np.linalg.norm(lamp.place - points, axis=-1)
        light += lamp.irradiance * nearness[..., None] ** 3 * lamp.colour
    return cv2.resize(light.astype(np.float32), (GROUND_PX, GROUND_PX), interpolation=cv2.INTER_LINEAR)


def _truth(die: _Die, view: View, points: np.ndarray, share: float) -> DrawnDie:
    """Returns the truth about *die*, with *share* of the *points* of its top face not occluded."""
    spots, _ = view.project(points)
    inside = ((spots > -0.5) & (spots < view.size - 0.5)).all(1).mean()
    (centre,), (scale,) = view.project(die.top())
    share *= float(inside)
    hidden = LITTLE <= share < HALF
    value = die.value if share >= CLEAR or hidden else UNKNOWN_VALUE
    return DrawnDie((float(centre[0]), float(centre[1])), float(scale * die.size), value, die.cocked, hidden)


def _view(rng: Generator, width: float, px: float, size: int) -> View:
    tilt = min(abs(rng.normal(0, 0.15)), STEEPEST) if rng.random() < 0.5 else rng.uniform(0, STEEPEST)
    towards = rng.uniform(0, 2 * np.pi)
    distance = max(1.2 * width, float(np.exp(rng.uniform(np.log(5), np.log(40)))))
    direction = np.array([np.sin(tilt) * np.cos(towards), np.sin(tilt) * np.sin(towards), np.cos(tilt)])
    return View(distance * direction, rng.uniform(0, 2 * np.pi), px, size)


def _paper_of(rng: Generator, dice: Sequence[_Die]) -> np.ndarray | None:
    """Returns a colour (3,) float BGR 0..255 like that of the *dice*, if they are pale and lie on such paper."""
    if not dice or rng.random() >= OWN_TONE:
        return None
    body = np.median(dice[0].solid.surface.colour.reshape(-1, 3), axis=0)
    return near(rng, body * rng.uniform(0.75, 1.1), 10) if body.min() >= PALE else None


def _ground(
    rng: Generator,
    extent: float,
    spots: Sequence[np.ndarray],
    cluttered: float = WITH_CLUTTER,
    paper: np.ndarray | None = None,
) -> Surface:
    """Returns a table on which dice lie at the *spots* (2,); it is *cluttered* with this probability.

    It is plain *paper* of this colour, (3,) float BGR 0..255, or any ground.
    """
    canvas = pick(rng, GROUNDS)(rng, GROUND_PX) if paper is None else _paper(rng, paper)
    side = GROUND_PX / extent
    for _ in range(rng.poisson(CLUTTERED) if rng.random() < cluttered else 0):
        pick(rng, CLUTTER)(rng, canvas, side)
    if rng.random() < WITH_BOARDS:
        pitch = rng.uniform(*PITCH)
        for _ in range(1 + rng.poisson(min(3.0, (extent / (10 * pitch)) ** 2))):
            _draw_board(rng, canvas, pitch * side)
    if rng.random() < MARKED:
        free = rng.uniform(-0.4, 0.4, (rng.integers(0, 4), 2)) * extent
        for x, y in [*(spot for spot in spots if rng.random() < 0.7), *free]:
            marked_place(rng, canvas, np.array([0.5 + x / extent, 0.5 - y / extent]) * GROUND_PX, side)
    if rng.random() < 0.05:
        glare(rng, canvas, side)
    return Surface(canvas, roughness=rng.uniform(0.15, 1))


def _paper(rng: Generator, colour: np.ndarray) -> np.ndarray:
    """Returns (GROUND_PX, GROUND_PX, 3) float32 BGR: paper, a little uneven."""
    uneven = noise(rng, GROUND_PX, GROUND_PX / 3, GROUND_PX / 3) * rng.uniform(0, 8)
    paper: np.ndarray = colour.astype(np.float32) + uneven[..., None]
    return paper


def _draw_board(rng: Generator, canvas: np.ndarray, pitch: float) -> None:
    """Draws a synthetic board with tiles anywhere; *pitch* in px of the *canvas*."""
    props = any_props(rng)
    world, zoom = props.bare_table(rng), pitch / props.PRINT_PX
    if zoom < 1:
        world = cv2.resize(world, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    middle = (np.array(world.shape[1::-1]) - 1) / 2
    warp = cv2.getRotationMatrix2D(middle.tolist(), rng.uniform(0, 360), max(1.0, zoom))
    warp[:, 2] = warp[:, 2] + (rng.uniform(0, len(canvas), 2) - middle)
    cv2.warpAffine(
        world, warp, canvas.shape[1::-1], canvas, cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT
    )


def _lamps(rng: Generator) -> list[Lamp]:
    """Returns a lamp, small or as soft as a window, and perhaps weaker ones."""
    lamps = []
    for strength in (1.0, rng.uniform(0.1, 0.8), rng.uniform(0.1, 0.5))[: int(rng.choice([1, 1, 2, 2, 3]))]:
        distance, rise = rng.uniform(8, 40), rng.uniform(0.4, np.pi / 2)
        towards = rng.uniform(0, 2 * np.pi)
        place = distance * np.array(
            [np.cos(rise) * np.cos(towards), np.cos(rise) * np.sin(towards), np.sin(rise)]
        )
        size = distance * (rng.uniform(0.02, 0.15) if rng.random() < 0.5 else rng.uniform(0.15, 0.8))
        warmth = rng.uniform(0, 1) if rng.random() < WARM else 0.0
        tint = np.array([0.35, 0.7, 1.0]) ** warmth
        lamps.append(Lamp(place, size, strength, tint * np.exp(rng.normal(0, 0.15, 3))))
    return lamps


def _sky(rng: Generator) -> np.ndarray:
    bgr: np.ndarray = np.exp(rng.uniform(np.log(0.05), np.log(1.2))) * np.exp(rng.normal(0, 0.1, 3))
    return bgr


# --- dice ----------------------------------------------------------------------------------------------------


def _throw(rng: Generator, width: float) -> list[_Die]:
    """Returns some dice of a few kinds, alone, touching each other, or of more kinds in rows."""
    packed = rng.random() < PACKED
    looks = [any_look(rng) for _ in range(rng.integers(1, 9 if packed else 4))]
    surfaces = [
        Surface(die_picture(look, rng), look.roughness, look.transmission, look.metallic) for look in looks
    ]
    mixed = not packed and rng.random() < 0.1
    dice = []
    for spot, yaw in _packed_places(rng, width) if packed else _places(rng, width):
        kind = int(rng.integers(len(looks)))
        size = rng.uniform(0.75, 1.1) if mixed else rng.uniform(0.97, 1.0 if packed else 1.03)
        dice.append(_die(rng, looks[kind], surfaces[kind], spot, yaw, size))
    return dice


def _die(rng: Generator, look: DieLook, surface: Surface, spot: np.ndarray, yaw: float, size: float) -> _Die:
    value = int(rng.integers(1, 7))
    cocked = bool(rng.random() < 0.04)
    lean = rng.uniform(*COCKED_TILT) if cocked else abs(rng.normal(0, LEANING / 2))
    pose = size * _leaning(lean, rng.uniform(0, 2 * np.pi)) @ upright(look, value, yaw)
    mesh = die_mesh(look)
    height = -float((mesh.points @ pose.T)[:, 2].min())
    return _Die(Solid(mesh, surface, pose, np.array([*spot, height])), value, size, cocked)


def _leaning(angle: float, towards: float) -> np.ndarray:
    """Returns (3, 3) rotation by *angle* about the level axis that lies at *towards*."""
    x, y = np.cos(towards), np.sin(towards)
    cross = np.array([[0, 0, y], [0, 0, -x], [-y, x, 0]])
    rotation: np.ndarray = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return rotation


def _places(rng: Generator, width: float) -> list[tuple[np.ndarray, float]]:
    """Returns centres and yaws of dice that lie alone or touch each other, without overlaps."""
    places: list[tuple[np.ndarray, float]] = []
    for _ in range(rng.integers(1, 15)):
        yaw = rng.uniform(0, 2 * np.pi)
        spot = rng.uniform(-0.47, 0.47, 2) * width
        if places and rng.random() < 0.5:
            near, near_yaw = places[int(rng.integers(len(places)))]
            square = rng.random() < 0.4
            yaw = near_yaw if square else yaw
            beside = near_yaw + rng.integers(4) * np.pi / 2 if square else rng.uniform(0, 2 * np.pi)
            spot = near + rng.uniform(1.0, 1.5) * np.array([np.cos(beside), np.sin(beside)])
        apart = all(np.hypot(*(spot - other)) > _clearance(yaw - other_yaw) for other, other_yaw in places)
        if apart and np.abs(spot).max() < 0.5 * width:
            places.append((spot, yaw))
    return places


def _packed_places(rng: Generator, width: float) -> list[tuple[np.ndarray, float]]:
    """Returns centres and yaws of dice in rows side by side, some of which are missing."""
    turn, step = rng.uniform(0, 2 * np.pi), rng.uniform(1.005, 1.15)
    rows, columns = rng.integers(2, 8, 2)
    along, across = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))]) * step
    middle, missing = rng.uniform(-0.2, 0.2, 2) * width, rng.uniform(0, 0.3)
    spots = [
        middle + (column - (columns - 1) / 2) * along + (row - (rows - 1) / 2) * across
        for row in range(rows)
        for column in range(columns)
        if rng.random() > missing
    ]
    inside = [spot for spot in spots if np.abs(spot).max() < 0.6 * width]
    return [(spot, turn + rng.integers(4) * np.pi / 2) for spot in inside[:MOST_PACKED]]


def _clearance(turn: float) -> float:
    """Returns the least distance of two dice, in sides: a little over 1 side by side, 1.23 corner to corner."""
    distance: float = 1.03 + 0.2 * abs(np.sin(2 * turn))
    return distance


# --- other things --------------------------------------------------------------------------------------------


def _objects(rng: Generator, width: float, dice: list[_Die]) -> list[Solid]:
    """Tiles, discs, beads and blank blocks that lie between the dice, none under or on them."""
    taken = [(die.solid.place[:2], 0.75) for die in dice]
    objects = []
    for _ in range(rng.integers(1, 9)):
        spot, reach = rng.uniform(-0.5, 0.5, 2) * width, rng.uniform(0.2, 1.3)
        if all(np.hypot(*(spot - other)) > reach + room for other, room in taken):
            objects.append(OBJECTS[int(rng.integers(len(OBJECTS)))](rng, spot, reach))
            taken.append((spot, reach))
    return objects


def _tile(rng: Generator, spot: np.ndarray, reach: float) -> Solid:
    """Returns a cardboard tile or a token with a picture on it."""
    corners = int(rng.choice([4, 6, 6, 24, 24]))
    picture = np.empty((96, 96, 3), np.float32)
    picture[:] = any_colour(rng)
    if rng.random() < 0.7:
        pick(rng, EMBLEMS)(rng, picture, np.array([48.0, 48.0]), 96 * rng.uniform(0.4, 0.9))
    height = rng.uniform(0.03, 0.35)
    turn = turned(rng.uniform(0, 2 * np.pi))
    scale = np.diag([reach, reach, height])
    return Solid(
        prism(corners), Surface(picture, rng.uniform(0.1, 0.9)), turn @ scale, np.array([*spot, 0.0])
    )


def _game_tile(rng: Generator, spot: np.ndarray, reach: float) -> Solid:
    """Returns a tile of any game and printing."""
    picture = any_props(rng).any_tile(rng)
    # The picture has its corners above and below, the prism on both sides.
    picture = np.ascontiguousarray(np.rot90(picture)).astype(np.float32)
    size = min(reach, rng.uniform(*PITCH) / np.sqrt(3))
    pose = turned(rng.uniform(0, 2 * np.pi)) @ np.diag([size, size, rng.uniform(0.06, 0.2)])
    return Solid(prism(6), Surface(picture, rng.uniform(0.1, 0.9)), pose, np.array([*spot, 0.0]))


def _bead(rng: Generator, spot: np.ndarray, reach: float) -> Solid:
    look = replace(any_look(rng), edge_radius=0.5, ball_radius=0.87, pip_depth=0.0)
    size = min(reach, 0.6) * np.diag(rng.uniform(0.7, 1.3, 3))
    place = np.array([*spot, size[2, 2] / 2])
    return Solid(die_mesh(look), Surface(look.body, look.roughness, look.transmission), size, place)


def _rod(rng: Generator, spot: np.ndarray, reach: float) -> Solid:
    """Returns a pen, a stick or a handle that lies on the table and touches no die by much."""
    thick, long = rng.uniform(0.08, 0.4), rng.uniform(1.5, 8)
    pose = turned(rng.uniform(0, 2 * np.pi)) @ _leaning(np.pi / 2, 0) @ np.diag([thick, thick, long])
    middle = np.array([*spot, thick]) - pose @ (0, 0, 0.5)
    surface = Surface(any_colour(rng), rng.uniform(0.05, 0.8), metallic=float(rng.random() < 0.3))
    return Solid(prism(int(rng.choice([6, 24])), smooth=True), surface, pose, middle)


def _block(rng: Generator, spot: np.ndarray, reach: float) -> Solid:
    """Returns a blank cube or bar with edges like a die's."""
    look = replace(any_look(rng), pip_depth=0.0)
    long = np.array([1.0, rng.choice([1.0, rng.uniform(0.4, 2)]), rng.choice([1.0, rng.uniform(0.3, 1.5)])])
    size = np.diag(long * reach / max(long[0], long[1]) * 1.2)
    place = np.array([*spot, size[2, 2] / 2])
    turn = turned(rng.uniform(0, 2 * np.pi))
    return Solid(die_mesh(look), Surface(look.body, look.roughness), turn @ size, place)


OBJECTS: tuple[Callable[[Generator, np.ndarray, float], Solid], ...] = (
    _tile,
    _tile,
    _game_tile,
    _game_tile,
    _game_tile,
    _bead,
    _block,
    _rod,
)


def _arm(rng: Generator, width: float) -> Solid:
    """Returns a finger or an arm that reaches in over the table."""
    skin = hsv(rng.uniform(8, 30), rng.uniform(0.2, 0.6), rng.uniform(0.3, 0.95))
    thick = rng.uniform(0.4, 1.6)
    scale = np.diag([thick, thick, 2 * width])
    rolled_over = _leaning(np.pi / 2, 0) @ scale
    towards = rng.uniform(0, 2 * np.pi)
    end = rng.uniform(-0.4, 0.4, 2) * width
    pose = turned(towards) @ rolled_over
    place = np.array([*end, thick + rng.uniform(0.8, 3)])
    return Solid(prism(24, smooth=True), Surface(skin, 0.5), pose, place)


def prism(corners: int, smooth: bool = False) -> Mesh:
    """Returns a prism of radius and height one that stands on the origin; *corners* are even. Its picture lies on the
    top."""
    turn = np.arange(corners) * 2 * np.pi / corners
    ring = np.stack([np.cos(turn), np.sin(turn)], 1)
    flat = np.concatenate([ring, ring, [(0, 0)]])
    points = np.column_stack([flat, np.repeat([0.0, 1.0, 1.0], [corners, corners, 1])])
    after = (np.arange(corners) + 1) % corners
    low = np.arange(corners)
    walls = np.stack([low, after, after + corners, low + corners], 1)
    even = low[::2]
    top = np.stack(
        [
            np.full(len(even), 2 * corners),
            even + corners,
            (even + 1) % corners + corners,
            (even + 2) % corners + corners,
        ],
        1,
    )
    squares = np.concatenate([walls, top])
    uv = (flat[squares] * 0.95 + 1) / 2
    return Mesh(points.astype(np.float32), squares.astype(np.int32), uv.astype(np.float32), smooth)
