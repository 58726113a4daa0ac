"""Body colours of dice: their pixels without the pips, named as a person would.

The light is not known. As in colour by correlation (Finlayson, Hordley and Hubel, "Color by correlation: a simple,
unifying framework for color constancy", 2001), several lights are tried, and the dice are named under the one that is
likely in itself and makes them look most like dice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from ..pyramid import build_pyramid

BODIES_BGR: tuple[tuple[str, tuple[int, int, int]], ...] = (
    ("white", (225, 228, 230)),
    ("ivory", (165, 205, 225)),
    ("grey", (125, 125, 125)),
    ("black", (30, 28, 28)),
    ("black", (60, 57, 57)),
    ("red", (40, 35, 185)),
    ("red", (95, 90, 235)),
    ("pink", (165, 120, 235)),
    ("orange", (40, 120, 235)),
    ("yellow", (45, 195, 235)),
    ("green", (70, 130, 40)),
    ("green", (90, 170, 60)),
    ("lime", (60, 210, 150)),
    ("blue", (170, 80, 30)),
    ("blue", (205, 150, 70)),
    ("purple", (140, 40, 110)),
    ("purple", (150, 45, 150)),
    ("purple", (155, 75, 150)),
    ("brown", (45, 70, 110)),
)
"""Typical bodies of dice in even white light, sRGB; some names have a dark and a pale, glossy or translucent
variant."""
Bodies = Sequence[tuple[str, Sequence[float]]]

NAME_PENALTIES: Mapping[tuple[str, bool], float] = {
    ("white", True): 30,
    ("ivory", True): 30,
    ("grey", True): 15,
    ("brown", True): 8,
    ("brown", False): 15,
    ("black", False): 30,
}
"""Penalty of a name with light pips (True) or dark ones (False), in units of colour distance: light pips would be
invisible on white, and brown is rare and similar to red and to black under a lamp."""

FULL_BRIGHTNESS = 200
"""Hue and saturation are compared with the greatest channel scaled to this, which removes shade and exposure ..."""
MIN_BRIGHTNESS = 60
"""... except for bodies darker than this, whose colour is mostly noise."""
LIGHTNESS_WEIGHT = 0.75
"""Shade changes lightness more than hue."""
INNER_RADIUS = 0.42
"""Sides; a disc with the pips but nothing beside the face."""
OUTER_RADIUS = 0.5
"""Sides; includes the rounded edges, which reflect less of a lamp than the top."""
TAILS = (3, 97)
"""Percentiles of brightness; the pips are the longer tail ..."""
GLARE_ALLOWANCE = 0.9
"""... or light ones at this share of it: glare on the body brings it closer to them."""
BODY_AMONG_LIGHT_PIPS = (10, 35)
BODY_AMONG_DARK_PIPS = (40, 80)
"""Percentiles of brightness between which the pixels belong to the body: with light pips the darker part, because glare
and pips only add light, but not the darkest, which is shadow."""

SMALL = 64
"""px; smallest side of the picture that is used for the light: single pixels with glare do not matter there."""
MINKOWSKI_ORDER = 6
LIGHT_STRENGTHS = (0.5, 1.0)
"""Shares of the frame's colour cast, on a logarithmic scale, that are tried as the light's: a table of one colour has a
cast in any light."""
USUAL_STRENGTH = 0.7
"""The most likely of these shares."""
DIMNESS = 0.4
"""Share of the frame's darkness, on a logarithmic scale, that is due to the light: most of the rest is due to the
table."""
WHITE_BODY = 228
"""Greatest channel of a white die where white is 255."""
LIGHT_WEIGHTS = (60.0, 180.0)
"""Colour distance that is as unlikely as a light one unit of :func:`_tints` from the usual one: lamps and skies vary
between red and blue, hardly between green and purple."""
MAX_DISTANCE = 40.0
"""Distance from which a die resembles no known one and does not count for the light."""
FULL_WEIGHT_DICE = 4
"""Dice that count fully for the light; more of them often belong to one set and add no information."""


@dataclass(frozen=True, slots=True)
class Body:
    """The body of a die, as photographed."""

    bgr: np.ndarray
    """(3,) float BGR."""
    light_pips: bool
    """Whether the pips are lighter than the body."""


def body_of(patch: np.ndarray, face: float) -> Body:
    """Returns the body in *patch*, (S, S, 3) uint8 BGR, whose central *face* px are the face of a die, at any
    rotation."""
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)
    dark, middle, light = np.percentile(
        grey[_disc(len(patch), INNER_RADIUS * face)], (TAILS[0], 50, TAILS[1])
    )
    light_pips = bool(light - middle > GLARE_ALLOWANCE * (middle - dark))
    disc = _disc(len(patch), OUTER_RADIUS * face)
    shades = grey[disc]
    low, high = _percentiles(shades, BODY_AMONG_LIGHT_PIPS if light_pips else BODY_AMONG_DARK_PIPS)
    return Body(np.median(patch[disc][(shades >= low) & (shades <= high)], axis=0), light_pips)


def _percentiles(values: np.ndarray, shares: Sequence[int]) -> np.ndarray:
    """Returns the values (N,) at these percentiles; several times faster than NumPy's, which interpolates."""
    chosen: np.ndarray = np.sort(values)[np.array(shares) * (len(values) - 1) // 100].astype(float)
    return chosen


@cache
def _disc(size: int, radius: float) -> np.ndarray:
    """Returns (size, size) bool: the pixels within *radius* px of the centre."""
    away = np.arange(size) - (size - 1) / 2
    inside: np.ndarray = np.hypot(away[None], away[:, None]) <= radius
    return inside


def bright_mean(frame: np.ndarray) -> np.ndarray:
    """Returns (3,) float BGR 1..255 of *frame*, (H, W, 3) uint8 BGR: the Minkowski mean of order six of each channel.

    Finlayson and Trezzi, "Shades of gray and colour constancy" (2004): its colour approximates that of the light.
    """
    small = build_pyramid(frame, SMALL)[-1].reshape(-1, 3)
    raised = np.arange(256.0) ** MINKOWSKI_ORDER
    mean: np.ndarray = np.maximum(raised[small].mean(0) ** (1 / MINKOWSKI_ORDER), 1)
    return mean


def name_colours(
    bodies: Sequence[Body],
    mean: np.ndarray,
    colours: Sequence[str] | Mapping[str, Sequence[float]] | None = None,
    white: Sequence[float] | None = None,
) -> list[str]:
    """Returns the colour names of the *bodies* of all dice in a frame whose :func:`bright_mean` is *mean*, in their
    order.

    *colours* are the names in play, all known ones when None; unknown names are ignored. A mapping also gives their
    measured bodies, normalised to white = 255: BGR 0..255. *white*, BGR 0..255, is the appearance of white in this
    light; when None it is estimated from the frame and the dice.
    """
    if not bodies:
        return []
    known = _bodies_in_play(colours)
    _, distances = _in_likeliest_light(bodies, mean, known, white)
    return [known[i][0] for i in distances.argmin(-1)]


def in_white_light(
    bodies: Sequence[Body], mean: np.ndarray, white: Sequence[float] | None = None
) -> np.ndarray:
    """Returns (N, 3) float BGR 0..255: the *bodies* normalised to white = 255; arguments as in :func:`name_colours`."""
    if not bodies:
        return np.empty((0, 3))
    return _in_likeliest_light(bodies, mean, BODIES_BGR, white)[0]


def _in_likeliest_light(
    bodies: Sequence[Body], mean: np.ndarray, known: Bodies, white: Sequence[float] | None
) -> tuple[np.ndarray, np.ndarray]:
    """Returns the bodies (N, 3) normalised to white = 255, and their distances from the *known* ones, (N, K)."""
    measured = np.array([body.bgr for body in bodies], float)
    dark_pips = np.array([not body.light_pips for body in bodies])
    whites = _possible_whites(mean, measured[dark_pips]) if white is None else np.array([white], float)
    lit = np.clip(measured * (255 / np.maximum(whites[:, None], 1)), 0, 255)
    typical = _comparable(np.array([bgr for _, bgr in known], float))
    distances = np.linalg.norm(_comparable(lit)[:, :, None] - typical, axis=-1)
    distances += [[NAME_PENALTIES.get((name, body.light_pips), 0) for name, _ in known] for body in bodies]
    likeliest = _likeliest(whites, mean, distances.min(-1))
    return lit[likeliest], distances[likeliest]


def _bodies_in_play(colours: Sequence[str] | Mapping[str, Sequence[float]] | None) -> Bodies:
    if isinstance(colours, Mapping):
        return tuple(colours.items()) or BODIES_BGR
    return [(name, bgr) for name, bgr in BODIES_BGR if name in (colours or ())] or BODIES_BGR


def _possible_whites(mean: np.ndarray, pale: np.ndarray) -> np.ndarray:
    """Returns (W, 3) BGR: possible whites from the frame's *mean*, or because one of the *pale* bodies (N, 3) is
    white."""
    brightness = 255 * (mean.max() / 255) ** DIMNESS
    by_mean = [brightness * (mean / mean.max()) ** strength for strength in LIGHT_STRENGTHS]
    greatest = np.maximum(pale.max(1, keepdims=True), 1)
    by_dice = pale / greatest * np.maximum(greatest * (255 / WHITE_BODY), brightness)
    return np.vstack([by_mean, by_dice])


def _likeliest(whites: np.ndarray, mean: np.ndarray, distances: np.ndarray) -> int:
    """Returns the index of the one of *whites* (W, 3) that is likely given *mean* (3,) and has small *distances* (W,
    N)."""
    away = (_tints(whites) - USUAL_STRENGTH * _tints(mean)) * LIGHT_WEIGHTS
    dice = np.minimum(distances, MAX_DISTANCE) ** 2
    return int(np.argmin((away**2).sum(1) + dice.sum(1) * min(1, FULL_WEIGHT_DICE / dice.shape[1])))


def _tints(bgr: np.ndarray) -> np.ndarray:
    """Returns (..., 2) logarithms: red relative to blue, and green relative to purple."""
    blue, green, red = np.moveaxis(np.log(np.maximum(bgr, 1)), -1, 0)
    return np.stack([(red - blue) / np.sqrt(2), (2 * green - blue - red) / np.sqrt(6)], axis=-1)


def _comparable(bgr: np.ndarray) -> np.ndarray:
    """Returns (..., 3) points whose distance is perceptual: a and b of CIELAB at full brightness, and the original
    lightness."""
    greatest = np.maximum(bgr.max(-1, keepdims=True), MIN_BRIGHTNESS)
    tint = _lab(bgr * (FULL_BRIGHTNESS / greatest))[..., 1:]
    return np.concatenate([tint, LIGHTNESS_WEIGHT * _lab(bgr)[..., :1]], axis=-1)


def _lab(bgr: np.ndarray) -> np.ndarray:
    flat = (bgr.reshape(-1, 1, 3) / 255).astype(np.float32)
    return cv2.cvtColor(flat, cv2.COLOR_BGR2Lab).astype(float).reshape(bgr.shape)
