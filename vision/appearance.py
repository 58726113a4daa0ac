"""What a place looks like, as a vector that light changes little: logarithms of a small picture of its middle disc.

A factor of the light is an offset there, which the mean takes away; scaled to length 1, the inner product of two such
vectors is their correlation.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from vision.geometry import PATCH_SPAN

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
    return _LOG[np.array(small)]


def embed(small: np.ndarray, shift: tuple[int, int] = (0, 0)) -> np.ndarray:
    """Vectors of length 1 of the middle discs, moved by *shift* px: (n, d) float32."""
    disc = np.roll(_disc(small.shape[1]), shift, axis=(1, 0))
    blue, green, red = (small[:, disc, channel] for channel in range(3))
    luma = (blue + green + red) / 3
    parts = [luma - luma.mean(axis=1, keepdims=True)]
    parts += [c - COLOUR_CAST * c.mean(axis=1, keepdims=True) for c in (red - green, blue - green)]
    flat = np.full((len(small), 1), FLAT_CONTRAST * np.sqrt(disc.sum()), np.float32)
    vector = np.concatenate([*parts, flat], axis=1)
    return vector / np.linalg.norm(vector, axis=1, keepdims=True)


@cache
def _disc(side: int) -> np.ndarray:
    """(side, side) bool."""
    steps = (np.arange(side) - (side - 1) / 2) * (PATCH_SPAN / side)
    return np.hypot(*np.meshgrid(steps, steps)) < DISC_RADIUS


_LOG = np.log(np.arange(256) + LOG_OFFSET).astype(np.float32)
