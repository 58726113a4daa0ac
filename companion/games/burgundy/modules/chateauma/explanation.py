"""Why the Châteauma did what it did: steps with a stable code and the lines of the rule text behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

STEPS = {
    # which card, and where the search begins
    "current_card": "S1112",
    "card_missing": "S1184, S1229",
    "card_full": "S1153",
    "cards_full": "S1153",
    "cards_gone": "S1184, S1229",
    "starts_at_own_die": "S1136-1137",
    "starts_at_white_die": "S1153, S1229",
    # choosing a tile
    "depot_without_fit": "S1138",
    "depot_fits": "S1138-1139",
    "top_of_several": "S1139",
    "nothing_fits": "S1140",
    "stored_fits": "S1098, S1141",
    "nothing_stored_fits": "S1141",
    "joker_used": "S1142-1143",
    "no_joker": "S1144",
    "joker_gained": "S1144",
    "black_depot_empty": "S1145",
    # what a placed tile brings
    "castle": "S1153",
    "pays_silver": "S1155",
    "pays_points": "S1156, S1162",
    "looks_for": "S1157-1159",
    "looks_for_next": "S1158-1159",
    "found": "S1157-1159",
    "found_nothing": "S1157-1159",
    "town_hall_most": "S1160",
    "town_hall_tie": "S1160",
    "town_hall_nothing": "S1160",
    "warehouse": "S1161",
    "herd": "S1164-1166",
    "fullest_depot": "S1168",
    "fullest_of_several": "S1168",
    "no_goods_lying": "S1168",
    "ship_advances": "S1168",
    # sales
    "symbol_covered": "S1170-1176",
    "most_goods": "S1200",
    "most_goods_tie": "S1200",
    "nothing_to_sell": "S1202",
    # completed cards
    "card_completed": "S1180",
    "tiles_move": "S1182",
    "tile_stacked": "S1182",
    "joker_turned": "S1182",
    "extra_turn": "S1229-1231",
    "card_slides": "S1184",
    "colour_filled": "S1188",
    "no_bonus_tile": "S1188",
    # the purchase
    "buys_missing": "S1192-1194",
    "buys_fewest": "S1192-1194",
    "buys_first": "S1192-1194",
}
"""Code -> the lines of the rule text behind the step. Other modules add their own (see :mod:`.extension`)."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step towards an event."""

    code: str
    rule: str
    """Lines of the rule text behind it."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """Values for the sentence's placeholders."""

    def to_json(self) -> dict[str, Any]:
        """Returns the step as plain data."""
        return {"code": self.code, "rule": self.rule, **self.data}
