"""The three small networks that find and read dice, run by OpenCV: a cascade with more work on fewer places.

The finder searches the picture at halved sizes and proposes places; the sifter examines a patch of the full picture
around each proposal and centres it better; the reader classifies those that may be dice. All were trained on synthetic
scenes only (``vision/dice/training``).
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
"""px of the picture per cell of the finder's output; its pictures are unshuffled by the same factor."""
SIFTER_FOLD, READER_FOLD = 4, 2
"""The same for the patches of the other two."""
MULTIPLE = 8
"""Sides of the finder's pictures are multiples of this, px."""
CLASSES = 9
NO_DIE, COCKED, HIDDEN = 0, 7, 8
"""Classes of a patch; those between are the values 1 to 6."""
LARGEST = np.log(64)
"""Logarithm of the largest side at the level of the finder, px: four times what it was trained on."""
NEIGHBOURS = np.ones((3, 3), np.uint8)
MIN_HEAT = 0.15
"""Proposals below it are dropped; this loses none of the dice in our real test photos."""
SAME_PLACE = 0.35
"""Intersection over union from which two proposals are one place: half a side apart, or sides that differ by 1.7. A pip
in the centre of a face is not a second face; dice that touch do not overlap."""


@dataclass(frozen=True, slots=True)
class Proposals(Rows):
    """Places where a die may be, likeliest first."""

    centres: np.ndarray
    """(N, 2) float32 px."""
    sides: np.ndarray
    """(N,) float32 px."""
    heats: np.ndarray
    """(N,) float32, 0..1."""


NO_PROPOSALS = Proposals(np.empty((0, 2), np.float32), np.empty(0, np.float32), np.empty(0, np.float32))


def non_maximum_suppression(found: Proposals) -> np.ndarray:
    """Returns the rows of the likeliest of *found*, one for each place."""
    boxes = np.column_stack([found.centres - found.sides[:, None] / 2, found.sides, found.sides])
    rows = cv2.dnn.NMSBoxes(boxes.tolist(), found.heats.tolist(), MIN_HEAT, SAME_PLACE)
    return np.asarray(rows, int).reshape(-1)


class DiceNetworks:
    """The networks in the folder *weights*, each loaded on first use."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._networks = OnnxFolder(weights)

    def _run(self, name: str, pictures: np.ndarray, fold: int) -> np.ndarray:
        return self._networks.run(name, input=pixel_unshuffle(pictures, fold))

    def propose(self, levels: list[np.ndarray], chosen: Iterable[int]) -> Proposals:
        """Proposes places in the *chosen* levels, 1 or more, of a pyramid of (H, W, 3) uint8 BGR pictures.

        A place may be proposed several times (:func:`non_maximum_suppression`); px are those of ``levels[0]``.
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
        side = np.exp(np.minimum(log_side[at], LARGEST))  # for false dice the network may return any value
        return Proposals(from_level(np.stack([x, y], 1), level), side * 2.0**level, heat[at])

    def sift(
        self, levels: list[np.ndarray], centres: np.ndarray, sides: np.ndarray
    ) -> tuple[np.ndarray, ...]:
        """Classifies the patch at each place: (N, CLASSES) probabilities, better centres and sides."""
        return self._classify("sifter", SIFTER_FOLD, levels, centres, sides)

    def read(
        self,
        levels: list[np.ndarray],
        centres: np.ndarray,
        sides: np.ndarray,
        *,
        turns: int = 0,
        mirrored: bool = False,
    ) -> tuple[np.ndarray, ...]:
        """Does the same with the much better reader, on the patch after so many quarter *turns* to the left and, then,
        *mirrored* or not."""
        return self._classify("reader", READER_FOLD, levels, centres, sides, turns, mirrored)

    def _classify(
        self,
        name: str,
        fold: int,
        levels: list[np.ndarray],
        centres: np.ndarray,
        sides: np.ndarray,
        turns: int = 0,
        mirrored: bool = False,
    ) -> tuple[np.ndarray, ...]:
        if not len(centres):
            return np.empty((0, CLASSES), np.float32), centres, sides
        patches = np.rot90(cut_patches(levels, centres, sides), turns, (1, 2))
        output = self._run(name, patches[:, :, ::-1] if mirrored else patches, fold)
        logits, offsets = output[:, :CLASSES], output[:, CLASSES:]
        odds = np.exp(logits - logits.max(1, keepdims=True))
        moved = offsets[:, :2] * np.array([-1, 1] if mirrored else [1, 1], np.float32)
        for _ in range(turns):
            moved = np.column_stack([-moved[:, 1], moved[:, 0]])
        return (
            odds / odds.sum(1, keepdims=True),
            centres + moved * sides[:, None],
            sides * np.exp(np.clip(offsets[:, 2], -0.7, 0.7)),
        )
