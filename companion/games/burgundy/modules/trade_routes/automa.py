"""What the Châteauma gets: it has no route, but a point more for each sale (S1247)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..chateauma.context import Turn
from ..chateauma.extension import Extension
from .bonuses import SOURCE

POINTS = 1
STEP = "trade_sale"


class TradingAutoma(Extension):
    """A point for each sale that really sells, by whatever it was set off (ruling 182)."""

    automa_steps: ClassVar[Mapping[str, str]] = {STEP: "S1247"}

    def automa_sells(self, turn: Turn) -> None:
        super().automa_sells(turn)
        turn.step(STEP)
        turn.score("trade_sale", SOURCE, POINTS)
