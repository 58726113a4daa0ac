"""The turn clock, for devices that want one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from companion.text.catalogue import LANGUAGES
from tests.support.browsing import SIZES, Server
from tests.support.pages import create_app
from tests.support.tables import Table, over, watching
from tests.web.test_browser_legibility import BESIDE, OVERLAPPING, four_at_the_table, turned


def text(table: Table, path: str) -> str:
    return create_app(table.session).test_client().get(path).get_data(as_text=True)


def test_it_is_off_until_a_device_asks_for_it() -> None:
    client = create_app(Table().session).test_client()
    assert 'id="clock"' not in client.get("/").get_data(as_text=True)
    assert 'id="clock"' in client.get("/?clock=on").get_data(as_text=True)
    assert 'id="clock"' in client.get("/").get_data(as_text=True)  # it is remembered
    assert 'id="clock"' not in client.get("/?clock=off").get_data(as_text=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_menu_turns_it_on_and_off(language: str) -> None:
    """A missing text would raise."""
    shown = text(Table(), f"/menu?lang={language}")
    assert re.search(r'href="\?clock=off" aria-current="true"', shown) and 'href="?clock=on"' in shown


def test_the_time_of_the_player_to_move_runs() -> None:
    table = Table()
    watching(table)
    shown = text(table, "/clock?lang=en")
    assert shown.count("data-seconds") == 2 and shown.count('class="running"') == 1


def test_after_the_game_no_time_runs() -> None:
    table = Table()
    over(table)
    assert 'class="running"' not in text(table, "/clock")


@pytest.mark.browser
def test_the_page_shows_a_time_for_each_player(
    serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    table = Table()
    watching(table)
    page = visit(serve(table.session), "/?clock=on&lang=en")
    running = page.locator("#clock .running time")
    before = running.inner_text()
    page.wait_for_function(
        "before => document.querySelector('#clock .running time').textContent !== before", arg=before
    )
    assert re.fullmatch(r"\d+:\d\d", running.inner_text()) and page.locator("#clock time").count() == 2


@pytest.mark.browser
def test_it_leaves_room_for_the_buttons_on_every_screen(
    serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    page = visit(serve(four_at_the_table().session), "/?clock=on&lang=fr")
    page.wait_for_selector("#clock time")
    wrong: dict[Any, list[Any]] = {}
    for size in SIZES:
        turned(page, size)
        found = page.evaluate(BESIDE) + page.evaluate(OVERLAPPING)
        boxes = [
            button.bounding_box() for button in page.locator(".actions > *").locator("visible=true").all()
        ]
        found += [box for box in boxes if box["y"] + box["height"] > size[1]]
        wrong |= {size: found} if found else {}
    assert boxes and wrong == {}
