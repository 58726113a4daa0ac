"""What a reader may confuse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from calibration.board_kind import kind_of
from companion.games.burgundy.rules.tiles import goods_label
from companion.virtual.virtual_game import LabelsAt

_THINGS_AT: Mapping[str, str] = {
    "goods": "goods",
    "depot_goods": "goods",
    "round": "goods",
    "route": "goods",
    "shields": "shield",
}
"""First part of the labels at the places of these groups; at all others lie tiles."""


def labels(state: Any) -> LabelsAt:
    """Returns a function to the labels that may be read at a place: goods or tokens at theirs, elsewhere other tiles,
    and on duchies tiles with a token on them too."""
    goods = map(goods_label, range(1, len(state.goods_supply)))
    pieces: Sequence[str] = sorted({*goods, *(tile.label for tile in state.supply)})
    tiles = [label for label in pieces if kind_of(label) not in _THINGS_AT.values()]
    covered = sorted(look for module in state.ruleset.modules for look in module.looks)
    at: Mapping[str, Sequence[str]] = {
        group: [label for label in pieces if kind_of(label) == kind] for group, kind in _THINGS_AT.items()
    } | {"duchy": [*tiles, *covered]}

    def labels_at(place: str) -> Sequence[str]:
        return at.get(place.partition(":")[0], tiles)

    return labels_at
