"""The tables and tiles of every game, which lie around dice in synthetic scenes.

A game has them in its module ``vision.games.GAME.training.props``.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Protocol, cast

import numpy as np

from .. import games
from .colours import Generator
from .grounds import pick


class Props(Protocol):
    """What a game adds to a scene."""

    PRINT_PX: int
    """px per pitch of its tables."""

    def bare_table(self, rng: Generator) -> np.ndarray:
        """Returns a table with nothing but tiles on it, from above: (S, S, 3) float32 BGR."""
        ...

    def any_tile(self, rng: Generator) -> np.ndarray:
        """Returns the face of a tile, (S, S, 3) float32 BGR."""
        ...


def any_props(rng: Generator) -> Props:
    """Returns the props of any game."""
    return pick(rng, _all_props())


@cache
def _all_props() -> tuple[Props, ...]:
    names = sorted(module.name for module in pkgutil.iter_modules(games.__path__))
    return tuple(
        cast(Props, importlib.import_module(f"{games.__name__}.{name}.training.props")) for name in names
    )
