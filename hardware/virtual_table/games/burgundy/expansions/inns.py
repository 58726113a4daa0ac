"""The inns: their stack lies beside the black depot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ....layout import Panel, PlaceGroup, TableLayout
from ....sprites import HEX_MM
from ..layout import MAIN
from ..sprites import INN

_STACK_MM = (147.0, 270.0)
"""Middle of the stack on the main board."""
_PANEL_MM = (36.0, 41.0)


def extend(layout: TableLayout, places: Mapping[str, int], view: Mapping[str, Any]) -> TableLayout:
    (x, y), (width, height) = _STACK_MM, _PANEL_MM
    return replace(
        layout,
        panels=(*layout.panels, Panel("black", MAIN.part(x - width / 2, y - height / 2, width, height))),
        groups=(*layout.groups, PlaceGroup("inns", "hex", HEX_MM, (MAIN.at(x, y),), ("black",))),
        art=replace(layout.art, tiles=(*layout.art.tiles, INN)),
    )
