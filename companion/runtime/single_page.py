"""A page that is served until a person has said all there is to say."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from companion.network.page_address import NetworkName
from companion.service.watchdog import Watchdog

ANSWER_S = 1.0
"""Seconds for which the page is still answered when all is said."""


def serve_until(
    done: threading.Event,
    app: Any,
    *,
    host: str,
    port: int,
    say: Callable[[str], None],
    watchdog: Watchdog | None = None,
    name: NetworkName | None = None,
) -> int:
    """Serves *app* until *done* is set; *say* gets its address, to which *name* leads as well. Returns the port.

    :raises NotServedError: when the port is taken.
    """
    from .server import AppServer

    server = AppServer(app, host=host, port=port, name=name)
    try:
        say(server.address)
        watchdog = watchdog or Watchdog()
        watchdog.set_status(server.address)
        with watchdog.watching("page", server.answers):
            while not done.wait(0.2):
                pass
            time.sleep(ANSWER_S)
    finally:
        server.close()
    return server.port
