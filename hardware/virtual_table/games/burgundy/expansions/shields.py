"""The shields: they lie at the depots above the goods, and later on castles.

A person with shield 4 has a row beside the board for the tiles that do not fit into the storage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ....layout import Panel, PlaceGroup, TableLayout
from ....sprites import SHIELD_MM
from ..layout import DEPOT_MIDDLES_MM, MAIN
from ..sprites import SHIELD_LABELS, SHIELDED_CASTLES

_GROUP = "shields"
_SPOTS_MM = ((-42.0, -40.0), (42.0, -40.0))
"""Shields of a depot from its middle."""
_ROW, _ROW_PITCH_MM = 5, 28.5
"""Tiles beside a board, and the distance from one to the next."""
_ROW_MM = (144.0, 37.0)
_OFF_BOARD_MM = 20.0
"""Distance of the middle of the row from the far edge of the board."""


def extend(layout: TableLayout, places: Mapping[str, int], view: Mapping[str, Any]) -> TableLayout:
    width, height = _ROW_MM
    rows = [
        Panel("stand", layout.seats[board.player].part(1, -_OFF_BOARD_MM - height / 2, width, height))
        for board in layout.boards
    ]
    return replace(
        layout,
        panels=(*layout.panels, *rows),
        groups=(*(_with_row(group, layout) for group in layout.groups), *_shield_groups(places)),
        art=replace(layout.art, shields=SHIELD_LABELS, covered=SHIELDED_CASTLES),
    )


def _shield_groups(places: Mapping[str, int]) -> Iterator[PlaceGroup]:
    for depot, (x, y) in DEPOT_MIDDLES_MM.items():
        name = f"{_GROUP}:{depot}"
        spots = tuple(MAIN.at(x + dx, y + dy) for dx, dy in _SPOTS_MM[: places[name]])
        yield PlaceGroup(name, "shield", SHIELD_MM, spots, ("shield",) * len(spots))


def _with_row(group: PlaceGroup, layout: TableLayout) -> PlaceGroup:
    """Returns a storage with the row beside its board; any other group as it is."""
    kind, _, player = group.name.partition(":")
    if kind != "storage":
        return group
    seat = layout.seats[player]
    row = tuple(seat.at(1 + (i + 0.5) * _ROW_MM[0] / _ROW, -_OFF_BOARD_MM) for i in range(_ROW))
    return replace(
        group, centres_mm=(*group.centres_mm, *row), prints=(*group.prints, *group.prints[:1] * _ROW)
    )
