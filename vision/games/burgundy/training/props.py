"""Tables and tiles of the game, among which dice lie in synthetic scenes."""

from __future__ import annotations

import numpy as np

from calibration.games.burgundy.facts import TILE_TYPES

from ....training.colours import Generator
from .printing import PRINT_PX, any_printing, tile_picture
from .tables import VARIANTS, any_table

__all__ = ["PRINT_PX", "any_tile", "bare_table"]


def bare_table(rng: Generator) -> np.ndarray:
    """Returns a table with nothing but tiles on it, from above: (S, S, 3) float32 BGR, PRINT_PX px per pitch."""
    return any_table(rng, objects=0).world


def any_tile(rng: Generator) -> np.ndarray:
    """Returns the face of a tile of any printing, (S, S, 3) float32 BGR."""
    printing, tile_type = any_printing(rng), TILE_TYPES[int(rng.integers(len(TILE_TYPES)))]
    return tile_picture(printing, tile_type, str(1 + rng.integers(VARIANTS[tile_type])))
