"""The moves of the base game: one file each, with everything that the rules say about it."""

from __future__ import annotations

from typing import Any

from ..decision import Decision, Effect
from ..effects import TAKEN_BY
from ..state import DISCARD
from ..tiles import CASTLE, SHIP, TOWN_HALL, WAREHOUSE
from .adjust import Adjust, AdjustDecision
from .buy import Buy, BuyDecision
from .discard import Discard, DiscardDecision
from .end_turn import EndTurn, EndTurnDecision
from .fill import Fill, FillEvent
from .override import Override, OverrideDecision
from .place import Place, PlaceDecision
from .roll import Roll, RollEvent
from .sell import Sell, SellDecision
from .skip import Skip, SkipDecision
from .start_castle import StartCastle, StartCastleDecision
from .start_goods import StartGoods, StartGoodsEvent
from .take import Take, TakeDecision
from .take_goods import TakeGoods, TakeGoodsDecision
from .take_workers import TakeWorkers, TakeWorkersDecision

__all__ = [
    "DECISIONS",
    "EFFECTS",
    "Adjust",
    "Buy",
    "Discard",
    "EndTurn",
    "Fill",
    "Override",
    "Place",
    "Roll",
    "Sell",
    "Skip",
    "StartCastle",
    "StartGoods",
    "Take",
    "TakeGoods",
    "TakeWorkers",
]

DECISIONS: tuple[Decision[Any], ...] = (
    TakeDecision(),
    PlaceDecision(),
    SellDecision(),
    TakeWorkersDecision(),
    TakeGoodsDecision(),
    BuyDecision(),
    DiscardDecision(),
    SkipDecision(),
    EndTurnDecision(),
    StartCastleDecision(),
    StartGoodsEvent(),
    FillEvent(),
    RollEvent(),
    AdjustDecision(),
    OverrideDecision(),
)
"""In the order in which legal moves are listed."""

EFFECTS: dict[str, Effect] = {
    CASTLE: Effect((Take, Place, Sell, TakeWorkers, Skip), is_action=True),
    SHIP: Effect((TakeGoods,)),
    TOWN_HALL: Effect((Place, Skip)),
    WAREHOUSE: Effect((Sell, Skip)),
    DISCARD: Effect((Discard,)),
    **{
        building: Effect((Take, Skip), types, is_lost_without_room=True)
        for building, types in TAKEN_BY.items()
    },
}
"""Effect that waits for a choice -> what may be done with it (S338, S360, S372, S423-502)."""
