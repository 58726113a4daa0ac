"""The Châteauma sells goods (S1198-1202)."""

from __future__ import annotations

from ...rules.gains import GOODS_SOLD, gain
from ...rules.tiles import GOODS
from .context import Turn
from .extension import add_to_sale

SALE = "sale"
SALE_SILVER = 1
"""For a sale, whatever its size (S1200)."""


def sell(turn: Turn) -> None:
    """Sells all goods of the kind it has most of, in a tie the one with the lowest number."""
    seat = turn.seat
    most = max(seat.goods)
    if not most:
        turn.step("nothing_to_sell")
        turn.add_event("no_benefit", effect=SALE)
        return
    kinds = [kind for kind in GOODS if seat.goods[kind] == most]
    kind = kinds[0]
    turn.step("most_goods" if len(kinds) == 1 else "most_goods_tie", goods=kind, count=most)
    seat.goods[kind] = 0
    seat.sold[kind] += most
    points = most * turn.game.played_as
    turn.score("sell", "sales", points, goods=kind, count=most, silver=SALE_SILVER, workers=0)
    gain(turn.game, seat, turn.events, silver=SALE_SILVER)
    turn.game.hooks.gained(turn.game, seat, GOODS_SOLD, most, turn.events)
    add_to_sale(turn)
