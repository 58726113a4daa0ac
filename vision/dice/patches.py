"""Square patches around what may be dice, all at one scale."""

from __future__ import annotations

import cv2
import numpy as np

from ..pyramid import to_level

PATCH = 56
"""px; side of the square patch the reader network looks at."""
FACE_IN_PATCH = 19.0
"""px; side that the die's face has in the patch. The patch is nearly three faces wide because a hexagon with a printed
face is two and a half: only its outline tells the print from the flat top of a die."""


def cut_patches(levels: list[np.ndarray], centres: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """Patches (N, PATCH, PATCH, 3) uint8 BGR around *centres* (N, 2) px, faces of *sides* (N,) px scaled alike."""
    wanted = np.floor(np.log2(np.maximum(sides, 1) / FACE_IN_PATCH))
    level = np.clip(wanted, 0, len(levels) - 1).astype(int)
    step = sides / 2.0**level / FACE_IN_PATCH
    warps = np.zeros((len(sides), 2, 3), np.float32)
    warps[:, 0, 0] = warps[:, 1, 1] = step
    warps[:, :, 2] = to_level(centres, level[:, None]) - step[:, None] * (PATCH - 1) / 2
    patches = np.empty((len(sides), PATCH, PATCH, 3), np.uint8)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for patch, picture, warp in zip(patches, [levels[n] for n in level], warps, strict=True):
        cv2.warpAffine(picture, warp, (PATCH, PATCH), patch, flags, cv2.BORDER_REPLICATE)
    return patches
