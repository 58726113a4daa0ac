"""What a place looks like, as a vector that light changes little: logarithms of a small picture of its middle disc.

A factor of the light is an offset there, which the mean takes away; scaled to length 1, the inner product of two such
vectors is their correlation.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from .geometry import PATCH_SPAN

FINE_PX = 24
"""Side of the small picture: 20 px a tile. More detail did not tell more monasteries apart."""
NEAR_SHIFTS = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
"""Px by which the small picture is moved to fit best."""
DISC_RADIUS = 0.44
"""Tile widths: inside the tile's edge (0.5) by what a tile lies off centre."""
LOG_OFFSET = 8
"""Grey levels added before the logarithm, so that black noise does not dominate."""
COLOUR_CAST = 0.9
"""Share of a patch's mean colour that is put down to the lamp and taken away."""
FLAT_CONTRAST = 0.05
"""Log contrast (5 %) below which a patch counts as flat: flat resembles flat, and nothing else."""


def small_pictures(patches: np.ndarray, side: int) -> np.ndarray:
    """Logarithms of small pictures: (n, PATCH_PX, PATCH_PX, 3) uint8 -> (n, side, side, 3) float32."""
    small = [cv2.resize(patch, (side, side), interpolation=cv2.INTER_AREA) for patch in patches]
    logarithms: np.ndarray = _LOG[np.array(small)]
    return logarithms


def embed(small: np.ndarray) -> np.ndarray:
    """Vectors of length 1 of the middle discs of *small* (n, side, side, 3): (n, d) float32."""
    return embed_shifted(small, ((0, 0),))[:, 0]


def embed_shifted(small: np.ndarray, shifts: Sequence[tuple[int, int]]) -> np.ndarray:
    """As :func:`embed` with the pictures moved by each of *shifts* (dx, dy) px: (n, shifts, d) float32."""
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
    """(side, side) bool."""
    steps = (np.arange(side) - (side - 1) / 2) * (PATCH_SPAN / side)
    inside: np.ndarray = np.hypot(*np.meshgrid(steps, steps)) < DISC_RADIUS
    return inside


_LOG = np.log(np.arange(256) + LOG_OFFSET).astype(np.float32)
