"""Measures the light on the printed white card before a game (``companion calibrate light``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from .sheet import CARD_SIDE, SWATCHES, WHITE, Box

INSET = 0.15
"""Share of a printed field that is ignored on each side because of its outline."""
MIN_WHITE, MAX_WHITE = 110.0, 245.0
"""Grey levels of white between which colours can be recognised."""
CLIPPED = 250
"""Grey level from which a pixel counts as clipped."""
MAX_CLIPPED = 0.02
"""Share of the white field; more is the reflection of a lamp."""
TINT = 0.15
"""Share of its brightness by which red and blue differ in a coloured field."""
MAX_BANDING = 0.01
"""Share of its brightness by which rows differ between frames when a lamp flickers visibly."""


@dataclass(frozen=True, slots=True)
class Light:
    """The light as measured on the card."""

    white: float
    """Grey level of the white field."""
    clipped: float
    """Share of the white field that is clipped."""
    swapped: bool | None
    """Whether red and blue are swapped; None if the red field shows no colour."""

    @property
    def problem(self) -> str | None:
        """Returns why colours cannot be recognised: ``dark``, ``bright`` or ``colourless``; None if they can."""
        if self.white < MIN_WHITE:
            return "dark"
        if self.white > MAX_WHITE or self.clipped > MAX_CLIPPED:
            return "bright"
        return "colourless" if self.swapped is None else None


def field_corners(card: np.ndarray, box: Box) -> np.ndarray:
    """Returns (4, 2) px: the corners of a printed field *box*, inset, given its card's marker corners *card* (4, 2)
    px."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    plane = cv2.getPerspectiveTransform(square * CARD_SIDE, card.astype(np.float32))
    left, top, width, height = box
    inner = INSET + square * (1 - 2 * INSET)
    corners: np.ndarray = cv2.perspectiveTransform(
        (inner * (width, height) + (left, top)).astype(np.float32)[None], plane
    )[0]
    return corners


def measure_light(frame: np.ndarray, card: np.ndarray) -> Light | None:
    """Returns the light in *frame*, (H, W, 3) uint8 BGR, on the card whose marker has the corners *card*, (4, 2) px.

    None if the fields of the card are outside the picture.
    """
    white, red = (_pixels(frame, field_corners(card, field)) for field in (WHITE, SWATCHES["red"].box))
    if not len(white) or not len(red):
        return None
    levels = white.mean(axis=1)
    return Light(float(levels.mean()), float((levels >= CLIPPED).mean()), _swapped(white, red))


def _swapped(white: np.ndarray, red: np.ndarray) -> bool | None:
    """Returns whether red and blue are swapped, judged by the *red* field because blue ink may look violet, relative to
    the *white* field because lamps are yellow."""
    blueness, _, redness = red.mean(axis=0) / np.maximum(white.mean(axis=0), 1)
    if abs(redness - blueness) < TINT * max(redness, blueness):
        return None
    return bool(blueness > redness)


def _pixels(frame: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Returns (N, 3) float: the pixels within *corners*, (4, 2) px."""
    mask = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, corners.round().astype(np.int32), 1)
    return frame[mask > 0].astype(float)


def banding(frames: Sequence[np.ndarray]) -> float:
    """Returns the strength of a lamp's flicker in *frames* of a still table, (H, W, 3) or (H, W) uint8.

    A rolling shutter exposes rows one after the other, so that rows are dark where the lamp was dim.
    """
    rows = np.array([frame.reshape(len(frame), -1).mean(axis=1) for frame in frames])
    ratio = rows / np.maximum(np.median(rows, axis=0), 1)
    ratio /= ratio.mean(axis=1, keepdims=True)  # a uniform change of brightness is not banding
    return float(np.median(ratio.std(axis=1)))
