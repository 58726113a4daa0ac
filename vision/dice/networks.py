"""The two small networks that find and read dice, run by OpenCV.

The finder looks at the picture at half size and at every halving of that, and proposes places; the reader looks at a
patch of the full picture around each proposal and says what it is. Both were trained on drawn scenes only
(``vision/dice/training``).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.dice.pyramid import cut_patches, from_level

WEIGHTS = Path(__file__).parent / "weights"
CELL = 4
"""px of the picture that the finder looks at, per cell of its answer."""
MIN_HEAT = 0.2
"""Proposals below it are not looked at; of the dice in our test pictures 99.3 % stay."""
MAX_PROPOSALS = 48
"""The likeliest places that are looked at, which bounds the time on tables full of print; of the dice in our test
pictures 98.6 % are among the first 40."""
SAME_PLACE = 0.35
"""Intersection over union from which two proposals are one place: half a side apart, or of sides as 1 to 1.7. A pip
in the middle of a face is no second face; dice that touch do not overlap at all."""


@dataclass(frozen=True, slots=True)
class Proposals:
    """Places where a die may be, the likeliest first."""

    centres: np.ndarray
    """(N, 2) float32 px."""
    sides: np.ndarray
    """(N,) float32 px."""
    heats: np.ndarray
    """(N,) float32, 0..1."""


class DiceNetworks:
    """Both networks, loaded from the folder *weights*. The reader is loaded when it is first used."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._weights = weights
        self._finder = cv2.dnn.readNetFromONNX(str(weights / "finder.onnx"))
        self._reader: cv2.dnn.Net | None = None

    def propose(self, levels: list[np.ndarray]) -> Proposals:
        """Proposes places in a pyramid of (H, W, 3) uint8 BGR pictures; px are those of ``levels[0]``."""
        found = [self._propose_in(level, picture) for level, picture in enumerate(levels) if level > 0]
        centres, sides, heats = (np.concatenate(columns) for columns in zip(*found, strict=True))
        boxes = np.column_stack([centres - sides[:, None] / 2, sides, sides])
        kept = cv2.dnn.NMSBoxes(boxes.tolist(), heats.tolist(), MIN_HEAT, SAME_PLACE)
        kept = np.asarray(kept, int).reshape(-1)[:MAX_PROPOSALS]
        return Proposals(centres[kept], sides[kept], heats[kept])

    def _propose_in(self, level: int, picture: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        height, width = (max(CELL, n // CELL * CELL) for n in picture.shape[:2])
        self._finder.setInput(cv2.dnn.blobFromImage(picture[:height, :width], 1 / 255))
        logit, dx, dy, log_side = self._finder.forward()[0]
        heat = 1 / (1 + np.exp(-logit))
        rows, columns = np.nonzero(heat >= MIN_HEAT)
        at = rows, columns
        x = (columns + dx[at] + 0.5) * CELL - 0.5
        y = (rows + dy[at] + 0.5) * CELL - 0.5
        return from_level(np.stack([x, y], 1), level), np.exp(log_side[at]) * 2.0**level, heat[at]

    def read(
        self, levels: list[np.ndarray], centres: np.ndarray, sides: np.ndarray
    ) -> tuple[np.ndarray, ...]:
        """Reads the patch at each place: (N, 8) probabilities of no die, 1-6 and cocked, better centres and sides."""
        if not len(centres):
            return np.empty((0, 8), np.float32), centres, sides
        if self._reader is None:
            self._reader = cv2.dnn.readNetFromONNX(str(self._weights / "reader.onnx"))
        self._reader.setInput(cv2.dnn.blobFromImages(list(cut_patches(levels, centres, sides)), 1 / 255))
        output = self._reader.forward()
        logits, offsets = output[:, :8], output[:, 8:]
        odds = np.exp(logits - logits.max(1, keepdims=True))
        return (
            odds / odds.sum(1, keepdims=True),
            centres + offsets[:, :2] * sides[:, None],
            sides * np.exp(np.clip(offsets[:, 2], -0.7, 0.7)),
        )
