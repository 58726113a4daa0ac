"""Trade routes: sold goods go on a row of squares, and bring bonuses where the numbers are equal (S777-783).

The files are module (what it adds to the base game and changes in it), tiles (what is printed), routes (the state),
setup, selling (goods that are sold, square by square), bonuses, report_square and report_tile (its moves), overriding,
forecast (what a sale would bring), view, owner_print (what the owner is asked), assumed_print and automa (what the
Châteauma gets).
"""

from __future__ import annotations

from calibration.games.burgundy.facts import Facts

from .module import TradeRoutes
from .tiles import TradePrint

__all__ = ["TradeRoutes", "create"]


def create(facts: Facts) -> TradeRoutes:
    """Returns the module with what is printed for it."""
    return TradeRoutes(TradePrint.from_facts(facts.trade_routes))
