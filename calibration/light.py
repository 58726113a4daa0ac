"""The light on the table, measured on the printed white card before an evening (``companion calibrate light``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from .sheet import CARD_SIDE, SWATCHES, WHITE, Box

INSET = 0.15
"""Share of a printed field that is left out on each side, for its outline."""
LEAST_WHITE, MOST_WHITE = 110.0, 245.0
"""Grey levels of white between which colours can be told."""
CLIPPED = 250
"""Grey level from which a pixel tells nothing any more."""
MOST_CLIPPED = 0.02
"""Of the white field: more is the reflection of a lamp."""
TINT = 0.15
"""Share of its brightness by which red and blue differ in a field that has colour."""
MOST_BANDING = 0.01
"""Share of its brightness by which rows of a picture differ from those of the next when a lamp shows as bands."""


@dataclass(frozen=True, slots=True)
class Light:
    """What the card tells."""

    white: float
    """Grey level of its white."""
    clipped: float
    """Share of it that tells nothing because it is too bright."""
    swapped: bool | None
    """Whether red and blue are given for each other; None when its red field has no colour."""

    @property
    def problem(self) -> str | None:
        """Why colours cannot be told in it: ``dark``, ``bright`` or ``colourless``."""
        if self.white < LEAST_WHITE:
            return "dark"
        if self.white > MOST_WHITE or self.clipped > MOST_CLIPPED:
            return "bright"
        return "colourless" if self.swapped is None else None


def field_corners(card: np.ndarray, box: Box) -> np.ndarray:
    """(4, 2) px: the inner part of a printed field *box* of the card whose marker's corners are *card*, (4, 2) px."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    plane = cv2.getPerspectiveTransform(square * CARD_SIDE, card.astype(np.float32))
    left, top, width, height = box
    inner = INSET + square * (1 - 2 * INSET)
    corners: np.ndarray = cv2.perspectiveTransform(
        (inner * (width, height) + (left, top)).astype(np.float32)[None], plane
    )[0]
    return corners


def measure_light(frame: np.ndarray, card: np.ndarray) -> Light | None:
    """The light on the *card*, (4, 2) px corners of its marker, in *frame*, (H, W, 3) uint8 BGR.

    None when its fields do not lie in the picture.
    """
    white, red = (_pixels(frame, field_corners(card, field)) for field in (WHITE, SWATCHES["red"].box))
    if not len(white) or not len(red):
        return None
    levels = white.mean(axis=1)
    return Light(float(levels.mean()), float((levels >= CLIPPED).mean()), _swapped(white, red))


def _swapped(white: np.ndarray, red: np.ndarray) -> bool | None:
    """By the pixels of the *red* field, since ink of blue may be rather violet; against the *white*, since lamps are
    yellow."""
    blueness, _, redness = red.mean(axis=0) / np.maximum(white.mean(axis=0), 1)
    if abs(redness - blueness) < TINT * max(redness, blueness):
        return None
    return bool(blueness > redness)


def _pixels(frame: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """(N, 3) float: the pixels within *corners*, (4, 2) px."""
    mask = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, corners.round().astype(np.int32), 1)
    return frame[mask > 0].astype(float)


def banding(frames: Sequence[np.ndarray]) -> float:
    """Returns the strength of a lamp's flicker in *frames* of a still table, (H, W, 3) or (H, W) uint8.

    A sensor takes in its rows one after the other, so that each picture has dark bands where the lamp was dim.
    """
    rows = np.array([frame.reshape(len(frame), -1).mean(axis=1) for frame in frames])
    ratio = rows / np.maximum(np.median(rows, axis=0), 1)
    ratio /= ratio.mean(axis=1, keepdims=True)  # a change of brightness all over is none
    return float(np.median(ratio.std(axis=1)))
