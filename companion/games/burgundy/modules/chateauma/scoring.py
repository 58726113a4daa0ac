"""Silver from the Châteauma's mines, and its points at the end (S1128, S1204-1212)."""

from __future__ import annotations

from ...rules.scoring import GOODS_AT_END, SILVER_AT_END
from ...rules.tiles import MINE, MONASTERY
from .seat import Chateauma

POINTS_PER_MONASTERY = 4
"""In its duchy and face up on its cards (S1208)."""
POINTS_PER_TILE_ON_CARD = 2
"""Face down or up (S1212)."""


def mine_income(seat: Chateauma) -> tuple[int, int]:
    """Returns one silver for each face-up mine in the duchy and on the cards (S1128)."""
    return len(seat.placed(MINE)), 0


def final_points(seat: Chateauma) -> dict[str, int]:
    """Returns its points if the game ended now, by source (S1208-1212)."""
    on_cards = sum(there is not None for card in seat.cards if card is not None for there in card.tiles)
    points = {
        GOODS_AT_END: sum(seat.goods),
        SILVER_AT_END: seat.silver,
        "monasteries": POINTS_PER_MONASTERY * len(seat.placed(MONASTERY)),
        "inventory": len(seat.stored) + len(seat.jokers),
        "open_cards": POINTS_PER_TILE_ON_CARD * on_cards,
    }
    return {source: value for source, value in points.items() if value}
