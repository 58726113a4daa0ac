"""Debian's chromium, driven by Playwright: for measuring the page, and for taking pictures of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class BrowserMissingError(RuntimeError):
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
    path = shutil.which("chromium")
    if path is None:
        raise BrowserMissingError("chromium is missing; install it with: sudo apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            browser.close()
