"""Shields: at the depots, on castles, and what they do."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, render_template

from calibration.board_kind import kind_of
from companion.games.burgundy.modules.shields.monasteries import COPIES
from companion.games.burgundy.modules.shields.scoring import DOUBLES_SHIELDS
from companion.games.burgundy.modules.shields.state import look_of
from companion.games.burgundy.modules.shields.upkeep import PAID_IN_WORKERS
from companion.games.burgundy.rules.tiles import CASTLE

from ....context import page_context, translator
from ..seats import seat_with
from .page import ModulePage, Move, View

NAME = "shields"

sheets = Blueprint(NAME, __name__)


def _on_castles(player: View) -> dict[int, str]:
    return {shield["space"]: look_of(shield["number"]) for shield in player.get(NAME, ())}


def _castle_and_depot(move: Move, player: str | None, view: View) -> tuple[str, ...]:
    """Returns the places that change when a player takes a shield; none for other moves, or if it is not there."""
    if move["word"] != "shield":
        return ()
    at_depot = view[NAME][str(move["depot"])]
    if move["number"] not in at_depot:
        return ()
    return f"duchy:{player}:{move['space']}", f"shields:{move['depot']}:{at_depot.index(move['number'])}"


def _looks(label: str, view: View) -> list[str]:
    """Returns how a castle looks without a shield, and with each of those at the depots."""
    if NAME not in view or kind_of(label) != CASTLE:
        return []
    at_depots = sorted(number for numbers in view[NAME].values() for number in numbers if number)
    return [CASTLE, *map(look_of, at_depots)]


def _places(move: Move, view: View) -> tuple[str, ...]:
    return _castle_and_depot(move, view["to_move"], view)


def _changes(move: Move, player: str | None, view: View) -> dict[str, str | None]:
    if move["word"] == "free":
        return {f"duchy:{player}:{move['space']}": move["tile"]}
    changed = _castle_and_depot(move, player, view)
    return dict(zip(changed, (look_of(move["number"]), None), strict=True)) if changed else {}


def unpaid(seat: View) -> int:
    """Returns how many of a player's shields cannot be paid for at the end of a phase."""
    numbers = [shield["number"] for shield in seat[NAME]]
    means = seat["silver"] + (seat["workers"] if PAID_IN_WORKERS in numbers else 0)
    return max(0, len(numbers) - int(means))


def _own(seat: View) -> list[dict[str, Any]]:
    """Returns a player's shields, each with what its help does not say: whether it is doubled, and whom it copies."""
    is_doubled = any(shield["number"] == DOUBLES_SHIELDS for shield in seat[NAME])
    return [
        {**shield, "is_doubled": is_doubled, "copies": seat["copies"] if shield["number"] == COPIES else None}
        for shield in seat[NAME]
    ]


def _hint(takes: Mapping[int, Sequence[Move]]) -> str:
    """Returns the key of the sentence that says how shields are taken now, or what they are."""
    if not takes:
        return "shields_hint"
    is_pair = any(move["dice"] for moves in takes.values() for move in moves)
    return "shield_take_hint" if is_pair else "shield_castle_hint"


@sheets.get("/shields/<player>")
def shields(player: str) -> str:
    """Shows what the shields of a player and those at the depots do, and those that can be taken now."""
    session = page_context().session
    snapshot, legal = session.read(lambda s: (s.snapshot(), s.legal_moves()))
    view = snapshot["view"]
    seat = seat_with(view, player, NAME)
    takes: dict[int, list[Move]] = {}
    for move in legal if view["to_move"] == player else ():
        if move["word"] == "shield":
            takes.setdefault(move["number"], []).append(move)
    return render_template(
        "burgundy/modules/shields/sheet.html",
        t=translator(view),
        edition=view["edition"],
        player=player,
        own=_own(seat),
        replaced={shield["space"]: shield["number"] for shield in seat[NAME]},
        hint=_hint(takes),
        at_depots=view[NAME],
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
    own_buttons=("done", "upkeep", "forgo", "copy"),
    signs={
        "shield": "shield",
        "forgo": "shield",
        "upkeep": "silver",
        "copy": "monastery",
        "any": "action",
        "more": "sold",
    },
    laid_out=[NAME],
    places_of=_places,
    changes=_changes,
    looks=_looks,
    labels_on=_on_castles,
)
