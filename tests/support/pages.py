"""The page's app about a session, with as much around it as a test names."""

from __future__ import annotations

from typing import Any

from flask import Flask

from companion.runtime.server import PageServer, PageSettings
from companion.session import TableSession
from web import app as web_app
from web.context import PageContext
from web.guard import Guard


def create_app(
    session: TableSession, *, guarding: Guard | None = None, key: bytes | None = None, **around: Any
) -> Flask:
    """Returns the app; *around* are fields of :class:`web.context.PageContext`."""
    return web_app.create_app(PageContext(session, **around), guarding=guarding, key=key)


def page_server(session: TableSession, *, archive: Any = None, **page: Any) -> PageServer:
    """Returns a server of the page on the loopback; *page* are fields of :class:`PageSettings`."""
    return PageServer(PageContext(session, archive=archive), PageSettings(**page))
