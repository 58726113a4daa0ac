"""Training examples of the space finder: scenes at its working scale, and the positions of their spaces."""

from __future__ import annotations

import cv2
import numpy as np

from ....boards.networks import CELL, PITCHES
from ....training.colours import Generator
from .scenes import Scene

PICTURE = 192
"""px; side of a training picture."""
NEARLY = 1.2
"""Spaces outside PITCHES by less than this factor may be found or not."""
SHOWN = 10.0, 42.0
"""px per pitch of the pictures."""
HEAT, LOG_PITCH, PLACED, LOSS_MASK = 0, 3, 6, 7
"""Channels of a target: heat, dx and dy (cells), log pitch (px), cosine and sine of six times the direction of a row;
the mask of the channels after the heat; the mask of the heat."""
CHANNELS = 8
MIN_HEAT = 0.02
"""Smaller heat around a space is set to none."""
HALF_STEPS = np.array([(0.5, 0.0), (0.25, np.sqrt(3) / 4), (-0.25, np.sqrt(3) / 4)])
"""From the centre of a space half way to three of its neighbours."""


def finder_example(scene: Scene, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
    """Returns a part of *scene*, (PICTURE, PICTURE, 3) uint8 BGR, and its target, (CHANNELS, h, w) float16."""
    at, pitches, turns = _spaces(scene)
    scale = np.exp(rng.uniform(*np.log(SHOWN))) / np.median(pitches)
    middle = np.median(at, axis=0) + rng.normal(0, 1.5, 2) * np.median(pitches)
    corner = middle * scale - PICTURE / 2
    warp = np.array([[scale, 0, -corner[0]], [0, scale, -corner[1]]])
    frame = scene.frame if scale > 0.7 else cv2.GaussianBlur(scene.frame, (0, 0), 0.4 / scale)
    border = cv2.BORDER_REFLECT_101 if rng.random() < 0.5 else cv2.BORDER_CONSTANT
    picture = cv2.warpAffine(frame, warp, (PICTURE, PICTURE), flags=cv2.INTER_LINEAR, borderMode=border)
    target = np.zeros((CHANNELS, PICTURE // CELL, PICTURE // CELL), np.float32)
    target[LOSS_MASK] = 1
    if border == cv2.BORDER_REFLECT_101:  # spaces mirrored beyond the border are spaces too
        inside = cv2.warpAffine(np.ones(scene.frame.shape[:2], np.uint8), warp, (PICTURE, PICTURE))
        target[LOSS_MASK] = cv2.resize(inside, target.shape[:0:-1], interpolation=cv2.INTER_AREA)
    cells = (at * scale - corner + 0.5) / CELL - 0.5
    for (x, y), pitch, turn, hidden in zip(cells, pitches * scale, turns, scene.hidden, strict=True):
        _mark(target, x, y, pitch, turn, bool(hidden))
    return picture, target.astype(np.float16)


def _spaces(scene: Scene) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns for all places: centres (N, 2) px, pitch (N,) px, direction of a neighbour (N,) radians."""
    centres, (c, s) = scene.places.centres, (np.cos(scene.places.turn), np.sin(scene.places.turn))
    spin = np.stack([np.stack([c, s], -1), np.stack([-s, c], -1)], -2)
    halves = [step @ spin for step in HALF_STEPS]
    steps = np.stack(
        [scene.plane.to_frame(centres + half) - scene.plane.to_frame(centres - half) for half in halves]
    )
    turns = np.arctan2(steps[0, :, 1], steps[0, :, 0])
    return scene.plane.to_frame(centres), np.hypot(*steps.transpose(2, 0, 1)).mean(axis=0), turns


def _mark(target: np.ndarray, x: float, y: float, pitch: float, turn: float, hidden: bool) -> None:
    (low, high), (column, row) = PITCHES, (round(x), round(y))
    height, width = target.shape[1:]
    if not (0 <= column < width and 0 <= row < height):
        return
    if hidden or not low <= pitch <= high:
        if hidden or low / NEARLY <= pitch <= high * NEARLY:
            reach = max(1, round(0.25 * pitch / CELL))
            rows, columns = (
                slice(max(0, row - reach), row + reach + 1),
                slice(max(0, column - reach), column + reach + 1),
            )
            target[LOSS_MASK, rows, columns] = 0
        return
    spread = max(0.12 * pitch / CELL, 0.4)
    for r in range(max(0, row - 2), min(height, row + 3)):
        for c in range(max(0, column - 2), min(width, column + 3)):
            heat = (
                1.0 if (c, r) == (column, row) else np.exp(-((x - c) ** 2 + (y - r) ** 2) / (2 * spread**2))
            )
            if heat > max(target[HEAT, r, c], MIN_HEAT):
                offsets = x - c, y - r, np.log(pitch), np.cos(6 * turn), np.sin(6 * turn)
                target[:LOSS_MASK, r, c] = heat, *offsets, 1
