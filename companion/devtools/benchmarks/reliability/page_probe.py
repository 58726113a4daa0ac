"""A client that fetches every page."""

from __future__ import annotations

from urllib.error import HTTPError
from urllib.request import urlopen

PAGES_TO_FETCH = ("/table", "/table?lang=fr", "/story", "/games", "/games/now", "/why", "/frame", "/snapshot")
NOT_NOW = 404
"""Answer if there is nothing to explain, or no picture yet."""


def fetch(address: str) -> str | None:
    """Fetches a page; returns what went wrong, `None` if nothing did."""
    try:
        with urlopen(address, timeout=30) as page:
            page.read()
    except HTTPError as error:
        if error.code != NOT_NOW:
            return f"{address}: {error.code}"
    return None
