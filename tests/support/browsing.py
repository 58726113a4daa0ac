"""Pages in a real browser, for the tests that need one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from companion.devtools.browser import BrowserMissingError
from companion.devtools.browser import chromium as browser_of_the_machine
from companion.runtime.server import AppServer
from companion.session import TableSession
from tests.support.pages import create_app
from web.preferences import TEXT_SIZES, layouts

ENLARGE = """([size, layouts]) => {
  if (size) document.documentElement.dataset.text = size; else delete document.documentElement.dataset.text;
  for (const link of document.querySelectorAll("link[media]")) link.media = layouts[link.href.split("/").pop()];
}"""
TABLET = {"width": 1280, "height": 800}
SIZES = ((1280, 800), (800, 1280), (1024, 768), (844, 390), (390, 844), (1920, 1080))
"""Screens on which everything has to fit: tablets, a phone, and a television."""


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Returns a browser for all tests; without one they are skipped."""
    with ExitStack() as open_:
        try:
            browser = open_.enter_context(browser_of_the_machine())
        except BrowserMissingError as error:
            pytest.skip(str(error))
        yield browser


class Server:
    """Represents the page's server, which can be stopped and started again on the same port."""

    def __init__(self, session: TableSession, **options: Any) -> None:
        self._make: Callable[[], Any] = lambda: create_app(session, **options)
        self._wake_waiting = session.wake_waiting
        self.port = 0
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self._server = AppServer(
            self._make(), host="127.0.0.1", port=self.port, wake_waiting=self._wake_waiting
        )
        self.port = self._server.port

    def stop(self) -> None:
        self._server.close()


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    servers: list[Server] = []

    def start(session: TableSession, **options: Any) -> Server:
        servers.append(Server(session, **options))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def visit(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Opens a page as a tablet would; any error in its script or of its security policy fails the test."""
    context = chromium.new_context(viewport=TABLET, has_touch=True, locale="en")
    complaints: list[str] = []

    def open_page(server: Server, path: str = "/", before: str = "") -> Any:
        page = context.new_page()
        page.add_init_script(before)
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda m: complaints.append(m.text) if "Security Policy" in m.text else None)
        page.goto(server.address + path)
        return page

    yield open_page
    context.close()
    assert complaints == [], complaints


def enlarge(page: Any, text: int) -> None:
    """Sets the size of *text* in a loaded page, as ``?text=`` does when it is loaded."""
    page.evaluate(ENLARGE, [None if text == TEXT_SIZES[0] else str(text), layouts(text)])
