"""Every page on a phone with enlarged text: no sideways scrolling is needed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from companion.devtools.screenshots.view import View, screenplay, views_by_scenario
from companion.text.catalogue import LANGUAGES
from tests.support.browsing import Server, enlarge
from tests.support.sheets import SHEETS
from tests.support.tables import STATUSES, Table, watching

pytestmark = pytest.mark.browser

PHONES = ((390, 844), (360, 640))
TEXTS = (100, 150, 200)
LONG_NAMES = {"red": "Maximilienne-Aurélie", "blue": "Christophe-Emmanuel"}
SIDEWAYS = """() => [document.documentElement, ...document.querySelectorAll("body *")]
  .filter((one) => one === document.documentElement
    || (one.checkVisibility() && !one.matches(".wide") && ["auto", "scroll"].includes(getComputedStyle(one).overflowX)))
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => `${one.tagName}.${one.className} by ${one.scrollWidth - one.clientWidth} px`)"""
"""Finds elements that scroll sideways, except for tables, which may (class ``wide``)."""
TEXT_SETTINGS = """() => [document.documentElement.dataset.text,
  ...[...document.querySelectorAll("link[rel=stylesheet]")].map((link) => `${link.href} for ${link.media}`)]"""
TAP = "one => one.dispatchEvent(new MouseEvent('click', { bubbles: true }))"


def sideways(page: Any, about: str) -> dict[str, Any]:
    """Returns the elements that scroll sideways on each phone."""
    found = {}
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        if wide := page.evaluate(SIDEWAYS):
            found[f"{about}, {width} px"] = wide
    return found


def open_view(page: Any, address: str, view: View, language: str) -> None:
    page.goto(f"{address}{view.path}?lang={language}&text={TEXTS[0]}")
    for selector in view.taps:
        page.locator(selector).first.evaluate(TAP)
        page.wait_for_timeout(200)  # for reloaded parts that look the same


@pytest.mark.parametrize("scenario", ["next setup", "what is printed", "calibration", "over", "chateauma"])
def test_no_view_is_scrolled_sideways(chromium: Any, scenario: str) -> None:
    wrong: dict[str, Any] = {}
    with closing(chromium.new_page()) as page:
        page.set_default_timeout(10_000)
        for reached, address in screenplay().scenarios({scenario}):
            for view in views_by_scenario()[scenario] if reached == scenario else ():
                for language in LANGUAGES:
                    open_view(page, address, view, language)
                    for text in TEXTS:
                        enlarge(page, text)
                        wrong |= sideways(page, f"{view.name} in {language}, {text} %")
    assert wrong == {}


@pytest.mark.parametrize("text", TEXTS)
def test_text_enlarged_in_the_page_is_as_large_as_loaded(
    serve: Callable[..., Server], visit: Callable[..., Any], text: int
) -> None:
    """Otherwise the tests of layout would look at a page that nobody gets."""
    server = serve(Table().session)
    page = visit(server)
    enlarge(page, text)
    enlarged = page.evaluate(TEXT_SETTINGS)
    page.goto(f"{server.address}/?text={text}")
    assert enlarged == page.evaluate(TEXT_SETTINGS)


def four_with_long_names(state: Callable[[Table], None]) -> Table:
    table = Table(colours=("red", "blue", "green", "black"))
    state(table)
    for colour, name in LONG_NAMES.items():
        table.session.rename_player(colour, name)
    return table


@pytest.mark.parametrize("status", STATUSES)
def test_no_status_of_the_table_is_scrolled_sideways(
    serve: Callable[..., Server], visit: Callable[..., Any], status: str
) -> None:
    """In French, whose words are longer, with long names and four players."""
    page = visit(serve(four_with_long_names(STATUSES[status]).session), "/?lang=fr")
    wrong: dict[str, Any] = {}
    for text in TEXTS:
        enlarge(page, text)
        wrong |= sideways(page, f"{status}, {text} %")
    assert wrong == {}


@pytest.mark.parametrize("text", TEXTS)
def test_no_sheet_is_scrolled_sideways(
    serve: Callable[..., Server], visit: Callable[..., Any], text: int
) -> None:
    table = four_with_long_names(watching)
    page = visit(serve(table.session), f"/?lang=fr&text={text}")
    wrong: dict[str, Any] = {}
    for opens in (*SHEETS, f"/die/{table.state.player.colour}:0"):
        page.evaluate("path => open(path)", opens)
        page.wait_for_selector("dialog[open] header")
        wrong |= sideways(page, opens)
    assert wrong == {}
