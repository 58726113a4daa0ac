"""The Châteauma's place at the virtual table: inventory, goods, a tray for its die, and the areas of its county cards.

The print of its board is unknown: this arrangement is invented. Its duchy is omitted.
"""

from __future__ import annotations

from dataclasses import replace

from ...layout import Panel, PlaceGroup, TableLayout
from ...sprites import GOODS_MM, HEX_MM
from .county_card import CARD_MM
from .layout import GOODS_KINDS
from .sprites import TILE_COLOURS

_CARD_AREAS_MM = {"left": (6.0, 46.0), "right": (90.0, 46.0)}
"""Top left corner of the card areas on the board."""
_FREE_MM = 7.0
"""Margin of a card area around its card."""


def with_automa(layout: TableLayout, colour: str) -> TableLayout:
    """Returns *layout* with the Châteauma's board on the spare seat *colour*."""
    seat = layout.seats[colour]
    dice = seat.part(222, 120, 66, 79)
    types = tuple(f"slot/{tile_type}" for tile_type in TILE_COLOURS)
    inventory = [seat.at(22 + 30 * i, 24) for i in range(len(types) + 1)]
    goods = [seat.at(232 + 22.5 * (i % 3), 66 + 22.5 * (i // 3)) for i in range(GOODS_KINDS)]
    groups = (
        PlaceGroup("inventory", "hex", HEX_MM, tuple(inventory), (*types, "black"), seat.turn_deg),
        PlaceGroup(
            f"goods:{colour}", "square", GOODS_MM, tuple(goods), ("goods",) * GOODS_KINDS, seat.turn_deg
        ),
    )
    width, height = (side + 2 * _FREE_MM for side in CARD_MM)
    areas = {name: seat.part(*corner, width, height) for name, corner in _CARD_AREAS_MM.items()}
    stands = [Panel("stand", area) for area in areas.values()]
    return replace(
        layout,
        panels=(*layout.panels, Panel(f"seat/{colour}", seat), *stands, Panel("tray", dice)),
        groups=(*layout.groups, *groups),
        dice_areas={**layout.dice_areas, colour: dice.corners},
        card_areas=areas,
    )
