"""Debian's chromium, driven by Playwright: for measuring the page, and for taking pictures of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from calibration.errors import CompanionError

EXECUTABLES = ("chromium-headless-shell", "chromium")
"""Packages of Debian's with one and the same engine. The first has no windows to manage, and opens a page in half the
time; the second is the one that people have."""
SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


class BrowserMissingError(CompanionError, RuntimeError):
    """There is no browser, or nothing to drive it with."""


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser (``playwright.sync_api.Browser``).

    :raises BrowserMissingError: when Playwright or chromium is missing.
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
