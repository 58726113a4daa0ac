"""The Châteauma buys from the black depot at the end of its turn (S1190-1194)."""

from __future__ import annotations

from ...rules.moves import BLACK_DEPOT
from .context import Turn


def buy(turn: Turn) -> None:
    """Buys exactly one tile if it has enough silver: of a type that the inventory lacks, else the first one.

    Of several missing types, the first in the order of the inventory; of that type, the first tile in reading order.
    """
    game, seat = turn.game, turn.seat
    price = game.edition.silver_price
    for_sale = {slot: there for slot, there in enumerate(game.black) if there is not None}
    if seat.silver < price or not for_sale:
        return
    owned = {t.type for t in seat.stored}
    order = seat.print.inventory_order
    assert order is not None
    offered = {t.type for t in for_sale.values()}
    missing = next((tile_type for tile_type in order if tile_type in offered - owned), None)
    slot = next(slot for slot, there in for_sale.items() if missing in (None, there.type))
    turn.step("buys_first" if missing is None else "buys_missing", type=for_sale[slot].type)
    bought = for_sale[slot]
    game.black[slot] = None
    seat.silver -= price
    seat.stored.append(bought)
    turn.add_event("buy", tile=bought.label, depot=BLACK_DEPOT, slot=slot, price=price)
