"""Serves a page until a person has answered everything it asks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from .server import AppServer, PageSettings

ANSWER_S = 1.0
"""Seconds for which the page is still served after the last answer."""


def serve_until(
    done: threading.Event, app: Any, page: PageSettings, *, announce: Callable[[str], None]
) -> PageSettings:
    """Serves *app* with the settings *page* until *done* is set; *announce* is called with its address.

    Returns *page* with the port that was used, for the next page.

    :raises NotServedError: if the port is taken.
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
