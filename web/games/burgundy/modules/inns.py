"""Inns: the stack beside the black depot, and the spaces of a duchy on which a stored inn may lie."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from .page import ModulePage, Move, View

INN = "inn"
STACK = "inns:0"


def joins(player: View) -> dict[int, Mapping[str, Any]]:
    """Returns the open spaces on which a stored inn may lie, each with its area; none without one."""
    if INN not in player["storage"]:
        return {}
    return {
        space: area
        for area in player["areas"]
        for space in area["open"]
        if area["points_with_inn"] is not None
    }


def closes(area: Mapping[str, Any]) -> bool:
    """Returns whether an inn would complete an area."""
    return len(area["left"]) == 1


def _places(move: Move, view: View) -> tuple[str, ...]:
    return (STACK,) if move["word"] == "buy" and move["tile"] == INN else ()


def _changes(move: Move, player: str | None, view: View) -> dict[str, str | None]:
    return dict.fromkeys(_places(move, view))


def _offered(view: View) -> tuple[str, ...]:
    return (INN,) if view.get("inns", {}).get("count") else ()


PAGE = ModulePage(
    draw=sys.modules[__name__],
    laid_out=["inns"],
    places_of=_places,
    changes=_changes,
    offered=_offered,
)
