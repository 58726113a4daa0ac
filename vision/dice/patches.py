"""Square patches around possible dice, at one scale."""

from __future__ import annotations

import cv2
import numpy as np

from ..pyramid import to_level

PATCH = 56
"""px; side of the square patch for the reader."""
FACE_IN_PATCH = 19.0
"""px; side of the face in the patch. The patch is nearly three faces wide because a hexagon with a printed face is two
and a half: only its outline distinguishes the print from the top of a die."""


def cut_patches(levels: list[np.ndarray], centres: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """Returns patches (N, PATCH, PATCH, 3) uint8 BGR around *centres* (N, 2) px, with faces of *sides* (N,) px scaled
    alike."""
    exact = np.floor(np.log2(np.maximum(sides, 1) / FACE_IN_PATCH))
    level = np.clip(exact, 0, len(levels) - 1).astype(int)
    step = sides / 2.0**level / FACE_IN_PATCH
    warps = np.zeros((len(sides), 2, 3), np.float32)
    warps[:, 0, 0] = warps[:, 1, 1] = step
    warps[:, :, 2] = to_level(centres, level[:, None]) - step[:, None] * (PATCH - 1) / 2
    patches = np.empty((len(sides), PATCH, PATCH, 3), np.uint8)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for patch, picture, warp in zip(patches, [levels[n] for n in level], warps, strict=True):
        cv2.warpAffine(picture, warp, (PATCH, PATCH), patch, flags, cv2.BORDER_REPLICATE)
    return patches
