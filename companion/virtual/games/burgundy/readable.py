"""What a reader may confuse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.burgundy.rules.tiles import goods_label
from companion.virtual.virtual_game import LabelsAt


def labels(state: Any) -> LabelsAt:
    """Returns a function to the labels that may be read at a place: goods where goods lie, elsewhere other tiles."""
    goods = sorted(map(goods_label, range(1, len(state.goods_supply))))
    tiles = sorted({tile.label for tile in state.supply})

    def labels_at(place: str) -> Sequence[str]:
        return goods if "goods" in place or place.startswith("round") else tiles

    return labels_at
