"""Labelled photographs to learn from besides drawn scenes: parts of them, turned, scaled and mirrored.

A folder of photos has a ``labels.json`` (see :mod:`vision.accuracy.dice`). Labels say where a whole die is seen, not
where its top face lies, so places learnt from photos are rough; values are sure.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.accuracy.dice import LABELS_NAME
from vision.dice.training.scenes import Scene
from vision.dice.training.solids import UNKNOWN_VALUE, DrawnDie

FACE_IN_BOX = 0.8
"""Side of a die's face by the geometric mean of its box: a square turned anyhow, and some of its sides."""
SIDES = (13.0, 120.0)
"""px; sides of dice to which photos are scaled."""


def photo_scenes(
    folder: Path, copies: int, size: int, rng: np.random.Generator, without: Collection[str] = ()
) -> list[Scene]:
    """*copies* square parts of *size* px of each photo in *folder* whose name does not begin with one of *without*."""
    labels = json.loads((folder / LABELS_NAME).read_text(encoding="utf-8"))
    wanted = [label for label in labels if not label["image"].startswith(tuple(without))]
    return [scene for label in wanted for scene in _parts(folder, label, copies, size, rng)]


def _parts(
    folder: Path, label: dict[str, Any], copies: int, size: int, rng: np.random.Generator
) -> Iterator[Scene]:
    photo = cv2.imread(str(folder / label["image"]))
    boxes = np.array([die["box"] for die in label["dice"]], float).reshape(-1, 4)
    ignored = np.array([box[:4] for box in label.get("ignore", ())], float).reshape(-1, 4)
    values = [die["value"] for die in label["dice"]] + [UNKNOWN_VALUE] * len(ignored)
    boxes = np.concatenate([boxes, ignored])
    centres, sides = boxes[:, :2] + boxes[:, 2:] / 2, FACE_IN_BOX * np.sqrt(boxes[:, 2] * boxes[:, 3])
    usual = float(np.median(sides)) if len(sides) else max(photo.shape[:2]) / 20
    for _ in range(copies):
        scale = np.exp(rng.uniform(*np.log(SIDES))) / usual
        scale = min(scale, 1.3)  # an enlarged photo shows no more
        middle = centres[rng.integers(len(centres))] if len(centres) and rng.random() < 0.8 else None
        warp = _warp(photo.shape, middle, scale, size, rng)
        frame = _warped(photo, warp, size, scale)
        moved = centres @ warp[:, :2].T + warp[:, 2]
        dice = [
            DrawnDie((float(x), float(y)), float(side * scale), value, False, np.empty((0, 2), np.float32))
            for (x, y), side, value in zip(moved, sides, values, strict=True)
            if -side < x < size + side and -side < y < size + side
        ]
        yield Scene(frame, tuple(_cut_off(die, size) for die in dice))


def _warp(
    shape: tuple[int, ...], middle: np.ndarray | None, scale: float, size: int, rng: np.random.Generator
) -> np.ndarray:
    """(2, 3): photo px to part px; a turn by any angle, perhaps a mirror, about *middle* or any point."""
    if middle is None:
        middle = rng.uniform(0, 1, 2) * (shape[1], shape[0])
    turn = rng.uniform(0, 2 * np.pi)
    linear = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    if rng.random() < 0.5:
        linear[0] *= -1
    target = size / 2 + rng.uniform(-0.3, 0.3, 2) * size
    return np.column_stack([linear, target - linear @ middle])


def _warped(photo: np.ndarray, warp: np.ndarray, size: int, scale: float) -> np.ndarray:
    """The part, made smaller in steps so that nothing is skipped."""
    while scale < 0.5:
        photo = cv2.resize(photo, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        warp = warp.copy()
        warp[:, :2] *= 2
        scale *= 2
    return cv2.warpAffine(photo, warp, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def _cut_off(die: DrawnDie, size: int) -> DrawnDie:
    """A die that is not wholly in the part has no value there."""
    inside = all(0.7 * die.side < c < size - 0.7 * die.side for c in die.centre)
    return die if inside else DrawnDie(die.centre, die.side, UNKNOWN_VALUE, False, die.outline)
