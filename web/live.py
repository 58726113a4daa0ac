"""Live pages: a stream of server-sent events that brings what has changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from functools import partial

from flask import Blueprint, Response, abort, copy_current_request_context, request

from companion.session import TableSession

from .context import page_context
from .guard import client
from .view import View, current_view, shown_parts

HEARTBEAT_S = 10.0
"""A stream says something at least so often, so that a page knows that it is not cut off."""
LOOK_S = 1.0
"""How often a waiting stream looks at the devices, and at whether anybody still listens."""
RETRY_MS = 2000
"""How long a browser waits before it opens a lost stream again."""

live = Blueprint("live", __name__)


@live.get("/events")
def events() -> Response:
    """Streams the table's view: at once, at every change, and as a heartbeat.

    A page that is turned away because too many streams are open looks by itself now and then.
    """
    here = page_context()
    whose = client()
    if not here.streams.take(whose):
        abort(503)
    gone = request.environ.get("waitress.client_disconnected", lambda: False)
    view = copy_current_request_context(current_view)
    response = Response(stream(here.session, view, shown_parts(), gone), mimetype="text/event-stream")
    response.call_on_close(partial(here.streams.release, whose))
    return response


def stream(
    session: TableSession, current: Callable[[], View], shown: Collection[str], gone: Callable[[], bool]
) -> Iterator[str]:
    """Yields the *current* view whenever it has changed, until the listener is *gone*.

    *shown* are tags of the parts that the listener has already; what has been sent is not sent again.
    """
    yield f"retry: {RETRY_MS}\n"
    told: View | None = None
    told_at = 0.0
    while not gone():
        view, now = current(), time.monotonic()
        if view is not told or now - told_at >= HEARTBEAT_S:
            yield _event(view, shown)
            told, told_at, shown = view, now, view.tags
        session.wait_for_change(view.version, LOOK_S)


def _event(view: View, shown: Collection[str]) -> str:
    """What a page is sent, which may hold line breaks of any kind."""
    lines = view.html(shown).replace("\r", "\n").split("\n")
    data = "".join(f"data: {line}\n" for line in lines)
    return f"id: {view.version}\n{data}\n"
