"""The three small networks that find and read dice, run by OpenCV: a cascade, each with more work on fewer places.

The finder looks at the picture at halved sizes and proposes places; the sifter looks at a patch of the full picture
around each proposal and centres it better; the reader says what those show that may be dice.
All have learnt from made-up scenes only (``vision/dice/training``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from ..onnx import OnnxFolder
from ..pyramid import from_level, padded, pixel_unshuffle
from ..rows import Rows
from .patches import cut_patches

WEIGHTS = Path(__file__).parent / "weights"
CELL = 4
"""px of the picture that the finder looks at, per cell of its answer; so its pictures are pixel_unshuffle too."""
SIFTER_FOLD, READER_FOLD = 4, 2
"""Likewise for the patches that the other two look at."""
MULTIPLE = 8
"""The finder's pictures are so many px wide and high, or twice that, and so on."""
CLASSES = 9
NO_DIE, COCKED, HIDDEN = 0, 7, 8
"""Classes of what a patch shows; those between are the values 1 to 6."""
LARGEST = np.log(64)
"""Logarithm of the largest side at the finder's level, px: four times what it has been taught."""
NEIGHBOURS = np.ones((3, 3), np.uint8)
MIN_HEAT = 0.15
"""Proposals below it are not looked at; of the dice in our real test photos none is lost."""
SAME_PLACE = 0.35
"""Intersection over union from which two proposals are one place: half a side apart, or of sides as 1 to 1.7. A pip
in the middle of a face is no second face; dice that touch do not overlap at all."""


@dataclass(frozen=True, slots=True)
class Proposals(Rows):
    """Places where a die may be, the likeliest first."""

    centres: np.ndarray
    """(N, 2) float32 px."""
    sides: np.ndarray
    """(N,) float32 px."""
    heats: np.ndarray
    """(N,) float32, 0..1."""


NO_PROPOSALS = Proposals(np.empty((0, 2), np.float32), np.empty(0, np.float32), np.empty(0, np.float32))


def non_maximum_suppression(found: Proposals) -> np.ndarray:
    """Rows of the likeliest of *found*, one for each place."""
    boxes = np.column_stack([found.centres - found.sides[:, None] / 2, found.sides, found.sides])
    rows = cv2.dnn.NMSBoxes(boxes.tolist(), found.heats.tolist(), MIN_HEAT, SAME_PLACE)
    return np.asarray(rows, int).reshape(-1)


class DiceNetworks:
    """The networks in the folder *weights*, each loaded when it is first used."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._networks = OnnxFolder(weights)

    def _run(self, name: str, pictures: np.ndarray, fold: int) -> np.ndarray:
        return self._networks.run(name, input=pixel_unshuffle(pictures, fold))

    def propose(self, levels: list[np.ndarray], chosen: Iterable[int]) -> Proposals:
        """Proposes places in the *chosen* levels, 1 or more, of a pyramid of (H, W, 3) uint8 BGR pictures.

        One thing may be proposed several times (:func:`non_maximum_suppression`); px are those of ``levels[0]``.
        """
        return sum((self._propose_in(level, levels[level]) for level in chosen), NO_PROPOSALS)

    def _propose_in(self, level: int, picture: np.ndarray) -> Proposals:
        logit, dx, dy, log_side = self._run("finder", padded(picture, MULTIPLE)[None], CELL)[0]
        peaks = logit == cv2.dilate(logit, NEIGHBOURS)
        heat = 1 / (1 + np.exp(-logit))
        rows, columns = np.nonzero(peaks & (heat >= MIN_HEAT))
        at = rows, columns
        x = (columns + dx[at] + 0.5) * CELL - 0.5
        y = (rows + dy[at] + 0.5) * CELL - 0.5
        side = np.exp(np.minimum(log_side[at], LARGEST))  # of what is no die the network may say anything
        return Proposals(from_level(np.stack([x, y], 1), level), side * 2.0**level, heat[at])

    def sift(
        self, levels: list[np.ndarray], centres: np.ndarray, sides: np.ndarray
    ) -> tuple[np.ndarray, ...]:
        """Judges the patch at each place: (N, CLASSES) probabilities, better centres and sides."""
        return self._classify("sifter", SIFTER_FOLD, levels, centres, sides)

    def read(
        self, levels: list[np.ndarray], centres: np.ndarray, sides: np.ndarray, *, mirrored: bool = False
    ) -> tuple[np.ndarray, ...]:
        """As :meth:`sift`, much better; the patch *mirrored* or not."""
        return self._classify("reader", READER_FOLD, levels, centres, sides, mirrored)

    def _classify(
        self,
        name: str,
        fold: int,
        levels: list[np.ndarray],
        centres: np.ndarray,
        sides: np.ndarray,
        mirrored: bool = False,
    ) -> tuple[np.ndarray, ...]:
        if not len(centres):
            return np.empty((0, CLASSES), np.float32), centres, sides
        patches = cut_patches(levels, centres, sides)
        output = self._run(name, patches[:, :, ::-1] if mirrored else patches, fold)
        logits, offsets = output[:, :CLASSES], output[:, CLASSES:]
        odds = np.exp(logits - logits.max(1, keepdims=True))
        along_x = np.array([-1, 1] if mirrored else [1, 1], np.float32)
        return (
            odds / odds.sum(1, keepdims=True),
            centres + offsets[:, :2] * along_x * sides[:, None],
            sides * np.exp(np.clip(offsets[:, 2], -0.7, 0.7)),
        )
