"""The white castles, and their monastery."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ....layout import TableLayout
from ..sprites import WHITE_CASTLES


def extend(layout: TableLayout, places: Mapping[str, int], view: Mapping[str, Any]) -> TableLayout:
    return replace(layout, art=replace(layout.art, tiles=(*layout.art.tiles, *WHITE_CASTLES)))
