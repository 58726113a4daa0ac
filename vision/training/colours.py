"""Random colours of things on a table: (3,) float32 BGR 0..255."""

from __future__ import annotations

import cv2
import numpy as np

Generator = np.random.Generator
GAMMA = 2.2
"""Exponent between pixel values and light: close enough to the curve of sRGB."""


def linear(bgr: np.ndarray) -> np.ndarray:
    """Returns the light 0..1 of a picture or colour, float BGR 0..255 (sRGB), with the same shape."""
    light: np.ndarray = (np.clip(bgr, 0, 255) / 255) ** GAMMA
    return light


def hsv(hue: float, saturation: float, value: float) -> np.ndarray:
    """Returns a colour from a hue in degrees and saturation and value from 0 to 1."""
    pixel = np.array([[[hue % 360, np.clip(saturation, 0, 1), np.clip(value, 0, 1)]]], np.float32)
    bgr: np.ndarray = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] * 255
    return bgr


def any_colour(rng: Generator) -> np.ndarray:
    return hsv(rng.uniform(0, 360), rng.beta(1, 1.6), rng.beta(2, 1.4))


def ground_colour(rng: Generator) -> np.ndarray:
    """Returns any colour; dark cloths and trays are frequent, and so is paper."""
    kind = rng.random()
    if kind < 0.3:
        return hsv(rng.uniform(0, 360), rng.uniform(0, 0.7), rng.uniform(0.03, 0.3))
    return paper_colour(rng) if kind < 0.5 else any_colour(rng)


def paper_colour(rng: Generator) -> np.ndarray:
    """Returns white or cream."""
    return hsv(rng.uniform(15, 60), rng.uniform(0, 0.35), rng.uniform(0.75, 1))


def near(rng: Generator, colour: np.ndarray, spread: float) -> np.ndarray:
    return np.clip(colour + rng.normal(0, spread, 3), 0, 255)
