"""Square patches around what may be dice, all at one scale."""

from __future__ import annotations

import cv2
import numpy as np

from vision.pyramid import to_level

PATCH = 56
"""px; side of the square patch the reader network looks at."""
FACE_IN_PATCH = 19.0
"""px; side that the die's face has in the patch. The patch is nearly three faces wide because a hexagon with a printed
face is two and a half: only its outline tells the print from the flat top of a die."""


def cut_patches(levels: list[np.ndarray], centres: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """Patches (N, PATCH, PATCH, 3) uint8 BGR around *centres* (N, 2) px, faces of *sides* (N,) px scaled alike."""
    patches = np.empty((len(centres), PATCH, PATCH, 3), np.uint8)
    for patch, centre, side in zip(patches, centres, sides, strict=True):
        level = int(np.clip(np.floor(np.log2(max(side, 1) / FACE_IN_PATCH)), 0, len(levels) - 1))
        step = side / 2.0**level / FACE_IN_PATCH
        corner = to_level(centre, level) - step * (PATCH - 1) / 2
        warp = np.array([[step, 0, corner[0]], [0, step, corner[1]]], np.float32)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        cv2.warpAffine(levels[level], warp, (PATCH, PATCH), patch, flags, cv2.BORDER_REPLICATE)
    return patches
