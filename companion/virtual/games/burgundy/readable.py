"""What a reader may confuse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from calibration.games.burgundy import BOARDS
from companion.games.burgundy.rules.tiles import goods_label, is_goods
from companion.virtual.virtual_game import LabelsAt

_GOODS = "goods"
_THINGS_AT: Mapping[str, str] = {
    "goods": _GOODS,
    "depot_goods": _GOODS,
    "round": _GOODS,
    "route": _GOODS,
    "shields": "shield",
}
"""First part of the labels at the places of these groups; at all others lie tiles."""


def labels(state: Any) -> LabelsAt:
    """Returns a function to the labels that may be read at a place: goods or tokens at theirs, elsewhere other tiles,
    and on duchies tiles with a token on them too."""
    goods = map(goods_label, range(1, len(state.goods_supply)))
    pieces: Sequence[str] = sorted({*goods, *(tile.label for tile in state.supply)})
    tiles = [label for label in pieces if not is_goods(label) and _kind(label) not in BOARDS.tokens]
    covered = sorted(look for module in state.ruleset.modules for look in module.looks)
    at: Mapping[str, Sequence[str]] = {
        group: [label for label in pieces if _kind(label) == kind] for group, kind in _THINGS_AT.items()
    } | {"duchy": [*tiles, *covered]}

    def labels_at(place: str) -> Sequence[str]:
        return at.get(place.partition(":")[0], tiles)

    return labels_at


def _kind(label: str) -> str:
    return label.partition("/")[0]
