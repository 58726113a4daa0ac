"""The appearance of a place as a vector that is robust to light: logarithms of a small picture of its central disc.

A factor of the light becomes an offset, which subtracting the mean removes; the inner product of two vectors of length
1 is their correlation.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from .geometry import PATCH_SPAN

FINE_PX = 24
"""Side of the small picture: 20 px per tile. More detail did not distinguish more variants."""
NEAR_SHIFTS = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
"""Shifts of the small picture in px that are tried."""
DISC_RADIUS = 0.44
"""Tile widths: inside the edge of the tile (0.5) by its usual offset."""
LOG_OFFSET = 8
"""Grey levels added before the logarithm, so that black noise does not dominate."""
COLOUR_CAST = 0.9
"""Share of the mean colour of a patch that is attributed to the lamp and removed."""
FLAT_CONTRAST = 0.05
"""Log contrast (5 %) below which a patch counts as flat: a flat patch resembles only flat ones."""


def small_pictures(patches: np.ndarray, side: int) -> np.ndarray:
    """Returns the logarithms of small pictures: (n, PATCH_PX, PATCH_PX, 3) uint8 -> (n, side, side, 3) float32."""
    small = [cv2.resize(patch, (side, side), interpolation=cv2.INTER_AREA) for patch in patches]
    logarithms: np.ndarray = _LOG[np.array(small)]
    return logarithms


def embed(small: np.ndarray) -> np.ndarray:
    """Returns (n, d) float32: vectors of length 1 of the central discs of *small*, (n, side, side, 3)."""
    return embed_shifted(small, ((0, 0),))[:, 0]


def embed_shifted(small: np.ndarray, shifts: Sequence[tuple[int, int]]) -> np.ndarray:
    """Returns (n, shifts, d) float32: the vectors of :func:`embed` for pictures shifted by each of *shifts* (dx, dy)
    px."""
    blue, green, red = small.reshape(len(small), -1, 3).transpose(2, 0, 1)
    casts = ((blue + green + red) / 3, 1.0), (red - green, COLOUR_CAST), (blue - green, COLOUR_CAST)
    where = np.stack([np.flatnonzero(np.roll(_disc(small.shape[1]), shift, axis=(1, 0))) for shift in shifts])
    size = where.shape[1]
    vector = np.empty((len(small), len(shifts), 3 * size + 1), np.float32)
    for i, (channel, cast) in enumerate(casts):
        part = np.take(channel, where, axis=1)
        vector[:, :, i * size : (i + 1) * size] = part - cast * part.mean(axis=2, keepdims=True)
    vector[:, :, -1] = FLAT_CONTRAST * np.sqrt(size)
    vectors: np.ndarray = vector / np.sqrt(np.einsum("nsd,nsd->ns", vector, vector))[:, :, None]
    return vectors


@cache
def _disc(side: int) -> np.ndarray:
    """Returns (side, side) bool."""
    steps = (np.arange(side) - (side - 1) / 2) * (PATCH_SPAN / side)
    inside: np.ndarray = np.hypot(*np.meshgrid(steps, steps)) < DISC_RADIUS
    return inside


_LOG = np.log(np.arange(256) + LOG_OFFSET).astype(np.float32)
