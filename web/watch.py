"""The view for a television or a guest's phone: large scores, boards and the last move in words, and nothing to tap."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, copy_current_request_context, make_response, render_template

from companion.session import OVER

from .context import PageContext, language, translator
from .live import streamed
from .preferences import languages, store_preferences
from .view import View, shown_parts, table_data, views

WATCH = "watch"
"""The viewer under whose name the view is cached."""

watch = Blueprint("watch", __name__, url_prefix="/watch")


@watch.get("")
def index() -> Response:
    """Shows the table to people who only watch."""
    page = render_template(
        "watch.html",
        t=translator(),
        language=language(),
        languages=languages(),
        table=_current_view().html(),
    )
    return store_preferences(make_response(page))


@watch.get("/table")
def table() -> str:
    """Returns the view, without the parts that the screen already shows."""
    return _current_view().html(shown_parts())


@watch.get("/events")
def events() -> Response:
    """Streams the view."""
    return streamed(copy_current_request_context(_current_view))


def _current_view() -> View:
    return views().current("watch_state.html", _template_data, WATCH)


def _template_data(context: PageContext) -> Mapping[str, Any]:
    """Returns what the template of the table needs, and nothing that could be tapped."""
    data = table_data(context)
    turns = [entry for entry in data["turn_entries"] if entry.whose]
    return {
        **data,
        "replaying": True,
        "place_address": None,
        "rolled": (),
        "touching": None,
        "last": turns[0] if turns else None,
        "before": turns[1:],
        "is_over": data["snapshot"]["status"] == OVER,
    }
