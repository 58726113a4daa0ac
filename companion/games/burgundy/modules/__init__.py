"""Parts of the box that a game may be played with or without: one folder each, found by its name.

A folder has ``create(facts)``, which returns its :class:`~companion.games.burgundy.rules.module.Module`, and ``texts``
if it has texts of its own; what only the page says is in ``texts/page``. Nothing else lists it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from calibration.games.burgundy.facts import Facts

from ..rules.module import Module


def find(facts: Facts) -> Iterator[Module]:
    """Yields every module of the box, in the order of their names."""
    for found in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        yield importlib.import_module(f"{__name__}.{found.name}").create(facts)
