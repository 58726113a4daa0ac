"""Shields: at the depots, on castles, and what they do."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, abort, render_template

from ....context import page_context, translator
from .page import ModulePage, Move, View

sheets = Blueprint("shields", __name__)


def label(number: int) -> str:
    """Returns the label of a shield."""
    return f"shield/{number}"


def place(view: View, depot: int, number: int) -> str:
    """Returns the place of a shield at a depot."""
    return f"shields:{depot}:{view['shields'][str(depot)].index(number)}"


def _on_castles(player: View) -> dict[int, str]:
    return {shield["space"]: f"castle/shield_{shield['number']}" for shield in player.get("shields", ())}


def _places(move: Move, view: View) -> tuple[str, ...]:
    """Returns castle and depot of a move that takes a shield."""
    if move["word"] != "shield" or move["number"] not in view["shields"][str(move["depot"])]:
        return ()
    return (f"duchy:{view['to_move']}:{move['space']}", place(view, move["depot"], move["number"]))


def _changes(move: Move, player: str | None, view: View) -> dict[str, str | None]:
    if move["word"] == "free":
        return {f"duchy:{player}:{move['space']}": move["tile"]}
    taken = _places({**move}, {**view, "to_move": player}) if move["word"] == "shield" else ()
    if not taken:
        return {}
    castle, depot = taken
    return {castle: f"castle/shield_{move['number']}", depot: None}


@sheets.get("/shields/<player>")
def shields(player: str) -> str:
    """Shows what the shields of a player and those at the depots do, and those that can be taken now."""
    session = page_context().session
    snapshot, legal = session.read(lambda s: (s.snapshot(), s.legal_moves()))
    view = snapshot["view"]
    seat = next((seat for seat in view["players"] if seat["colour"] == player), None)
    if seat is None or "shields" not in seat:
        abort(404)
    takes: dict[int, list[Mapping[str, Any]]] = {}
    for move in legal if view["to_move"] == player else ():
        if move["word"] == "shield":
            takes.setdefault(move["number"], []).append(move)
    return render_template(
        "burgundy/modules/shields/sheet.html",
        t=translator(view),
        edition=view["edition"],
        player=player,
        own=seat["shields"],
        at_depots=view["shields"],
        takes=takes,
    )


PAGE = ModulePage(
    draw=sys.modules[__name__],
    sheets=sheets,
    groups={
        "shield": "take",
        "free": "place",
        "done": "finish",
        "forgo": "discard",
        "upkeep": "finish",
        "any": "other",
        "more": "goods",
    },
    signs={
        "shield": "shield",
        "forgo": "shield",
        "upkeep": "silver",
        "copy": "monastery",
        "any": "action",
        "more": "sold",
    },
    laid_out=["shields"],
    places_of=_places,
    changes=_changes,
    labels_on=_on_castles,
)
