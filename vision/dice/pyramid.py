"""A picture at halved sizes, and square patches cut from it at a set scale."""

from __future__ import annotations

import cv2
import numpy as np

PATCH = 56
"""px; side of the square patch the reader network looks at."""
FACE_IN_PATCH = 19.0
"""px; side that the die's face has in the patch. The patch is nearly three faces wide because a hexagon with a printed
face is two and a half: only its outline tells the print from the flat top of a die."""


def build_pyramid(frame: np.ndarray, least_side: int) -> list[np.ndarray]:
    """*frame*, (H, W, 3) uint8 BGR, and its halves for as long as both sides are at least *least_side* px."""
    levels = [frame]
    while min(levels[-1].shape[:2]) // 2 >= least_side:
        levels.append(halve(levels[-1]))
    return levels


def halve(frame: np.ndarray) -> np.ndarray:
    """The picture at half size; pixel (x, y) covers pixels 2x, 2x + 1 and 2y, 2y + 1."""
    height, width = frame.shape[:2]
    even = frame[: height // 2 * 2, : width // 2 * 2]
    return cv2.resize(even, (width // 2, height // 2), interpolation=cv2.INTER_AREA)


def to_level(points: np.ndarray, level: int) -> np.ndarray:
    """Pixel positions of the full picture in the pyramid's *level* (pixel centres are whole numbers)."""
    return (points + 0.5) / 2.0**level - 0.5


def from_level(points: np.ndarray, level: int) -> np.ndarray:
    """Pixel positions of the pyramid's *level* in the full picture."""
    return (points + 0.5) * 2.0**level - 0.5


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


def folded(pictures: np.ndarray, block: int) -> np.ndarray:
    """(N, H, W, 3) uint8 to (N, 3 block², H / block, W / block) float32 -0.5..0.5: each square of pixels one pixel.

    A network that begins with this needs no convolution over the many pixels of the full picture. The order is
    that of PyTorch's ``pixel_unshuffle``.
    """
    count, height, width, channels = pictures.shape
    squares = pictures.reshape(count, height // block, block, width // block, block, channels)
    planes = np.ascontiguousarray(squares.transpose(0, 5, 2, 4, 1, 3))
    light = planes.reshape(count, channels * block**2, height // block, width // block).astype(np.float32)
    light -= 127.5
    light /= 255
    return light
