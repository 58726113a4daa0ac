"""Debian's chromium, controlled by Playwright, for benchmarks and screenshots of the page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from calibration.errors import CompanionError

EXECUTABLES = ("chromium-headless-shell", "chromium")
"""Debian's packages with the same engine. The first has no windows, and opens a page in half the time; the second is
more common."""
SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


class BrowserMissingError(CompanionError, RuntimeError):
    """Chromium or Playwright is not installed."""


@contextmanager
def chromium() -> Iterator[Any]:
    """Returns a context with a browser (``playwright.sync_api.Browser``).

    :raises BrowserMissingError: if Playwright or chromium is missing.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise BrowserMissingError("Playwright is missing; install it with: pip install '.[test]'") from error
    path = next(filter(None, map(shutil.which, EXECUTABLES)), None)
    if path is None:
        raise BrowserMissingError("chromium is missing; install it with: sudo apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(SWITCHES))
        try:
            yield browser
        finally:
            browser.close()
