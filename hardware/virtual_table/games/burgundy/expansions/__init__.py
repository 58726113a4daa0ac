"""What each expansion adds to the virtual table: one file each, named like the module of the rules that it belongs to.

Such a file has a function ``extend``: the layout without it, the number of places of each group of the game, and what
the game shows as plain data, make the layout with it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from typing import Any

from ....layout import TableLayout

EXPANSIONS: tuple[str, ...] = tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))
"""Expansions of which something lies on the table."""


def with_expansions(
    layout: TableLayout, names: Iterable[str], places: Mapping[str, int], view: Mapping[str, Any]
) -> TableLayout:
    """Returns *layout* with what those of the expansions *names* add to it that lie on the table.

    *places* are the numbers of places by group, *view* is what the game shows, both before the first move.
    """
    for name in names:
        if name in EXPANSIONS:
            layout = importlib.import_module(f"{__name__}.{name}").extend(layout, places, view)
    return layout
