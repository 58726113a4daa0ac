"""The look of boards, tiles and cards. All of it was invented or drawn for this project."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ...art import SEAT, Art, CardArt, Layer
from . import ornaments, prints, sprites
from .county_card import CARD_MM, county_card, spaces_of

_PANELS: Mapping[str, tuple[Layer, ...]] = {
    "seat": (
        Layer(0, 5, SEAT, thick_mm=2.2),
        Layer(2.6, 3.5, "#5a4632", mottle=5),
        Layer(4.2, 3, "#8d734f", width_mm=0.5),
    ),
    "card": (
        Layer(0, 2, "#c3b084", thick_mm=0.8, mottle=4),
        Layer(1.6, 1.5, "#6b5430", width_mm=0.6),
        Layer(2.8, 1.2, "#8f7748", width_mm=0.4),
    ),
    "main": (
        Layer(0, 4, "#4b3a29", thick_mm=2.2),
        Layer(3, 3, "#bda87c", mottle=5),
        Layer(5.5, 2.5, "#5e2a38", width_mm=1.0),
        Layer(7.5, 2, "#7d6640", width_mm=0.5),
    ),
    "depot": (Layer(0, 7, "#8a7250", mottle=5), Layer(1.4, 6, "#e0cf9f", width_mm=0.7)),
    "rounds": (Layer(0, 4, "#7a3448", mottle=4), Layer(1.2, 3.4, "#d8c187", width_mm=0.5)),
    "black": (Layer(0, 8, "#39322a", mottle=4), Layer(1.6, 7, "#a8904f", width_mm=0.8)),
    "tray": (Layer(0, 5, "#2f4a3e", mottle=3), Layer(1.2, 4.2, "#b79d62", width_mm=0.6)),
    "route": (Layer(0, 2, "#6b5130", thick_mm=1.6), Layer(0.8, 1.5, "#b8a172", mottle=4)),
    "stand": (Layer(0, 4, "#57493a", mottle=4), Layer(1.0, 3.4, "#8d734f", width_mm=0.5)),
}
_PICTURES: Mapping[str, Callable[[str], np.ndarray]] = {
    "badge": lambda value: prints.die_badge(int(value)),
    "ornament": ornaments.ornament,
    "post": lambda _: prints.border_post(),
}
_PLACES: Mapping[str, Callable[..., np.ndarray]] = {
    "space": lambda tile_type, die: prints.printed_space(tile_type, int(die)),
    "slot": prints.printed_slot,
    "round": lambda number: prints.printed_round(int(number)),
    "storage": prints.printed_storage,
    "black": prints.printed_black_slot,
    "goods": prints.printed_goods_square,
    "route": prints.printed_route_square,
    "shield": prints.printed_shield_spot,
}
_SEAT_COLOURS: Mapping[str, str] = {
    "red": "#a8242a",
    "blue": "#23509c",
    "green": "#2f7a3a",
    "black": "#2a2a2c",
    "yellow": "#d9ac1d",
}

ART = Art(
    panels=_PANELS,
    pictures=_PICTURES,
    places=_PLACES,
    land=((40, "#8d8a56"), (38.5, "#a9a66b")),
    seat_colours=_SEAT_COLOURS,
    tiles=sprites.TILE_LABELS,
    goods=sprites.GOODS_LABELS,
    back=sprites.BACK,
    face=sprites.tile_face,
    card=CardArt(CARD_MM, spaces_of, county_card),
)
