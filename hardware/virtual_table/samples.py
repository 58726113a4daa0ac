"""Tables for trying things out, which need no game to be chosen."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence

from . import games
from .layout import TableLayout


def sample_layout(players: Sequence[str] = ("red", "blue")) -> TableLayout:
    """Returns the sample table of the first game that has one, for 1 to 4 *players*."""
    names = sorted(module.name for module in pkgutil.iter_modules(games.__path__))
    parts = (importlib.import_module(f"{games.__name__}.{name}") for name in names)
    layout: TableLayout = next(part for part in parts if hasattr(part, "sample_layout")).sample_layout(
        players
    )
    return layout
