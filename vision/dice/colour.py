"""Body colour of a die: its pixels without the pips, named as a person would."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

BODIES_BGR: tuple[tuple[str, tuple[int, int, int]], ...] = (
    ("white", (225, 228, 230)),
    ("ivory", (165, 205, 225)),
    ("grey", (125, 125, 125)),
    ("black", (30, 28, 28)),
    ("red", (40, 35, 185)),
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
    ("brown", (45, 70, 110)),
)
"""Typical bodies of dice in even white light, sRGB; some names have a dark and a pale or translucent kind."""
COLOUR_NAMES = tuple(dict.fromkeys(name for name, _ in BODIES_BGR))
NEVER_WITH_LIGHT_PIPS = frozenset({"white", "ivory"})
NEVER_WITH_DARK_PIPS = frozenset({"black"})

FULL_BRIGHTNESS = 200
"""Hue and saturation are compared with the greatest channel brought to this: shade and exposure drop out ..."""
LEAST_BRIGHTNESS = 60
"""... save for bodies darker than this, whose colour is mostly noise."""
INNER_RADIUS = 0.42
"""Sides; a disc with the pips and none of what lies beside the face."""
OUTER_RADIUS = 0.5
"""Sides; takes in the rounded edges, which lamps gloss over less than the top."""
TAILS = (3, 97)
"""Percentiles of brightness; pips are the longer tail."""
BODY_AMONG_LIGHT_PIPS = (5, 25)
BODY_AMONG_DARK_PIPS = (40, 80)
"""Percentiles of brightness between which the pixels are body: beside light pips the darker part, because glare
and pips only ever add light."""


@dataclass(frozen=True, slots=True)
class Body:
    """What a die is made of, as photographed."""

    bgr: np.ndarray
    """(3,) float BGR."""
    light_pips: bool
    """Whether the pips are lighter than the body."""


def body_of(patch: np.ndarray, face: float) -> Body:
    """The body in *patch*, (S, S, 3) uint8 BGR, whose middle *face* px are the face of a die, turned anyhow."""
    away = np.arange(len(patch)) - (len(patch) - 1) / 2
    radius = np.hypot(away[None], away[:, None]) / face
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)
    dark, middle, light = np.percentile(grey[radius <= INNER_RADIUS], (TAILS[0], 50, TAILS[1]))
    light_pips = bool(light - middle > middle - dark)
    face_disc = radius <= OUTER_RADIUS
    low, high = np.percentile(grey[face_disc], BODY_AMONG_LIGHT_PIPS if light_pips else BODY_AMONG_DARK_PIPS)
    return Body(np.median(patch[face_disc & (grey >= low) & (grey <= high)], axis=0), light_pips)


def name_colour(body: Body, white: np.ndarray, colours: Sequence[str] | None = None) -> str:
    """Name of the nearest of *colours* (all known ones when None) to *body* under light in which *white* is white.

    A body is never called white when its pips are lighter still, nor black when they are darker, unless no other
    colour is in play. Names that are not known are passed over.
    """
    impossible = NEVER_WITH_LIGHT_PIPS if body.light_pips else NEVER_WITH_DARK_PIPS
    in_play = [name for name in colours or COLOUR_NAMES if name in COLOUR_NAMES]
    names = [name for name in in_play if name not in impossible] or in_play or COLOUR_NAMES
    candidates = [(name, bgr) for name, bgr in BODIES_BGR if name in names]
    lit = np.clip(body.bgr * (255 / np.maximum(white, 1)), 0, 255)
    points = _comparable(np.array([lit, *(bgr for _, bgr in candidates)], float))
    return candidates[int(np.argmin(np.linalg.norm(points[1:] - points[0], axis=1)))][0]


def white_of(frame: np.ndarray) -> np.ndarray:
    """What white looks like in this light: (3,) float32 BGR, from the shades of grey assumption.

    Finlayson and Trezzi, "Shades of gray and colour constancy" (2004): the Minkowski mean of order six of each
    channel, here drawn half-way to neutral because a table of one colour is no grey world.
    """
    small = cv2.resize(frame, (64, 64), interpolation=cv2.INTER_AREA).reshape(-1, 3).astype(np.float64)
    mean = (small**6).mean(0) ** (1 / 6)
    return (255 * np.sqrt(mean / max(mean.max(), 1))).astype(np.float32)


def _comparable(bgr: np.ndarray) -> np.ndarray:
    """(N, 3) points in which near means alike: CIELAB's a and b at full brightness, and the lightness as it is."""
    greatest = np.maximum(bgr.max(1, keepdims=True), LEAST_BRIGHTNESS)
    return np.hstack([_lab(bgr * (FULL_BRIGHTNESS / greatest))[:, 1:], _lab(bgr)[:, :1]])


def _lab(bgr: np.ndarray) -> np.ndarray:
    return cv2.cvtColor((bgr[None] / 255).astype(np.float32), cv2.COLOR_BGR2Lab)[0].astype(float)
