"""The extra tiles: a crane, geese, and two monasteries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ....layout import TableLayout
from ..sprites import EXTRA_TILES


def extend(layout: TableLayout, places: Mapping[str, int], view: Mapping[str, Any]) -> TableLayout:
    return replace(layout, art=replace(layout.art, tiles=(*layout.art.tiles, *EXTRA_TILES)))
