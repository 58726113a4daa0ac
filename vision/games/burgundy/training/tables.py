"""Draws synthetic tables from above: a board with tiles, places beside it, one printing. Lengths are in pitches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.board_shape import BoardShape
from calibration.games.burgundy.facts import DUCHY_SPACES_BY_TYPE, TILE_TYPES

from ....geometry import hexgrid
from ....training.colours import Generator, any_colour, near
from ....training.grounds import EMBLEMS, GROUNDS, LOOSE_CLUTTER, pick
from ....training.pips import PIP_LAYOUTS
from .printing import (
    PRINT_PX,
    TILE_PX,
    Printing,
    any_printing,
    board_picture,
    card_size,
    disc,
    hexagon,
    lettering,
    polygon,
    rough,
    tile_picture,
)
from .shapes import MAX_SPACES, any_shape

AROUND = 5.25
"""Width of the drawn part of the table, more than that of the card."""
VARIANTS = {"castle": 1, "mine": 1, "ship": 1, "livestock": 12, "building": 8, "monastery": 26}
MAX_OFF_BOARD, MAX_LOOSE = 11, 5
PLACES = MAX_SPACES + MAX_OFF_BOARD + MAX_LOOSE
UNKNOWN = -1
"""No tile, no printed type, no printed face."""
OBJECTS = 2.5
"""Average number of objects on a table that are not tiles."""
ON_PLACES = 0.5
"""Share of them that lie on a place, tile or not."""


@dataclass(slots=True)
class Places:
    """The places of one scene and their content."""

    centres: np.ndarray
    """(N, 2) relative to the centre of the board."""
    on_board: np.ndarray
    """(N,) bool: spaces of the board, which come first in reading order."""
    space_type: np.ndarray
    """(N,) int printed tile type."""
    die: np.ndarray
    """(N,) int printed face."""
    tile: np.ndarray
    """(N,) int type of the tile."""
    variant: np.ndarray
    """(N,) int."""
    turn: np.ndarray
    """(N,) radians: rotation of the hexagon; loose tiles lie at any angle."""


@dataclass(frozen=True, slots=True)
class Table:
    """A part of a table, from above."""

    world: np.ndarray
    """(S, S, 3) float32 BGR, PRINT_PX px per pitch, with the centre of the board in the middle."""
    cover: np.ndarray
    """(S, S) uint8, 255 where objects cover it."""
    places: Places

    @property
    def width(self) -> float:
        return len(self.world) / PRINT_PX

    def px(self, points: np.ndarray) -> np.ndarray:
        """Converts pitches to px of the world."""
        return _px(self.world, points)


def any_table(rng: Generator, objects: float = OBJECTS) -> Table:
    """Returns a table with *objects* on average that are not tiles, some of them on places."""
    printing, shape = any_printing(rng), any_shape(rng)
    places = _any_places(rng, shape)
    return Table(*_drawn(rng, printing, places, objects), places)


# --- positions -----------------------------------------------------------------------------------------


def any_print(rng: Generator, shape: BoardShape) -> list[tuple[str, int]]:
    """Returns types and faces of the spaces of a board: about as many of each type as on a real one, in patches or at
    random."""
    count = len(shape.names)
    usual = np.repeat(
        np.arange(len(TILE_TYPES)), [DUCHY_SPACES_BY_TYPE[tile_type] for tile_type in TILE_TYPES]
    )
    tile_types = rng.permutation(np.resize(rng.permutation(usual), count))
    if rng.random() < 0.3:
        return [(TILE_TYPES[c], int(rng.integers(1, 7))) for c in tile_types]
    grid, left = hexgrid(shape), list(rng.permutation(count))
    chosen = np.empty(count, int)
    for tile_type in rng.permutation(len(TILE_TYPES)):
        missing = int((tile_types == tile_type).sum())
        while missing:
            seed = left[0]
            near_seed = sorted(left, key=lambda space: np.hypot(*(grid[space] - grid[seed])))
            taken = near_seed[: min(missing, int(rng.integers(1, 7)))]
            chosen[taken] = tile_type
            left = [space for space in left if space not in taken]
            missing -= len(taken)
    return [(TILE_TYPES[c], int(rng.integers(1, 7))) for c in chosen]


def _any_places(rng: Generator, shape: BoardShape) -> Places:
    printed, spaces = any_print(rng, shape), hexgrid(shape)
    storage, depot = _off_board(rng, np.array(card_size(spaces)) / 2)
    loose = _loose(rng, spaces, np.concatenate([storage, depot]))
    off = len(storage) + len(depot) + len(loose)
    space_type = np.concatenate(
        [
            [TILE_TYPES.index(name) for name, _ in printed],
            np.full(len(storage), UNKNOWN),
            rng.integers(len(TILE_TYPES), size=len(depot)),
            np.full(len(loose), UNKNOWN),
        ]
    ).astype(int)
    die = np.array([face for _, face in printed] + [UNKNOWN] * off)
    filled = rng.choice([0.0, rng.uniform(0, 0.3), rng.uniform(0, 1)], p=[0.08, 0.32, 0.6])
    share = np.r_[np.full(len(spaces), filled), np.full(len(storage) + len(depot), 0.6), np.ones(len(loose))]
    occupied = rng.random(len(space_type)) < share
    wrong = rng.random(len(space_type)) < rng.choice([0.0, 0.05, 0.4], p=[0.4, 0.4, 0.2])
    anything = rng.integers(0, len(TILE_TYPES), len(space_type))
    tile = np.where(wrong | (space_type == UNKNOWN), anything, space_type)
    variant = [int(rng.integers(VARIANTS[TILE_TYPES[t]])) for t in tile]
    turn = np.zeros(len(space_type))
    turn[len(space_type) - len(loose) :] = rng.uniform(0, np.pi / 3, len(loose))
    return Places(
        centres=np.concatenate([spaces, storage, depot, loose]),
        on_board=np.arange(len(space_type)) < len(spaces),
        space_type=space_type,
        die=die,
        tile=np.where(occupied, tile, UNKNOWN),
        variant=np.array(variant),
        turn=turn,
    )


def _loose(rng: Generator, spaces: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Returns (N, 2): centres of tiles anywhere outside the card of *spaces* (N, 2) and *others*."""
    card = np.array(card_size(spaces))
    reach, found = (card.max() + AROUND) / 2 - 0.6, list[np.ndarray]()
    for at in rng.uniform(-reach, reach, (int(rng.integers(0, 3 * MAX_LOOSE)), 2)):
        beside = (np.abs(at) > card / 2 + 0.6).any()
        apart = all(np.hypot(*(at - other)) > 1.25 for other in (*others, *found))
        if beside and apart and len(found) < MAX_LOOSE:
            found.append(at)
    return np.array(found).reshape(-1, 2)


def _off_board(rng: Generator, half: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the centres of three storage spaces beside a card, and of up to eight places of a depot or a column.

    *half* (2,) is half the width and height of the card.
    """
    side, along = rng.choice([-1, 1]), np.arange(3) * rng.uniform(1.05, 1.4) + rng.uniform(-2.5, 0.5)
    storage = np.column_stack([along, np.full(3, side * (half[1] + rng.uniform(0.7, 1.2)))])
    corner = np.array([rng.choice([-1, 1]) * (half[0] + rng.uniform(1.0, 1.3)), rng.uniform(-4.5, 4.5)])
    steps = np.array(
        [(0, 0), (1, 0), (0.5, 0.866), (-0.5, 0.866), (0, 1.732), (1, 1.732), (-0.5, -0.866), (0.5, -0.866)]
    )
    if rng.random() < 0.3:
        steps = np.column_stack([np.zeros(6), np.arange(6) - 3]) * rng.uniform(1.15, 1.5)
    depot = corner + (steps - (0.25, 0.4)) * rng.uniform(1.0, 1.1)
    reach = half.max() + AROUND / 2 - 0.6
    inside = (np.abs(depot) < reach).all(1) & (np.abs(depot[:, 0]) > half[0] + 0.45)
    return storage, depot[inside][: int(rng.integers(0, 9))]


# --- drawn flat ----------------------------------------------------------------------------------------------


def _px(world: np.ndarray, points: np.ndarray) -> np.ndarray:
    px: np.ndarray = np.asarray(points) * PRINT_PX + (len(world) - 1) / 2
    return px


def _drawn(
    rng: Generator, printing: Printing, places: Places, objects: float
) -> tuple[np.ndarray, np.ndarray]:
    """Returns the world and its cover, as in :class:`Table`."""
    spaces, types, dice = (
        column[places.on_board] for column in (places.centres, places.space_type, places.die)
    )
    size = card_size(spaces)
    world = pick(rng, GROUNDS)(rng, round((max(size) + AROUND) * PRINT_PX))
    cover = np.zeros(world.shape[:2], np.uint8)
    if rng.random() < 0.7:
        _player_board(rng, world, size)
    printed = [(TILE_TYPES[c], int(d)) for c, d in zip(types, dice, strict=True)]
    card = board_picture(printing, spaces, printed, rng)
    y, x = ((np.array(world.shape[:2]) - card.shape[:2]) // 2).tolist()
    world[y : y + card.shape[0], x : x + card.shape[1]] = card
    for _ in range(rng.poisson(1.0)):
        _beside(rng, world, size, _print_squares)
    _print_off_board(rng, printing, world, places)
    if rng.random() < 0.3:
        for _ in range(rng.integers(1, 4)):
            _beside(rng, world, size, pick(rng, LOOSE_CLUTTER))
    light = rng.uniform(-np.pi, np.pi)
    for place in rng.permutation(len(places.tile)):
        if places.tile[place] != UNKNOWN:
            offset = np.clip(rng.normal(0, 0.035, 2), -0.14, 0.14)
            turn = np.degrees(places.turn[place]) + rng.integers(6) * 60 + np.clip(rng.normal(0, 3), -10, 10)
            picture = tile_picture(printing, TILE_TYPES[places.tile[place]], str(places.variant[place] + 1))
            _draw_tile(
                world,
                printing,
                picture,
                printing.tiles.edges[TILE_TYPES[places.tile[place]]],
                places.centres[place] + offset,
                turn,
                light,
            )
    if rng.random() < 0.35:
        _overlay(rng, world, spaces)
    for _ in range(rng.poisson(objects)):
        _add_cover(rng, world, cover, places.centres)
    return world, cover


def _player_board(rng: Generator, world: np.ndarray, card: tuple[float, float]) -> None:
    reach = np.array(card) / 2 + rng.uniform(0.1, 2.2, 2)
    colour, edge = any_colour(rng), any_colour(rng)
    box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * reach + rng.uniform(-0.3, 0.3, 2)
    polygon(world, _px(world, box * 1.03), edge)
    inner = np.round(_px(world, box)).astype(np.int32)
    mask = np.zeros(world.shape[:2], np.uint8)
    cv2.fillPoly(mask, [inner], 255)
    board = np.empty_like(world)
    board[:] = colour
    board += rough(rng, len(world), rng.uniform(3, 60), rng.exponential(8))
    world[mask > 0] = board[mask > 0]


def _beside(
    rng: Generator,
    world: np.ndarray,
    size: tuple[float, float],
    clutter: Callable[[Generator, np.ndarray, float], None],
) -> None:
    """Draws clutter outside the card, which has that *size*."""
    y, x = ((np.array(world.shape[:2]) - np.array(size[::-1]) * PRINT_PX) / 2).astype(int).tolist()
    card = world[y:-y, x:-x].copy()
    clutter(rng, world, PRINT_PX * 0.6)
    world[y:-y, x:-x] = card


def _print_squares(rng: Generator, world: np.ndarray, side: float) -> None:
    """Draws a row of squares, such as goods or the steps of a track: they are not spaces, however they touch."""
    side *= rng.uniform(0.5, 1.3)
    start, turn = rng.uniform(0, len(world), 2), rng.choice([0.0, np.pi / 2]) + rng.normal(0, 0.05)
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
    """Draws empty storage spaces and depot slots: outlines, dark or pale hexagons, or their colour, with or without a
    symbol."""
    dark, outline, mark = any_colour(rng) * rng.uniform(0.1, 1), any_colour(rng), rng.random() < 0.4
    filled, coloured = rng.random() < 0.6, rng.random() < 0.7
    for place in np.flatnonzero(~places.on_board & (places.turn == 0)):
        centre, colour = _px(world, places.centres[place]), places.space_type[place]
        own = coloured and colour != UNKNOWN
        fill = near(rng, printing.spaces.fills[TILE_TYPES[colour]], 4) if own else dark
        if colour != UNKNOWN and not own:
            places.space_type[place] = UNKNOWN
        if filled or own:
            polygon(world, hexagon(centre, PRINT_PX * 1.02), outline)
            polygon(world, hexagon(centre, PRINT_PX * 0.96), fill)
        else:
            corners = np.round(hexagon(centre, PRINT_PX)).astype(np.int32)
            cv2.polylines(world, [corners], True, outline.tolist(), 2, cv2.LINE_AA)
        if mark:
            pick(rng, (_ring, _number_symbol, _emblem))(rng, world, centre, outline)


def _ring(rng: Generator, world: np.ndarray, centre: np.ndarray, colour: np.ndarray) -> None:
    at = np.round(centre).astype(int).tolist()
    cv2.circle(world, at, int(PRINT_PX * rng.uniform(0.08, 0.25)), colour.tolist(), 2, cv2.LINE_AA)


def _number_symbol(rng: Generator, world: np.ndarray, centre: np.ndarray, colour: np.ndarray) -> None:
    lettering(world, str(rng.integers(1, 7)), np.add(centre, (-7, 8)), rng.uniform(0.5, 1), colour)


def _emblem(rng: Generator, world: np.ndarray, centre: np.ndarray, colour: np.ndarray) -> None:
    """Draws a picture such as tiles bear."""
    pick(rng, EMBLEMS)(rng, world, centre, PRINT_PX * rng.uniform(0.3, 0.6))


def _draw_tile(
    world: np.ndarray,
    printing: Printing,
    picture: np.ndarray,
    edge: np.ndarray,
    at: np.ndarray,
    turn: float,
    light: float,
) -> None:
    """Draws a tile: its shadow, its side, its face."""
    style, reach = printing.tiles, TILE_PX * 3 // 4
    centre = _px(world, at)
    x, y = np.round(centre).astype(int) - reach
    window = world[max(0, y) : y + 2 * reach, max(0, x) : x + 2 * reach]
    middle = centre - (max(0, x), max(0, y))
    away = np.array([np.cos(light), np.sin(light)]) * style.thickness * PRINT_PX
    width, radians = style.size * PRINT_PX, np.radians(turn)
    shade = np.zeros(window.shape[:2], np.float32)
    polygon(shade, hexagon(middle + 1.2 * away, width * 1.02, radians), 0.6)
    window *= 1 - cv2.GaussianBlur(shade, (0, 0), 1.0 + style.thickness * 25)[..., None]
    polygon(window, hexagon(middle + 0.35 * away, width, radians), edge * 0.45)
    mask = np.zeros(window.shape[:2], np.uint8)
    polygon(mask, hexagon(middle, width, radians), 255)
    warp = cv2.getRotationMatrix2D(((TILE_PX - 1) / 2,) * 2, -turn, 1)
    warp[:, 2] += middle - (TILE_PX - 1) / 2
    face = cv2.warpAffine(
        picture, warp, window.shape[1::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    window[mask > 0] = face[mask > 0]


def _overlay(rng: Generator, world: np.ndarray, spaces: np.ndarray) -> None:
    """Draws a transparent grid that holds tiles in place: pale or dark ribs around the *spaces* (N, 2), and a haze."""
    ribs = np.zeros(world.shape[:2], np.float32)
    offset = rng.normal(0, 0.03, 2)
    for centre in spaces:
        outline = np.round(hexagon(_px(world, centre + offset), PRINT_PX)).astype(np.int32)
        cv2.polylines(ribs, [outline], True, 1.0, int(rng.integers(2, 6)), cv2.LINE_AA)
    strength = rng.uniform(0.1, 0.5)
    tone = rng.choice([255.0, 200.0, 60.0])
    world += (strength * ribs)[..., None] * (tone - world)
    world += rng.uniform(0, 0.12) * (230 - world)


def _add_cover(rng: Generator, world: np.ndarray, cover: np.ndarray, places: np.ndarray) -> None:
    """Draws a die, a coin, goods or a pawn anywhere, often on one of the *places* (N, 2)."""
    reach = len(world) / PRINT_PX / 2 - 1.5
    anywhere = rng.uniform(-reach, reach, 2)
    where = pick(rng, tuple(places)) + rng.normal(0, 0.2, 2) if rng.random() < ON_PLACES else anywhere
    at, side, turn = _px(world, where), PRINT_PX * rng.uniform(0.3, 0.75), rng.uniform(0, np.pi)
    corners = int(rng.choice([4, 4, 20]))
    angles = turn + np.arange(corners) * 2 * np.pi / corners
    outline = side / np.sqrt(2) * np.stack([np.cos(angles), np.sin(angles)], 1)
    body, away = any_colour(rng), rng.normal(0, 0.1 * side, 2)
    for shift, colour in ((2 * away, world.mean((0, 1)) * 0.3), (away, body * 0.6), (0 * away, body)):
        polygon(world, at + outline + shift, colour)
        polygon(cover, at + outline + shift, 255)
    ink = np.full(3, 20.0) if body.mean() > 128 else np.full(3, 240.0)
    for spot, radius in _spots(rng, turn if corners == 4 else None):
        disc(world, at + spot * side, side * radius, ink)


def _spots(rng: Generator, turn: float | None) -> list[tuple[np.ndarray, float]]:
    """Returns centres (2,) and radii of spots on an object, by its side: the pips of a die that is turned by *turn*, or
    anything."""
    if turn is None or rng.random() < 0.3:
        spots = rng.uniform(-0.3, 0.3, (int(rng.integers(0, 7)), 2))
        return [(spot, rng.uniform(0.05, 0.15)) for spot in spots]
    c, s = np.cos(turn + np.pi / 4), np.sin(turn + np.pi / 4)
    pips = np.array(PIP_LAYOUTS[int(rng.integers(1, 7))]) * rng.uniform(0.24, 0.3)
    radius = rng.uniform(0.07, 0.12)
    return [(pip, radius) for pip in pips @ np.array([[c, s], [-s, c]])]
