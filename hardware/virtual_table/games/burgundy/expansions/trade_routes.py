"""The trade routes: tiles of three squares in rows below each player's board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ....layout import TABLE_MM, Panel, PlaceGroup, Placement, TableLayout
from ....sprites import GOODS_MM

_GROUP = "route"
_SQUARES = 3
"""Of one tile."""
_SQUARE_PITCH_MM, _TILE_MM, _TILE_PITCH_MM = 21.4, (65.6, 24.0), 67.4
_TILES_PER_ROW, _ROW_PITCH_MM = 3, 27.0
_BELOW_MM = 20.0
"""Distance of the middle of the first row from the near edge of the board."""
_BESIDE_MARKER_MM = 37.0
"""Distance of the middle of the rows from that of the board, away from the marker in the corner of the table."""


def extend(layout: TableLayout, places: Mapping[str, int], view: Mapping[str, Any]) -> TableLayout:
    panels, groups = list(layout.panels), list(layout.groups)
    for player in view["players"]:
        seat, route = layout.seats[player["colour"]], player["route"]
        tiles = list(_tiles(seat, len(route) // _SQUARES))
        panels += [Panel("route", tile) for tile in tiles]
        groups.append(_squares(f"{_GROUP}:{player['colour']}", tiles, route, seat))
    return replace(layout, panels=tuple(panels), groups=tuple(groups))


def _tiles(seat: Placement, count: int) -> Iterator[Placement]:
    """Yields where the tiles of a route lie, in order."""
    (width, height), (board_width, board_height) = _TILE_MM, seat.size_mm
    marker_is_left = (seat.centre_mm[0] < TABLE_MM[0] / 2) == (seat.turn_deg == 0)
    middle = board_width / 2 + (_BESIDE_MARKER_MM if marker_is_left else -_BESIDE_MARKER_MM)
    for i in range(count):
        row, column = divmod(i, _TILES_PER_ROW)
        x = middle + (column - (_TILES_PER_ROW - 1) / 2) * _TILE_PITCH_MM
        y = board_height + _BELOW_MM + row * _ROW_PITCH_MM
        yield seat.part(x - width / 2, y - height / 2, width, height)


def _squares(
    name: str, tiles: Sequence[Placement], route: Sequence[Mapping[str, Any]], seat: Placement
) -> PlaceGroup:
    width, height = _TILE_MM
    steps = [width / 2 + (i - (_SQUARES - 1) / 2) * _SQUARE_PITCH_MM for i in range(_SQUARES)]
    return PlaceGroup(
        name,
        "square",
        GOODS_MM,
        tuple(tile.at(x, height / 2) for tile in tiles for x in steps),
        tuple(f"route/{square['number'] or ''}/{square['bonus'] or ''}" for square in route),
        seat.turn_deg,
    )
