"""Sheets that only Burgundy has: the areas of a duchy, and what every tile does."""

from __future__ import annotations

from flask import Blueprint, render_template

from companion.games.text import capitalised

from ...context import page_context, translator
from . import drawing, modules
from .seats import seat_with

sheets = Blueprint("burgundy", __name__)
for page in modules.pages().values():
    if page.sheets is not None:
        sheets.register_blueprint(page.sheets)


@sheets.get("/areas/<player>")
def areas(player: str) -> str:
    """Shows the progress of a player's areas."""
    view = page_context().session.snapshot()["view"]
    drawn_player = seat_with(view, player, "areas")
    return render_template(
        "burgundy/areas.html",
        t=translator(view),
        player=drawn_player,
        areas=sorted(drawn_player["areas"], key=drawing.nearness),
        phase=view["phase"],
        capitalised=capitalised,
    )


@sheets.get("/tiles")
def tiles() -> str:
    """Shows what every tile does."""
    view, labels = page_context().session.read(lambda s: (s.snapshot()["view"], s.state.ruleset.labels))
    return render_template(
        "burgundy/tiles.html",
        t=translator(view),
        edition=view["edition"],
        every_tile=drawing.every_tile(labels),
    )
