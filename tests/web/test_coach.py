"""The coach on the page: only for devices that want it, and only if it is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from companion.players.coach import costly_turns, suggestions
from companion.text.catalogue import LANGUAGES
from tests.support.browsing import Server
from tests.support.pages import create_app
from tests.support.tables import Table, over
from tests.web.test_page import page_of

SAMPLES = 2


@pytest.fixture(autouse=True)
def few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    for function in (suggestions, costly_turns):
        monkeypatch.setattr(f"web.coach.{function.__name__}", partial(function, samples=SAMPLES))


@pytest.fixture
def table() -> Table:
    """A table by hand at which a person is in turn."""
    table = Table()
    table.session.watch_nothing()
    table.set_up().play(10)
    return table


def text(table: Table, path: str) -> str:
    return create_app(table.session).test_client().get(path).get_data(as_text=True)


def test_it_is_off_until_a_device_asks_for_it(table: Table) -> None:
    client = create_app(table.session).test_client()
    assert 'data-coach="off"' in client.get("/").get_data(as_text=True)
    assert 'data-coach="on"' in client.get("/?coach=on").get_data(as_text=True)
    assert 'data-coach="on"' in client.get("/").get_data(as_text=True)  # it is remembered


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_shows_three_ways_to_play_on(table: Table, language: str) -> None:
    """A missing text would raise."""
    shown = text(table, f"/coach?lang={language}")
    assert shown.count('data-do="tap"') == 3


def test_what_it_suggests_can_be_entered_at_once(table: Table) -> None:
    suggested = re.findall(r'data-do="tap" data-text="([^"]+)"', text(table, "/coach"))
    page_of(table.session).do("tap", text=suggested[0])
    assert [move["text"] for move in table.session.snapshot()["draft"]] == suggested[0].split("; ")


def test_it_has_nothing_to_say_while_nobody_is_in_turn() -> None:
    client = create_app(Table().session).test_client()
    assert client.get("/coach").status_code == 404


def test_its_button_is_there_while_a_person_is_in_turn(table: Table) -> None:
    assert 'data-open="/coach"' in text(table, "/")
    over(table)
    assert 'data-open="/coach"' not in text(table, "/")


@pytest.mark.parametrize("language", LANGUAGES)
def test_after_a_game_it_shows_turns_that_cost_points(language: str) -> None:
    table = Table()
    over(table)
    shown = text(table, f"/games/now/coach?lang={language}")
    costs = [
        int(points)
        for points in re.findall(r"about (\d+) points|environ (\d+) points", shown)
        for points in points
        if points
    ]
    assert costs and min(costs) >= 2


def test_the_result_offers_to_look_for_them() -> None:
    table = Table()
    over(table)
    assert 'data-open="/games/now/coach"' in text(table, "/games/now")


@pytest.mark.browser
def test_a_suggestion_is_entered_by_two_taps(
    table: Table, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    page = visit(serve(table.session), "/?coach=on&lang=en")
    page.locator("button.coach").click()
    page.locator(".suggestions button").first.click()
    page.wait_for_function("() => document.getElementById('state').dataset.status === 'drafting'")
    assert not page.locator("#sheet").evaluate("sheet => sheet.open")
