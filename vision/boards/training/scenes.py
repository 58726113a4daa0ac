"""Made-up scenes: a duchy with tiles, storage and a depot of one printing, photographed. Lengths are in pitches.

The scene is drawn flat, lit, and seen through a camera by one warp; so shadows and the thickness of tiles are painted,
not traced. What is learnt from it is to tell prints from tiles of printings never seen, for which the number of
different printings counts, not the exactness of light.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.facts import COLOURS, DUCHY_COLOURS
from vision.boards.training.printing import (
    CARD,
    PRINT_PX,
    TILE_PX,
    Printing,
    any_printing,
    disc,
    duchy_picture,
    hexagon,
    lettering,
    polygon,
    rough,
    tile_picture,
)
from vision.geometry import Plane, hexgrid
from vision.training.camera import photograph_of
from vision.training.colours import Generator, any_colour, hsv, linear, near
from vision.training.grounds import EMBLEMS, GROUNDS, LOOSE_CLUTTER, pick

SPACES = 37
WORLD = 13.0
"""Width of the piece of table that is drawn."""
WORLD_PX = round(WORLD * PRINT_PX)
MIDDLE = np.full(2, (WORLD_PX - 1) / 2)
PITCHES = 24.0, 56.0
"""px per pitch in the photograph."""
VARIANTS = {"castle": 1, "mine": 1, "ship": 1, "livestock": 12, "building": 8, "monastery": 26}
MOST_OFF_BOARD, MOST_LOOSE = 11, 5
PLACES = SPACES + MOST_OFF_BOARD + MOST_LOOSE
OFF_BOARD = SPACES
"""Position of all places that are not on the duchy."""
UNKNOWN = -1
"""No tile, no printed colour, no printed face."""
HIDDEN_FROM = 0.4
"""Share of a place that is covered, or burnt to white, from which nothing is asked about it."""
SKINS = ((20, 0.45, 0.85), (18, 0.55, 0.65), (15, 0.6, 0.4), (22, 0.35, 0.95))


@dataclass(slots=True)
class Places:
    """Places of one scene: what they show, and how they look from above."""

    centres: np.ndarray
    """(N, 2) from the middle space."""
    position: np.ndarray
    """(N,) int: space of the duchy, or OFF_BOARD."""
    colour: np.ndarray
    """(N,) int printed colour."""
    die: np.ndarray
    """(N,) int printed face."""
    tile: np.ndarray
    """(N,) int type of the tile."""
    variant: np.ndarray
    """(N,) int."""
    turn: np.ndarray
    """(N,) radians by which the hexagon is turned: loose tiles lie anyhow."""


@dataclass(slots=True)
class Scene:
    """A photograph of a scene."""

    frame: np.ndarray
    """(S, S, 3) uint8 BGR."""
    plane: Plane
    """From pitches to px."""
    places: Places
    hidden: np.ndarray
    """(N,) bool."""


def any_scenes(rng: Generator, photos: int) -> list[Scene]:
    """One table, photographed by as many cameras, each in another light."""
    printing = any_printing(rng)
    places = _any_places(rng)
    world, cover = _drawn(rng, printing, places)
    return [_photographed(rng, world, cover, places) for _ in range(photos)]


# --- what lies where -----------------------------------------------------------------------------------------


def any_duchy(rng: Generator) -> list[tuple[str, int]]:
    """Colours and faces of 37 spaces: as many of each colour as on a real board, in patches, or at random."""
    colours = np.repeat(np.arange(len(COLOURS)), [DUCHY_COLOURS[colour] for colour in COLOURS])
    if rng.random() < 0.3:
        return [(COLOURS[c], int(rng.integers(1, 7))) for c in rng.permutation(colours)]
    grid, left = hexgrid(), list(rng.permutation(SPACES))
    chosen = np.empty(SPACES, int)
    for colour in rng.permutation(len(COLOURS)):
        wanted = int((colours == colour).sum())
        while wanted:
            seed = left[0]
            near_seed = sorted(left, key=lambda space: np.hypot(*(grid[space] - grid[seed])))
            taken = near_seed[: min(wanted, int(rng.integers(1, 7)))]
            chosen[taken] = colour
            left = [space for space in left if space not in taken]
            wanted -= len(taken)
    return [(COLOURS[c], int(rng.integers(1, 7))) for c in chosen]


def _any_places(rng: Generator) -> Places:
    duchy = any_duchy(rng)
    storage, depot = _off_board(rng)
    loose = _loose(rng, np.concatenate([storage, depot]))
    off = len(storage) + len(depot) + len(loose)
    colour = np.concatenate(
        [
            [COLOURS.index(c) for c, _ in duchy],
            np.full(len(storage), UNKNOWN),
            rng.integers(len(COLOURS), size=len(depot)),
            np.full(len(loose), UNKNOWN),
        ]
    ).astype(int)
    die = np.array([face for _, face in duchy] + [UNKNOWN] * off)
    filled = rng.choice([0.0, rng.uniform(0, 0.3), rng.uniform(0, 1)], p=[0.08, 0.32, 0.6])
    share = np.r_[np.full(SPACES, filled), np.full(len(storage) + len(depot), 0.6), np.ones(len(loose))]
    laid = rng.random(len(colour)) < share
    wrong = rng.random(len(colour)) < rng.choice([0.0, 0.05, 0.4], p=[0.45, 0.43, 0.12])
    anything = rng.integers(0, len(COLOURS), len(colour))
    tile = np.where(wrong | (colour == UNKNOWN), anything, colour)
    variant = [int(rng.integers(VARIANTS[COLOURS[t]])) for t in tile]
    turn = np.zeros(len(colour))
    turn[len(colour) - len(loose) :] = rng.uniform(0, np.pi / 3, len(loose))
    return Places(
        centres=np.concatenate([hexgrid(), storage, depot, loose]),
        position=np.minimum(np.arange(len(colour)), OFF_BOARD),
        colour=colour,
        die=die,
        tile=np.where(laid, tile, UNKNOWN),
        variant=np.array(variant),
        turn=turn,
    )


def _loose(rng: Generator, others: np.ndarray) -> np.ndarray:
    """(N, 2) middles of tiles lying anywhere but on the card and on *others*."""
    found: list[np.ndarray] = []
    for at in rng.uniform(-WORLD / 2 + 0.6, WORLD / 2 - 0.6, (int(rng.integers(0, 3 * MOST_LOOSE)), 2)):
        beside = (np.abs(at) > np.array(CARD) / 2 + 0.6).any()
        apart = all(np.hypot(*(at - other)) > 1.25 for other in (*others, *found))
        if beside and apart and len(found) < MOST_LOOSE:
            found.append(at)
    return np.array(found).reshape(-1, 2)


def _off_board(rng: Generator) -> tuple[np.ndarray, np.ndarray]:
    """Centres of three storage spaces beside the card and of a depot's up to eight places, or of those of a column."""
    side, along = rng.choice([-1, 1]), np.arange(3) * rng.uniform(1.05, 1.4) + rng.uniform(-2.5, 0.5)
    apart = rng.uniform(4.4, 4.9)
    storage = np.column_stack([along, np.full(3, side * apart)])
    corner = np.array([rng.choice([-1, 1]) * rng.uniform(4.9, 5.2), rng.uniform(-4.5, 4.5)])
    steps = np.array(
        [(0, 0), (1, 0), (0.5, 0.866), (-0.5, 0.866), (0, 1.732), (1, 1.732), (-0.5, -0.866), (0.5, -0.866)]
    )
    if rng.random() < 0.3:
        steps = np.column_stack([np.zeros(6), np.arange(6) - 3]) * rng.uniform(1.15, 1.5)
    depot = corner + (steps - (0.25, 0.4)) * rng.uniform(1.0, 1.1)
    inside = (np.abs(depot) < WORLD / 2 - 0.6).all(1) & (np.abs(depot[:, 0]) > 4.3)
    return storage, depot[inside][: int(rng.integers(0, 9))]


# --- drawn flat ----------------------------------------------------------------------------------------------


def _px(points: np.ndarray) -> np.ndarray:
    return np.asarray(points) * PRINT_PX + MIDDLE


def _drawn(rng: Generator, printing: Printing, places: Places) -> tuple[np.ndarray, np.ndarray]:
    """The world, (WORLD_PX, WORLD_PX, 3) float32 BGR, and (WORLD_PX, WORLD_PX) uint8 255 where things lie over it."""
    world = pick(rng, GROUNDS)(rng, WORLD_PX)
    cover = np.zeros(world.shape[:2], np.uint8)
    if rng.random() < 0.7:
        _player_board(rng, world)
    duchy = [(COLOURS[c], int(d)) for c, d in zip(places.colour[:SPACES], places.die[:SPACES], strict=True)]
    card = duchy_picture(printing, duchy, rng)
    y, x = ((np.array(world.shape[:2]) - card.shape[:2]) // 2).tolist()
    world[y : y + card.shape[0], x : x + card.shape[1]] = card
    for _ in range(rng.poisson(1.0)):
        _beside(rng, world, _print_squares)
    _print_off_board(rng, printing, world, places)
    if rng.random() < 0.3:
        for _ in range(rng.integers(1, 4)):
            _beside(rng, world, pick(rng, LOOSE_CLUTTER))
    light = rng.uniform(-np.pi, np.pi)
    for place in rng.permutation(len(places.tile)):
        if places.tile[place] != UNKNOWN:
            slip = np.clip(rng.normal(0, 0.035, 2), -0.14, 0.14)
            turn = np.degrees(places.turn[place]) + rng.integers(6) * 60 + np.clip(rng.normal(0, 3), -10, 10)
            picture = tile_picture(printing, COLOURS[places.tile[place]], str(places.variant[place] + 1))
            _lay(
                world,
                printing,
                picture,
                printing.tiles.edges[COLOURS[places.tile[place]]],
                places.centres[place] + slip,
                turn,
                light,
            )
    if rng.random() < 0.35:
        _overlay(rng, world)
    for _ in range(rng.poisson(2.0)):
        _put_something(rng, world, cover)
    return world, cover


def _player_board(rng: Generator, world: np.ndarray) -> None:
    reach = np.array(CARD) / 2 + rng.uniform(0.1, 2.2, 2)
    colour, edge = any_colour(rng), any_colour(rng)
    box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * reach + rng.uniform(-0.3, 0.3, 2)
    polygon(world, _px(box * 1.03), edge)
    inner = np.round(_px(box)).astype(np.int32)
    mask = np.zeros(world.shape[:2], np.uint8)
    cv2.fillPoly(mask, [inner], 255)
    board = np.empty_like(world)
    board[:] = colour
    board += rough(rng, WORLD_PX, rng.uniform(3, 60), rng.exponential(8))
    world[mask > 0] = board[mask > 0]


def _beside(rng: Generator, world: np.ndarray, clutter) -> None:
    """Draws clutter that leaves the card alone."""
    y, x = ((np.array(world.shape[:2]) - np.array(CARD[::-1]) * PRINT_PX) / 2).astype(int).tolist()
    card = world[y:-y, x:-x].copy()
    clutter(rng, world, PRINT_PX * 0.6)
    world[y:-y, x:-x] = card


def _print_squares(rng: Generator, world: np.ndarray, side: float) -> None:
    """A row of squares, as goods and steps of a track are printed or lie: they are no spaces, however they touch."""
    side *= rng.uniform(0.5, 1.3)
    start, turn = rng.uniform(0, WORLD_PX, 2), rng.choice([0.0, np.pi / 2]) + rng.normal(0, 0.05)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * side
    gap, line, fill = rng.uniform(1.0, 1.6), any_colour(rng), any_colour(rng)
    art = pick(rng, EMBLEMS) if rng.random() < 0.6 else None
    for step in range(rng.integers(1, 12)):
        at = start + np.array([step * gap * side, 0]) @ axes
        if rng.random() < 0.8:
            polygon(world, at + square @ axes, line)
            polygon(world, at + 0.88 * square @ axes, near(rng, fill, 6))
            if art is not None:
                art(rng, world, at, 0.6 * side)


def _print_off_board(rng: Generator, printing: Printing, world: np.ndarray, places: Places) -> None:
    """Empty storage spaces and depot slots: outlines, dark or pale hexagons, or their colour, with a mark or none."""
    dark, outline, mark = any_colour(rng) * rng.uniform(0.1, 1), any_colour(rng), rng.random() < 0.4
    filled, coloured = rng.random() < 0.6, rng.random() < 0.7
    for place in np.flatnonzero((places.position == OFF_BOARD) & (places.turn == 0)):
        centre, colour = _px(places.centres[place]), places.colour[place]
        own = coloured and colour != UNKNOWN
        fill = near(rng, printing.spaces.fills[COLOURS[colour]], 4) if own else dark
        if colour != UNKNOWN and not own:
            places.colour[place] = UNKNOWN
        if filled or own:
            polygon(world, hexagon(centre, PRINT_PX * 1.02), outline)
            polygon(world, hexagon(centre, PRINT_PX * 0.96), fill)
        else:
            corners = np.round(hexagon(centre, PRINT_PX)).astype(np.int32)
            cv2.polylines(world, [corners], True, outline.tolist(), 2, cv2.LINE_AA)
        if mark:
            pick(rng, (_ring, _number_mark))(rng, world, centre, outline)


def _ring(rng: Generator, world: np.ndarray, centre: np.ndarray, colour: np.ndarray) -> None:
    at = np.round(centre).astype(int).tolist()
    cv2.circle(world, at, int(PRINT_PX * rng.uniform(0.08, 0.25)), colour.tolist(), 2, cv2.LINE_AA)


def _number_mark(rng: Generator, world: np.ndarray, centre: np.ndarray, colour: np.ndarray) -> None:
    lettering(world, str(rng.integers(1, 7)), np.add(centre, (-7, 8)), rng.uniform(0.5, 1), colour)


def _lay(
    world: np.ndarray,
    printing: Printing,
    picture: np.ndarray,
    edge: np.ndarray,
    at: np.ndarray,
    turn: float,
    light: float,
) -> None:
    """Lays a tile: its shadow, its side away from the camera, its face."""
    style, reach = printing.tiles, TILE_PX * 3 // 4
    centre = _px(at)
    x, y = np.round(centre).astype(int) - reach
    window = world[max(0, y) : y + 2 * reach, max(0, x) : x + 2 * reach]
    middle = centre - (max(0, x), max(0, y))
    away = np.array([np.cos(light), np.sin(light)]) * style.thickness * PRINT_PX
    width, radians = style.size * PRINT_PX, np.radians(turn)
    shade = np.zeros(window.shape[:2], np.float32)
    polygon(shade, hexagon(middle + 1.2 * away, width * 1.02, radians), 0.6)
    window *= 1 - cv2.GaussianBlur(shade, None, 1.0 + style.thickness * 25)[..., None]
    polygon(window, hexagon(middle + 0.35 * away, width, radians), edge * 0.45)
    mask = np.zeros(window.shape[:2], np.uint8)
    polygon(mask, hexagon(middle, width, radians), 255)
    warp = cv2.getRotationMatrix2D(((TILE_PX - 1) / 2,) * 2, -turn, 1)
    warp[:, 2] += middle - (TILE_PX - 1) / 2
    face = cv2.warpAffine(
        picture, warp, window.shape[1::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    window[mask > 0] = face[mask > 0]


def _overlay(rng: Generator, world: np.ndarray) -> None:
    """A transparent grid that holds tiles in place: pale or dark ribs around the spaces, and a haze."""
    ribs = np.zeros(world.shape[:2], np.float32)
    slip = rng.normal(0, 0.03, 2)
    for centre in hexgrid():
        outline = np.round(hexagon(_px(centre + slip), PRINT_PX)).astype(np.int32)
        cv2.polylines(ribs, [outline], True, 1.0, int(rng.integers(2, 6)), cv2.LINE_AA)
    strength = rng.uniform(0.1, 0.5)
    tone = rng.choice([255.0, 200.0, 60.0])
    world += (strength * ribs)[..., None] * (tone - world)
    world += rng.uniform(0, 0.12) * (230 - world)


def _put_something(rng: Generator, world: np.ndarray, cover: np.ndarray) -> None:
    """A die, a coin, goods or a pawn lying somewhere, on the card too."""
    at, side, turn = _px(rng.uniform(-5, 5, 2)), PRINT_PX * rng.uniform(0.3, 0.75), rng.uniform(0, np.pi)
    corners = int(rng.choice([4, 4, 20]))
    angles = turn + np.arange(corners) * 2 * np.pi / corners
    outline = side / np.sqrt(2) * np.stack([np.cos(angles), np.sin(angles)], 1)
    body, away = any_colour(rng), rng.normal(0, 0.1 * side, 2)
    for shift, colour in ((2 * away, world.mean((0, 1)) * 0.3), (away, body * 0.6), (0 * away, body)):
        polygon(world, at + outline + shift, colour)
        polygon(cover, at + outline + shift, 255)
    ink = np.full(3, 20.0) if body.mean() > 128 else np.full(3, 240.0)
    for spot in rng.uniform(-0.3, 0.3, (int(rng.integers(0, 7)), 2)) * side:
        disc(world, at + spot, side * rng.uniform(0.05, 0.15), ink)


# --- photographed --------------------------------------------------------------------------------------------


def _photographed(rng: Generator, world: np.ndarray, cover: np.ndarray, places: Places) -> Scene:
    pitch = float(np.exp(rng.uniform(*np.log(PITCHES))))
    size = int(pitch * rng.uniform(9.0, 12.5)) // 2 * 2
    homography = _any_view(rng, pitch, size)
    columns, rows = np.meshgrid(np.arange(size, dtype=np.float32), np.arange(size, dtype=np.float32))
    grid = np.stack([columns.ravel(), rows.ravel()], 1)[None].astype(np.float64)
    seen = cv2.perspectiveTransform(grid, np.linalg.inv(homography))[0]
    where = ((seen + _curl(rng, seen)) * PRINT_PX + MIDDLE).astype(np.float32).reshape(size, size, 2)
    sharp = world if pitch > PRINT_PX / 1.5 else cv2.GaussianBlur(world, None, 0.35 * PRINT_PX / pitch)
    flat = cv2.remap(sharp, where, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    covered = cv2.remap(cover, where, None, cv2.INTER_LINEAR)
    if rng.random() < 0.35:
        _hand(rng, flat, covered, pitch)
    frame = photograph_of(rng, _lit(rng, linear(flat), pitch), 0.5 * pitch)
    plane = Plane(homography)
    return Scene(frame, plane, places, _hidden(frame, covered, plane, places.centres))


def _any_view(rng: Generator, pitch: float, size: int) -> np.ndarray:
    """(3, 3) from pitches to px: the card turned anyhow, seen from up to 35 degrees off the vertical."""
    turn, tilt, towards = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(0, 35)), rng.uniform(0, 2 * np.pi)
    if rng.random() < 0.6:
        tilt /= 3
    c, s = np.cos(turn), np.sin(turn)
    spin = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    c, s = np.cos(towards), np.sin(towards)
    ahead = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    distance = rng.uniform(14, 40)
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), 0], [0, np.sin(tilt) / distance, 1]])
    at = size / 2 + rng.normal(0, 0.25 * pitch, 2)
    zoom = np.array([[pitch, 0, at[0]], [0, pitch, at[1]], [0, 0, 1]])
    return zoom @ ahead @ lean @ ahead.T @ spin


def _curl(rng: Generator, seen: np.ndarray) -> np.ndarray:
    """(N, 2) by how much a card that does not lie flat seems moved; at the points *seen* (N, 2)."""
    if rng.random() < 0.5:
        return np.zeros_like(seen)
    across = rng.uniform(0, 2 * np.pi)
    along = seen @ (np.cos(across), np.sin(across)) / 4
    rise = rng.normal(0, 0.1) * along**2 + rng.normal(0, 0.04) * along
    towards = rng.uniform(0, 2 * np.pi)
    return np.clip(rise, -0.25, 0.25)[:, None] * (np.cos(towards), np.sin(towards))


def _hand(rng: Generator, flat: np.ndarray, covered: np.ndarray, pitch: float) -> None:
    """An arm from the border, its hand and its shadow."""
    size = len(flat)
    skin = hsv(*SKINS[int(rng.integers(len(SKINS)))])
    tip = rng.uniform(0.1, 0.9, 2) * size
    turn = rng.uniform(0, 2 * np.pi)
    root = tip + 1.5 * size * np.array([np.cos(turn), np.sin(turn)])
    palm = tip + 2.0 * pitch * np.array([np.cos(turn), np.sin(turn)])
    arm, shadow = np.zeros(flat.shape[:2], np.uint8), rng.normal(0, 0.5 * pitch, 2)
    for away, colour in ((shadow, None), (np.zeros(2), skin)):
        arm[:] = 0
        for start, end, width in (
            (palm, root, 2.0),
            *((palm, tip + rng.normal(0, 0.8 * pitch, 2), 0.6) for _ in range(4)),
        ):
            ends = [np.round(p + away).astype(int).tolist() for p in (start, end)]
            cv2.line(arm, *ends, 255, max(1, round(width * pitch * rng.uniform(0.8, 1.1))))
        soft = (
            cv2.GaussianBlur(arm, None, 0.05 * pitch if colour is not None else 0.4 * pitch)[..., None] / 255
        )
        if colour is None:
            flat *= 1 - rng.uniform(0.2, 0.7) * soft
        else:
            shade = 1 + rough(rng, size, pitch, 0.15)[..., :1] if size > 4 else 1
            flat += soft * (colour * shade - flat)
            np.maximum(covered, arm, out=covered)


def _lit(rng: Generator, radiance: np.ndarray, pitch: float) -> np.ndarray:
    """*radiance* under lamps: uneven, coloured, with shadows and reflections."""
    size = len(radiance)
    y, x = np.mgrid[-1 : 1 : size * 1j, -1 : 1 : size * 1j].astype(np.float32)
    light = np.ones((size, size, 3), np.float32)
    turn = rng.uniform(0, 2 * np.pi)
    slope = rng.normal(0, 0.25) * (np.cos(turn) * x + np.sin(turn) * y) + rng.normal(0, 0.1) * (x**2 + y**2)
    warm = np.array([-1.0, 0.0, 1.0]) * rng.normal(0.05, 0.25)
    light *= np.exp(slope)[..., None] * np.exp(warm + rng.normal(0, 0.05, 3)).astype(np.float32)
    for _ in range(rng.poisson(0.5)):
        shade = np.zeros((size, size), np.float32)
        corners = rng.uniform(0, 1, 2) * size + rng.normal(0, 0.4 * size, (int(rng.integers(3, 6)), 2))
        polygon(shade, cv2.convexHull(corners.astype(np.float32))[:, 0], 1.0)
        shade = cv2.GaussianBlur(shade, None, pitch * rng.uniform(0.05, 1.0))
        light *= 1 - rng.uniform(0.1, 0.6) * shade[..., None]
    lit = radiance * light
    for _ in range(rng.poisson(0.8)):
        lit += _reflection(rng, size, pitch)[..., None] * rng.uniform(0.85, 1.0, 3).astype(np.float32)
    return lit


def _reflection(rng: Generator, size: int, pitch: float) -> np.ndarray:
    """(size, size) float32: a lamp mirrored in something glossy, as a spot or a streak."""
    spot = np.zeros((size, size), np.float32)
    long, wide = rng.uniform(0.3, 6), rng.uniform(0.1, 1.0)
    axes = np.maximum(1, np.array([long, wide]) * pitch).astype(int).tolist()
    at = (rng.uniform(0, 1, 2) * size).astype(int).tolist()
    cv2.ellipse(spot, at, axes, rng.uniform(0, 180), 0, 360, 1.0, -1)
    soft = pitch * np.exp(rng.uniform(np.log(0.02), 0))
    return cv2.GaussianBlur(spot, None, soft) * np.float32(rng.exponential(0.35))


def _hidden(frame: np.ndarray, covered: np.ndarray, plane: Plane, centres: np.ndarray) -> np.ndarray:
    """(N,) bool: places of which too little is seen."""
    unseen = np.maximum(covered, 255 * (frame.min(2) >= 250).astype(np.uint8))
    height, width = unseen.shape
    hidden = []
    for centre in centres:
        spots = plane.to_frame(centre + SPOTS)
        inside = ((spots > -0.5) & (spots < (width - 0.5, height - 0.5))).all(1)
        x, y = np.round(spots[inside]).astype(int).T
        hidden.append(1 - (unseen[y, x] < 128).sum() / len(SPOTS) >= HIDDEN_FROM)
    return np.array(hidden)


SPOTS = np.array(
    [
        (r * np.cos(a), r * np.sin(a))
        for r in (0.0, 0.15, 0.3, 0.42)
        for a in np.arange(0, 2 * np.pi, np.pi / 6)
    ]
)
"""Points of a place, from its middle."""
