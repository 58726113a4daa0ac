"""The live stream: server-sent events that bring changes to open pages."""

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
"""A stream sends an event at least this often, so that a page notices a lost connection."""
POLL_S = 1.0
"""How often a waiting stream checks the devices and whether its page is still connected."""
RETRY_MS = 2000
"""How long a browser waits before it reopens a lost stream."""

live = Blueprint("live", __name__)


@live.get("/events")
def events() -> Response:
    """Streams the view of the table: at once, at every change, and as a heartbeat.

    A page that gets no stream because too many are open polls instead.
    """
    return streamed(copy_current_request_context(current_view))


def streamed(view: Callable[[], View], is_ended: Callable[[], bool] = lambda: False) -> Response:
    """Returns the stream of a *view* until the page is disconnected, or *is_ended*."""
    context = page_context()
    address = client()
    if not context.streams.acquire(address):
        abort(503)
    is_disconnected = request.environ.get("waitress.client_disconnected", lambda: False)
    response = Response(
        stream(context.session, view, shown_parts(), lambda: is_disconnected() or is_ended()),
        mimetype="text/event-stream",
    )
    response.call_on_close(partial(context.streams.release, address))
    return response


def stream(
    session: TableSession,
    current: Callable[[], View],
    shown: Collection[str],
    disconnected: Callable[[], bool],
) -> Iterator[str]:
    """Yields the *current* view whenever it has changed, until the page is *disconnected*.

    *shown* are the tags of the parts that the page already has; unchanged parts are not sent again.
    """
    yield f"retry: {RETRY_MS}\n"
    sent: View | None = None
    sent_at = 0.0
    while not disconnected():
        view, now = current(), time.monotonic()
        if view is not sent or now - sent_at >= HEARTBEAT_S:
            yield _event(view, shown)
            sent, sent_at, shown = view, now, view.tags
        session.wait_for_change(view.version, POLL_S, disconnected)


def _event(view: View, shown: Collection[str]) -> str:
    """Returns the server-sent event of *view*, whose HTML may contain line breaks of any kind."""
    lines = view.html(shown).replace("\r", "\n").split("\n")
    data = "".join(f"data: {line}\n" for line in lines)
    return f"id: {view.version}\n{data}\n"
