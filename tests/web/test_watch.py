"""The view for a television or a guest's phone: what it shows, that it follows the game, and has nothing to tap."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from companion.text.catalogue import LANGUAGES
from tests.support.browsing import SIZES, Server
from tests.support.other_games import more_games
from tests.support.pages import create_app
from tests.support.tables import STATUSES, Table, over, with_proposal
from tests.web.test_browser_legibility import BESIDE, CUT, four_at_the_table, turned
from tests.web.test_own_pages import Table as TableOfMatches

CONTROL = re.compile(r"<(?:button|input|select|form)\b|data-(?:do|open)=")
CLIPPED = """() => [...document.querySelectorAll(".score")]
  .filter((one) => one.scrollHeight > one.clientHeight + 4)
  .map((one) => `${one.id}: ${one.scrollHeight} > ${one.clientHeight}`)"""
"""Finds score cards with more lines than they have room for."""


def shown(table: Table, path: str = "/watch", language: str = "en", **around: Any) -> str:
    app = create_app(table.session, **around)
    app.testing = True  # a missing text would raise
    return app.test_client().get(path, query_string={"lang": language}).get_data(as_text=True)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("status", STATUSES)
def test_nothing_can_be_tapped_in_any_status(status: str, language: str) -> None:
    table = Table()
    STATUSES[status](table)
    page = shown(table, language=language, panel=lambda button, seconds: None)
    assert CONTROL.findall(page) == []


def test_the_last_move_is_told_with_its_player() -> None:
    table = Table().set_up().play(5)
    last = next(entry for entry in reversed(table.session.entries()) if entry.player)
    page = shown(table)
    assert f"Last move: {str(last.player).capitalize()}" in page
    assert re.search(r'id="last".*<ul class="moves">.*?<li', page, re.S)


def test_before_the_first_move_it_says_that_the_table_is_set_up() -> None:
    table = Table()
    table.look()
    assert "The table is being set up." in shown(table)


def test_at_the_end_it_shows_the_winner_and_where_all_points_come_from() -> None:
    table = Table()
    over(table)
    page = shown(table)
    assert "wins!" in page and '<table class="sheet">' in page


def test_it_never_shows_what_only_one_player_may_see() -> None:
    with more_games():
        table = TableOfMatches()
        table.session.tap("deal red even", "red")
        table.session.tap("deal blue odd", "blue")
        page = table.phone().get("/watch?lang=en").get_data(as_text=True)
    assert "number of matches" not in page


def test_parts_that_are_shown_are_not_sent_again() -> None:
    table = Table().set_up().play(5)
    app = create_app(table.session)
    client = app.test_client()
    parts = re.findall('data-parts="([^"]*)"', client.get("/watch/table").get_data(as_text=True))[0]
    again = client.get("/watch/table", query_string={"shown": parts}).get_data(as_text=True)
    assert 'id="scores" data-same' in again


def test_the_menu_leads_to_it() -> None:
    assert 'href="/watch"' in shown(Table(), "/menu")


@pytest.mark.browser
def test_it_follows_the_game_by_the_stream(serve: Callable[..., Server], visit: Callable[..., Any]) -> None:
    table = Table()
    with_proposal(table)
    page = visit(serve(table.session), "/watch")
    page.wait_for_function("() => stream.readyState === 1")
    table.session.confirm()
    page.wait_for_function(
        "version => document.getElementById('state').dataset.version === version",
        arg=str(table.session.version),
    )


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_off_on_any_screen(
    serve: Callable[..., Server], visit: Callable[..., Any], language: str
) -> None:
    page = visit(serve(four_at_the_table().session), f"/watch?lang={language}")
    wrong: dict[Any, list[str]] = {}
    for size in SIZES:
        turned(page, size)
        found = page.evaluate(BESIDE) + page.evaluate(CUT) + page.evaluate(CLIPPED)
        wrong |= {size: found} if found else {}
    assert wrong == {}


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_score_sheet_is_in_sight_on_screens_that_nobody_scrolls(
    serve: Callable[..., Server], visit: Callable[..., Any], language: str
) -> None:
    page = visit(serve(four_at_the_table(over).session), f"/watch?lang={language}")
    wrong: dict[Any, list[str]] = {}
    for size in (size for size in SIZES if min(size) >= 700):
        turned(page, size)
        found = page.evaluate(
            """() => {
              const room = document.querySelector(".last .card-text").getBoundingClientRect();
              return [...document.querySelectorAll(".last .sheet tr > :last-child")].filter((cell) => {
                const box = cell.getBoundingClientRect();
                return box.right > room.right + 1 || box.bottom > room.bottom + 1;
              }).map((cell) => cell.closest("tr").textContent.trim().replace(/\\s+/g, " "));
            }"""
        )
        wrong |= {size: found} if found else {}
    assert wrong == {}


@pytest.mark.browser
def test_everything_is_larger_on_a_television(
    serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    page = visit(serve(four_at_the_table().session), "/watch")
    turned(page, (1920, 1080))
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") > 20
