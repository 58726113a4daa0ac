"""Training examples of the dice networks: pictures and target outputs."""

from __future__ import annotations

import numpy as np

from ...pyramid import build_pyramid, to_level
from ...training.colours import Generator
from ..networks import CELL, COCKED, HIDDEN, MULTIPLE, NO_DIE, DiceNetworks, non_maximum_suppression
from ..patches import cut_patches
from ..reading import MIN_LEVEL
from .scenes import UNKNOWN_VALUE, DrawnDie, Scene

FINDER_SIDES = (4.8, 16.0)
"""px at the level of the finder: between one and two octaves, so that each die belongs to one level or two. Dice of
another size belong to another level ..."""
NEARLY = 1.25
"""... unless they are closer than this factor: those may be found or not."""
SAME_SCALE, OTHER_SCALE = 0.65, 0.8
"""Difference of the log sides up to which a patch shows the die, and from which it does not."""
UNSURE = -1
MIN_CONTRAST = 40
"""Grey levels over a face, in the channel with most contrast; dice with less would teach false detections."""
HARD_NEGATIVES = 24
"""Patches without a die per scene, half of them the likeliest proposals of the finder."""


def finder_targets(scene: Scene, level: int) -> np.ndarray:
    """Returns (6, h, w) float32: heat 0..1, dx, dy (cells), log side (px of the level), where these hold, where heat
    does."""
    height, width = (-(-(n // 2**level) // MULTIPLE) * MULTIPLE // CELL for n in scene.frame.shape[:2])
    target = np.zeros((6, height, width), np.float32)
    target[5] = 1
    for die in scene.dice:
        side = die.side / 2**level
        x, y = (to_level(np.array(die.centre), level) + 0.5) / CELL - 0.5
        low, high = FINDER_SIDES
        if not low / NEARLY <= side <= high * NEARLY:
            continue
        if not low <= side <= high or not _is_known(scene.frame, die):
            _mark(target[5], x, y, 0.6 * side / CELL, 0)
        else:
            _heat(target, x, y, side)
    return target


def _mark(plane: np.ndarray, x: float, y: float, reach: float, value: float) -> None:
    rows, columns = np.ogrid[: plane.shape[0], : plane.shape[1]]
    plane[(np.abs(columns - x) <= max(reach, 1)) & (np.abs(rows - y) <= max(reach, 1))] = value


def _heat(target: np.ndarray, x: float, y: float, side: float) -> None:
    spread = max(0.18 * side / CELL, 0.4)
    for row in range(max(0, round(y) - 1), min(target.shape[1], round(y) + 2)):
        for column in range(max(0, round(x) - 1), min(target.shape[2], round(x) + 2)):
            heat = np.exp(-((x - column) ** 2 + (y - row) ** 2) / (2 * spread**2))
            if (column, row) == (round(x), round(y)):
                heat = 1.0
            if heat > target[0, row, column]:
                target[:, row, column] = heat, x - column, y - row, np.log(side), 1, 1


def reader_patches(scene: Scene, finder: DiceNetworks, rng: Generator) -> tuple[np.ndarray, ...]:
    """Returns patches around the dice of a scene and around the proposals of *finder*: patches, classes, places (N,
    3)."""
    levels = build_pyramid(scene.frame, MIN_LEVEL)
    found = finder.propose(levels, range(1, len(levels)))
    found = found[non_maximum_suppression(found)]
    guessed_centres, guessed_sides = _guesses(scene, rng)
    centres = np.concatenate([found.centres, guessed_centres])
    sides = np.concatenate([found.sides, guessed_sides])
    labels, offsets = label(scene, centres, sides)
    chosen = labels > NO_DIE
    chosen[_some_negatives(np.nonzero(labels == NO_DIE)[0], rng)] = True
    return cut_patches(levels, centres[chosen], sides[chosen]), labels[chosen], offsets[chosen]


def _guesses(scene: Scene, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
    """Returns centres and sides about as inaccurate as the finder's; then, for each die, at a wrong scale or place."""
    dice = [*scene.dice, *scene.dice]
    wrong = np.arange(len(dice)) >= len(scene.dice)
    centres = np.array([die.centre for die in dice], np.float32).reshape(-1, 2)
    sides = np.array([die.side for die in dice], np.float32)
    spread = np.where(wrong, 0.3, 0.12) * sides
    zoom = rng.normal(0, 0.3, len(dice))
    zoom += wrong * rng.choice([-1, 1], len(dice)) * rng.uniform(0.7, 1.6, len(dice))
    moved = centres + rng.normal(0, 1, centres.shape) * spread[:, None]
    return moved.astype(np.float32), (sides * np.exp(zoom)).astype(np.float32)


def _some_negatives(rows: np.ndarray, rng: Generator) -> np.ndarray:
    """Returns the first *rows* without a die, which are the strongest, and a sample of the others."""
    best, others = np.split(rows, [HARD_NEGATIVES // 2])
    return np.concatenate([best, rng.permutation(others)[: HARD_NEGATIVES - len(best)]])


def label(scene: Scene, centres: np.ndarray, sides: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the class of each patch (UNSURE: ignored) and where its die is: dx, dy, log of the side ratio."""
    labels = np.full(len(centres), NO_DIE)
    offsets = np.zeros((len(centres), 3), np.float32)
    for die in scene.dice:
        away = (np.array(die.centre) - centres) / sides[:, None]
        ratio = np.log(die.side / sides)
        distance = np.hypot(*away.T) * np.exp(np.maximum(-ratio, 0))  # of the smaller of both sides
        near = (distance < 0.45) & (np.abs(ratio) < SAME_SCALE)
        doubtful = (distance < 0.6) & (np.abs(ratio) < OTHER_SCALE) & ~near
        if die.value == UNKNOWN_VALUE:
            near, doubtful = np.zeros_like(near), distance < 0.9
        labels[doubtful & (labels == NO_DIE)] = UNSURE
        labels[near] = _class(die) if _is_known(scene.frame, die) else UNSURE
        offsets[near] = np.column_stack([away, ratio])[near]
    return labels, offsets


def _class(die: DrawnDie) -> int:
    return HIDDEN if die.hidden else COCKED if die.cocked else die.value


def _is_known(frame: np.ndarray, die: DrawnDie) -> bool:
    """Returns whether enough of the die is visible, and its pips contrast with the body in the photo."""
    if die.value == UNKNOWN_VALUE:
        return False
    reach = 0.36 * die.side
    x, y = die.centre
    face = frame[max(0, int(y - reach)) : int(y + reach) + 1, max(0, int(x - reach)) : int(x + reach) + 1]
    if not face.size:
        return False
    low, high = np.percentile(face.reshape(-1, 3), (2, 98), axis=0)
    return bool((high - low).max() >= MIN_CONTRAST)
