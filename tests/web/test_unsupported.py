"""A browser that is too old, or without scripts, shows a line of plain HTML that says so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.archive import Archive
from companion.calibrate.games.burgundy import TABLE
from companion.games.burgundy.owner_print import OwnersPrint
from companion.games.burgundy.plugin import chateauma_module
from companion.runtime.server import AppServer
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.support.browsing import Server
from tests.support.setup_forms import setup_form_app
from tests.support.tables import Table, watching
from web import app as web_app
from web.calibration import create_calibration_app
from web.games.burgundy.print_form import create_print_form_app

WEB = Path(web_app.__file__).parent
TEMPLATES = sorted(
    path
    for path in (*(WEB / "templates").glob("*.html"), *(WEB / "games").glob("*/templates/*.html"))
    if re.search(r"<script src.*\.js'\)", path.read_text("utf-8"))
)
PAGES = [path for path in TEMPLATES if path.name != "unsupported.html"]
RUNS = 'document.documentElement.dataset.runs = "";'
LINE = "#unsupported"
DRAWN_LATE = "() => document.getAnimations().forEach((one) => one.finish())"
"""Waits until the line would be visible."""


def test_pages_with_scripts_are_found() -> None:
    assert {"page.html", "setup_form.html", "games.html", "calibration.html", "print_form.html"} <= {
        path.name for path in PAGES
    }


@pytest.mark.parametrize("template", PAGES, ids=lambda path: path.name)
def test_each_page_with_scripts_has_the_line_that_its_script_takes_away_at_its_end(template: Path) -> None:
    html = template.read_text("utf-8")
    assert re.search(r'<body[^>]*>\s*{% include "unsupported.html" %}', html)
    own = re.findall(r"filename='(\w+\.js)'", html)[-1]
    folder = template.parents[1] / "static"  # that of the page, or of a game
    assert (folder / own).read_text("utf-8").splitlines()[-1].startswith(RUNS)


def test_supported_js_can_be_parsed_by_old_browsers() -> None:
    script = (WEB / "static" / "supported.js").read_text("utf-8")
    assert not re.search(r"=>|\b(let|const|class|async)\b|`|\?\.|\?\?", re.sub(r"//.*", "", script))


@pytest.fixture
def table() -> Table:
    table = Table()
    watching(table)
    return table


@pytest.fixture
def browser(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Returns a function that opens a page in a new browser in which the scripts *broken* fail as in an old one."""
    contexts: list[Any] = []

    def open_page(address: str, broken: str = "", **options: Any) -> Any:
        context = chromium.new_context(viewport={"width": 1024, "height": 768}, **options)
        contexts.append(context)
        page = context.new_page()
        if broken:
            page.route(
                f"**/{broken}",
                lambda route: route.fulfill(body="a ~~~ ??= (;", content_type="text/javascript"),
            )
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("broken", ["page.js", "stream.js", "idiomorph.min.js", "*.js"])
def test_an_unreadable_script_is_reported(
    table: Table, serve: Callable[..., Server], browser: Callable[..., Any], broken: str, language: str
) -> None:
    page = browser(f"{serve(table.session).address}/?lang={language}", broken)
    page.evaluate(DRAWN_LATE)
    assert page.locator(LINE).is_visible()
    assert page.locator(LINE).inner_text() == Translator(language)("page.unsupported")


def test_a_browser_without_a_needed_feature_shows_the_line(
    table: Table, serve: Callable[..., Server], chromium: Any
) -> None:
    context = chromium.new_context()
    page = context.new_page()
    page.add_init_script("delete HTMLDialogElement.prototype.showModal")
    page.goto(serve(table.session).address)
    page.evaluate(DRAWN_LATE)
    assert page.locator(LINE).is_visible()
    context.close()


def test_missing_scripts_are_reported_at_once(
    table: Table, serve: Callable[..., Server], browser: Callable[..., Any]
) -> None:
    page = browser(serve(table.session).address, java_script_enabled=False)
    assert page.locator("noscript p").is_visible()


def test_a_page_that_works_shows_nothing_of_it(
    table: Table, serve: Callable[..., Server], browser: Callable[..., Any], tmp_path: Path
) -> None:
    games = Archive(tmp_path / "games")
    address = serve(table.session, archive=games).address
    for path in ("/", "/games", "/games/now", "/games/now/replay/0"):
        page = browser(address + path)
        assert page.locator(LINE).count() == 0, path
    games.close()


def before_a_game(name: str, folder: Path) -> Flask:
    """Returns the app of a page before a game."""
    layout = {
        "image_size": [640, 400],
        "markers": [],
        "boards": [],
        "places": [],
        "goods_width": 1,
        "dice": [],
    }
    if name == "setup_form":
        return setup_form_app()
    if name in ("guest", "own"):
        return setup_form_app(pin="2468")
    if name == "print":
        own = OwnersPrint(folder / "print.json", chateauma_module().print_of("special"))
        return create_print_form_app(own, "ABCD", lambda: None)
    return create_calibration_app(
        b"",
        {**layout, "cards": []},
        TABLE,
        save=lambda layout: (),
    )


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("setup_form", "setup_form.js"),
        ("guest", "pin.js"),
        ("own", "own_wait.js"),
        ("print", "print_form.js"),
        ("calibration", "calibration.js"),
    ],
)
def test_pages_before_a_game_report_only_an_unsupported_browser(
    browser: Callable[..., Any], tmp_path: Path, name: str, script: str
) -> None:
    with closing(AppServer(before_a_game(name, tmp_path), host="127.0.0.1", port=0)) as server:
        address = f"{server.address}/me/red" if name == "own" else server.address
        assert browser(address).locator(LINE).count() == 0
        page = browser(address, script)
        page.evaluate(DRAWN_LATE)
        assert page.locator(LINE).is_visible()
