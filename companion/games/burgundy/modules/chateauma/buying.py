"""The Châteauma buys from the black depot at the end of its turn (S1190-1194)."""

from __future__ import annotations

from ...rules.moves import BLACK_DEPOT
from ...rules.tiles import Tile
from .context import Turn
from .scarcity import count_stored, scarcest


def buy(turn: Turn) -> None:
    """Buys exactly one tile if it has enough silver: of the type that it has fewest of, the first in reading order."""
    if not (for_sale := _for_sale(turn)):
        return
    scarce = scarcest(turn.seat, {there.type for there in for_sale.values()})
    count = count_stored(turn.seat, scarce)
    turn.step("buys_fewest" if count else "buys_missing", type=scarce, count=count)
    _buy(turn, next(slot for slot, there in for_sale.items() if there.type == scarce))


def buy_as_earlier_release(turn: Turn) -> None:
    """Buys as earlier releases did: the first tile, if the inventory lacks no type on offer."""
    for_sale = _for_sale(turn)
    if all(count_stored(turn.seat, there.type) for there in for_sale.values()) and for_sale:
        slot = next(iter(for_sale))
        turn.step("buys_first", type=for_sale[slot].type)
        _buy(turn, slot)
    else:
        buy(turn)


def _for_sale(turn: Turn) -> dict[int, Tile]:
    """Returns the tiles that it can pay for, by slot."""
    if turn.seat.silver < turn.game.edition.silver_price:
        return {}
    return {slot: there for slot, there in enumerate(turn.game.black) if there is not None}


def _buy(turn: Turn, slot: int) -> None:
    bought, price = turn.game.black[slot], turn.game.edition.silver_price
    assert bought is not None
    turn.game.black[slot] = None
    turn.seat.silver -= price
    turn.seat.stored.append(bought)
    turn.add_event("buy", tile=bought.label, depot=BLACK_DEPOT, slot=slot, price=price)
