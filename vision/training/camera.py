"""Simulates a camera: exposure, colour, blur, noise and JPEG."""

from __future__ import annotations

import cv2
import numpy as np

from .colours import GAMMA, Generator
from .grounds import noise

SOFTEST = 0.06
"""Sides; standard deviation of the strongest blur at which pips can still be counted."""
GREY, LIGHT = 0.18, 0.75
"""Linear; an automatic exposure sets the mean of a picture to the first, whether the table is pale or dark, or its
lightest hundredth to the second, so that white dice on a black table keep their faces. Cameras do something between the
two."""


def photograph_of(rng: Generator, radiance: np.ndarray, side: float) -> np.ndarray:
    """Returns (H, W, 3) uint8 BGR: a photo of *radiance*, (H, W, 3) float32 BGR, linear, in which dice have about
    *side* px."""
    return _digitised(rng, _exposed(rng, radiance), side)


def _exposed(rng: Generator, radiance: np.ndarray) -> np.ndarray:
    """Returns float32 BGR 0..255 (sRGB): automatic exposure and white balance, each with some error, and a tone
    curve."""
    white = np.exp(rng.normal(0, 0.12, 3))
    by_mean, by_lightest = GREY / (radiance.mean() + 1e-4), LIGHT / (np.percentile(radiance, 99) + 1e-4)
    between = rng.random()
    exposure = by_mean**between * by_lightest ** (1 - between) * np.exp(rng.normal(0.05, 0.5))
    light = radiance * (white * exposure)
    if rng.random() < 0.4:  # compressed highlights, as in phones
        knee = rng.uniform(0.5, 0.9)
        light = np.where(light > knee, knee + (1 - knee) * (1 - np.exp(-(light - knee) / (1 - knee))), light)
    frame = 255 * np.clip(light, 0, 1) ** (1 / GAMMA)
    contrast = np.exp(rng.normal(0.05, 0.2))
    frame = 255 * np.clip((frame / 255 - 0.45) * contrast + 0.45, 0, 1)
    grey = frame.mean(2, keepdims=True)
    frame = grey + (frame - grey) * np.exp(rng.normal(0.05, 0.25))
    faded: np.ndarray = frame + rng.uniform(0, 25) if rng.random() < 0.15 else frame
    return faded


def _digitised(rng: Generator, frame: np.ndarray, side: float) -> np.ndarray:
    size = len(frame)
    softest = np.clip(SOFTEST * side, 0.4, 1.8)
    if rng.random() < 0.2:
        frame = frame * (1 + 0.12 * np.clip(noise(rng, size, size / 2, size / 2), -2, 2))[..., None]
    if rng.random() < 0.5:
        frame = cv2.GaussianBlur(frame, (0, 0), rng.uniform(0.3, softest))
    if rng.random() < 0.12:
        frame = cv2.filter2D(frame, -1, _shake(rng, softest))
    frame = frame + _sensor_noise(rng, frame.shape)
    if rng.random() < 0.4:
        frame = frame + (frame - cv2.GaussianBlur(frame, (0, 0), 1.0)) * rng.uniform(0.3, 1.5)
    frame = np.clip(frame, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 98))]
        compressed = cv2.imdecode(cv2.imencode(".jpg", frame, quality)[1], cv2.IMREAD_COLOR)
        assert compressed is not None, "OpenCV cannot decode the JPEG that it has just written"
        frame = compressed
    return frame


def _sensor_noise(rng: Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Returns noise of a sensor in grey levels: correlated in neighbouring pixels after interpolation, coloured or
    grey."""
    noise = rng.normal(0, 1, shape)
    if rng.random() < 0.6:
        noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), rng.uniform(0.4, 1.2)))
    if rng.random() < 0.5:
        noise = noise.mean(2, keepdims=True) + noise * rng.uniform(0, 0.5)
    scaled: np.ndarray = noise * (rng.exponential(3) / noise.std())
    return scaled


def _shake(rng: Generator, softest: float) -> np.ndarray:
    """Returns the kernel of a motion of up to 7 px, about as strong a blur as *softest*."""
    kernel, reach = np.zeros((9, 9), np.float32), 2 * softest * rng.uniform(-1, 1, 2)
    start, end = np.round(4 - reach).astype(int).tolist(), np.round(4 + reach).astype(int).tolist()
    cv2.line(kernel, start, end, 1.0)
    normalised: np.ndarray = kernel / kernel.sum()
    return normalised
