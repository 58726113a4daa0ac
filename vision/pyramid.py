"""Image pyramids, and pictures as input for networks."""

from __future__ import annotations

import cv2
import numpy as np


def build_pyramid(frame: np.ndarray, least_side: int) -> list[np.ndarray]:
    """Returns *frame*, (H, W, 3) uint8 BGR, and its halves for as long as both sides have at least *least_side* px."""
    levels = [frame]
    while min(levels[-1].shape[:2]) // 2 >= least_side:
        levels.append(halve(levels[-1]))
    return levels


def halve(frame: np.ndarray) -> np.ndarray:
    """Returns the picture at half size; pixel (x, y) covers pixels 2x, 2x + 1 and 2y, 2y + 1."""
    height, width = frame.shape[:2]
    even = frame[: height // 2 * 2, : width // 2 * 2]
    return cv2.resize(even, (width // 2, height // 2), interpolation=cv2.INTER_AREA)


def to_level(points: np.ndarray, level: int) -> np.ndarray:
    """Converts pixel positions of the full picture to *level* of the pyramid (pixel centres are integers)."""
    return (points + 0.5) / 2.0**level - 0.5


def from_level(points: np.ndarray, level: int) -> np.ndarray:
    """Converts pixel positions of the pyramid's *level* to the full picture."""
    return (points + 0.5) * 2.0**level - 0.5


def pixel_unshuffle(pictures: np.ndarray, block: int) -> np.ndarray:
    """Converts (N, H, W, 3) uint8 to (N, 3 block², H / block, W / block) float32 -0.5..0.5: each square of pixels
    becomes one pixel.

    A network that begins with this needs no convolution at full resolution. The order is that of PyTorch's
    ``pixel_unshuffle``.
    """
    count, height, width, channels = pictures.shape
    squares = pictures.reshape(count, height // block, block, width // block, block, channels)
    planes = np.ascontiguousarray(squares.transpose(0, 5, 2, 4, 1, 3))
    light = planes.reshape(count, channels * block**2, height // block, width // block).astype(np.float32)
    light -= 127.5
    light /= 255
    return light


def padded(picture: np.ndarray, multiple: int) -> np.ndarray:
    """Returns *picture*, (H, W, 3), with its last row and column repeated until both sides are multiples of *multiple*
    px."""
    below, beside = (-n % multiple for n in picture.shape[:2])
    return cv2.copyMakeBorder(picture, 0, below, 0, beside, cv2.BORDER_REPLICATE)
