"""What Python has to know of Burgundy's page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import render_template

from companion.games.burgundy.instructions import details, instructions
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules import Duchy
from companion.games.burgundy.rules.view import of_board
from companion.games.narration import events_of

from ...game_page import GamePage, Moment
from . import drawing, instruction_drawing, pieces
from .setup_view import setup_view
from .sheets import sheets


def context(moment: Moment) -> dict[str, Any]:
    """Returns what the templates need to draw a table: the marks on it, and what people do for the Châteauma."""
    snapshot = moment.snapshot
    marks = drawing.replayed(moment) if snapshot is None else drawing.marks(snapshot, moment.events)
    turn = snapshot and snapshot["bot_turn"]
    is_fixed = bool(
        snapshot and turn and events_of(turn) and turn["player"] not in (None, *snapshot["opponents"])
    )
    events = events_of(turn) if turn and is_fixed else []
    steps = instructions(events, moment.t) if events else []
    return {
        "marks": marks,
        "mark": lambda place: marks.get(place, drawing.NO_MARK),
        "instructions": steps,
        "details": details(events, moment.t) if events else [],
        "drawing": instruction_drawing.draw(steps, moment.view),
    }


def phase_of(event: Mapping[str, Any]) -> str | None:
    """Returns the letter of the phase that begins with an event."""
    return str(event["phase"]) if event["kind"] == "phase" else None


def picture(option: str, value: Any) -> str | None:
    """Returns a small drawing of an empty duchy: a printed one by name, or the spaces of somebody's own."""
    if option == "spaces":
        duchy = Duchy.in_rows("own", value)
    elif option == "duchy" and value in burgundy().duchies:
        duchy = burgundy().duchies[value]
    else:
        return None
    empty = of_board(duchy, [None] * len(duchy.spaces))
    board = drawing.board({"colour": "", **empty}, {})
    return render_template("burgundy/duchy.svg", board=board, draw=drawing)


PAGE = GamePage(
    draw=drawing,
    context=context,
    sheets=sheets,
    seats=drawing.seats,
    setup=setup_view,
    reported_by_moves=("take", "buy", "discard", "place", "load", "start_castle"),
    moves_at=drawing.moves_at,
    roles_of=pieces.roles_of,
    has_own_button=pieces.has_own_button,
    labels_for=drawing.labels_for,
    in_order=drawing.in_order,
    rarely_adjusted=("sold", "track"),
    rules_of=drawing.RULES_OF,
    section=phase_of,
    sections=drawing.PHASES,
    rounds=drawing.ROUNDS,
    picture=picture,
)
