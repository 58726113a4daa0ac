"""Live pages: a stream of server-sent events that says when there is something new to fetch."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator

from flask import Blueprint, Response, abort, request

from .served import Served, served

HEARTBEAT_S = 10.0
"""A stream says something at least so often, so that a page knows that it is not cut off."""
LOOK_S = 1.0
"""How often a waiting stream looks at the devices, and at whether anybody still listens."""
RETRY_MS = 2000
"""How long a browser waits before it opens a lost stream again."""

live = Blueprint("live", __name__)


@live.get("/events")
def events() -> Response:
    """Streams the session's version: at once, at every change, and as a heartbeat.

    A page that is turned away because too many streams are open looks by itself now and then.
    """
    here = served()
    if not here.streams.take():
        abort(503)
    gone = request.environ.get("waitress.client_disconnected", lambda: False)
    response = Response(stream(here, gone), mimetype="text/event-stream")
    response.call_on_close(here.streams.release)
    return response


def stream(here: Served, gone: Callable[[], bool]) -> Iterator[str]:
    """Yields an event whenever what the page shows may have changed, until the listener is *gone*."""
    yield f"retry: {RETRY_MS}\n"
    told: Hashable = None
    told_at = 0.0
    while not gone():
        version, now = here.session.version, time.monotonic()
        showing = (version, *_devices(here))
        if showing != told or now - told_at >= HEARTBEAT_S:
            told, told_at = showing, now
            yield f"id: {version}\ndata: {version}\n\n"
        here.session.wait_for_change(version, LOOK_S)


def _devices(here: Served) -> tuple[Hashable, ...]:
    """What the page shows of the devices, ages apart."""
    camera = here.camera() or {}
    muted = here.buzzer is not None and here.buzzer.muted
    kept = tuple(notice.code for notice in here.keeping())
    seen = (str(camera.get(part)) for part in ("settled", "error", "back", "unkept"))
    power = here.power and here.power.state
    return *seen, power, here.light and here.light(), muted, kept
