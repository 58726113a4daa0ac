"""The turn clock: how long each player has thought. It only informs: nothing in the game depends on it."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, render_template

from companion.archive import turn_clock
from companion.session import OVER

from .context import page_context, translator
from .game_page import part_of

clock = Blueprint("clock", __name__)


@clock.get("/clock")
def times() -> str:
    """Returns the time of every player; whose turn it is, has a running one."""
    session = page_context().session
    snapshot, records = session.read(lambda s: (s.snapshot(), s.journal.records()))
    view, measured = snapshot["view"], turn_clock(records)
    to_move = None if snapshot["status"] == OVER else view["to_move"]
    spent = {
        seat["colour"]: measured.spent.get(seat["colour"])
        for seat in part_of(session.rules.name).page.seats(view)
    }
    running = measured.running(datetime.now(UTC))
    seconds = {
        colour: (before.total_seconds() if before else 0)
        + (running.total_seconds() if colour == to_move else 0)
        for colour, before in spent.items()
    }
    return render_template("clock.html", t=translator(view), seconds=seconds, to_move=to_move)
