"""A page that is served until a person has answered everything it asks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from .server import AppServer, PageSettings

ANSWER_S = 1.0
"""Seconds for which the page is still answered after the last answer."""


def serve_until(
    done: threading.Event, app: Any, page: PageSettings, *, announce: Callable[[str], None]
) -> PageSettings:
    """Serves *app* as *page* says until *done* is set; *announce* gets its address.

    Returns *page* with the port that was used, for whatever is served next.

    :raises NotServedError: when the port is taken.
    """
    server = AppServer(app, host=page.host, port=page.port, name=page.name)
    try:
        announce(server.address)
        page.watchdog.set_status(server.address)
        with page.watchdog.watching("page", server.answers):
            while not done.wait(0.2):
                pass
            time.sleep(ANSWER_S)
    finally:
        server.close()
    return replace(page, port=server.port)
