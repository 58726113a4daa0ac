"""What can be bought, and why nothing can (S578-582, S650)."""

from __future__ import annotations

from collections.abc import Collection

from .abilities import has
from .decision import ANY_TYPE
from .moves import BLACK_DEPOT
from .reason import Reason
from .state import DISCARD, GameState
from .storage import is_full
from .table_rules import BETWEEN_ACTIONS, FORBIDDEN
from .tiles import BUILDING, Tile

BUY = "buy"
"""First word of a purchase in notation."""


def types_sold(game: GameState) -> Collection[str]:
    """Returns the types that monastery 6 buys: buildings for workers, or any tile for silver in 2011 (S650, A861)."""
    return ANY_TYPE if game.edition.building_price_workers is None else (BUILDING,)


def has_room(game: GameState, for_sale: Tile) -> bool:
    """Returns whether the current player may buy a tile for which the storage may be too full (S582)."""
    return game.rules.full_storage_purchase != FORBIDDEN or not is_full(game, game.player, for_sale)


def reason_against_purchase(game: GameState, depot: int) -> Reason | None:
    """Returns why nothing can be bought from *depot* now (S578-582, S650); None if something can."""
    if game.pending and (game.pending[-1].effect == DISCARD or game.rules.purchase == BETWEEN_ACTIONS):
        return Reason("other_choice_first", {"effect": game.pending[-1].effect, "move": BUY})
    if game.rules.full_storage_purchase == FORBIDDEN and is_full(game, game.player):
        return Reason("storage_full")
    return reason_against_payment(game, depot)


def can_pay(game: GameState, depot: int) -> bool:
    """Returns whether the current player can pay for something in *depot* now."""
    player, edition = game.player, game.edition
    if depot != BLACK_DEPOT and not has(player.monasteries, 6):
        return False
    if depot == BLACK_DEPOT or edition.building_price_workers is None:
        return player.silver >= edition.silver_price and not game.bought
    return player.workers >= edition.building_price_workers and not game.monastery_6_used


def reason_against_payment(game: GameState, depot: int) -> Reason | None:
    """Returns why the current player cannot pay for anything in *depot* now; None if they can."""
    if can_pay(game, depot):
        return None
    player, edition = game.player, game.edition
    if depot != BLACK_DEPOT and not has(player.monasteries, 6):
        return Reason("needs_monastery_6")
    if depot == BLACK_DEPOT or edition.building_price_workers is None:
        if game.bought:
            return Reason("already_bought")
        return Reason("not_enough_silver", {"price": edition.silver_price, "silver": player.silver})
    if game.monastery_6_used:
        return Reason("monastery_6_used")
    data = {"needed": edition.building_price_workers, "workers": player.workers}
    return Reason("not_enough_workers_to_buy", data)
