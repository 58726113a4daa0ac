"""Any number of tabs of a browser, all updated by one stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.browsing import Server
from tests.support.setup_forms import setup_form_app
from tests.support.tables import Table, watching

TABS = 8
"""More tabs than the connections that a browser opens to one host."""


@pytest.fixture
def table() -> Table:
    table = Table()
    watching(table)
    return table


@pytest.fixture
def server(table: Table, serve: Callable[..., Server]) -> Server:
    return serve(table.session)


def streams(server: Server) -> int:
    """Returns the number of open streams."""
    channels = server._server._server.channels()
    return sum(request.path == "/events" for channel in channels for request in channel.requests)


def change(table: Table) -> int:
    """Changes something that each page shows; returns the new version."""
    table.session.ask_help()
    return table.session.version


def expect(page: Any, version: int) -> None:
    page.wait_for_function(
        "(version) => Number(document.getElementById('state').dataset.version) >= version", arg=version
    )


def test_eight_tabs_are_updated_by_one_stream(
    table: Table, server: Server, visit: Callable[..., Any]
) -> None:
    pages = [visit(server) for _ in range(TABS)]
    for page in pages[:-1]:
        page.wait_for_function("() => stream === null")
    asked: list[str] = []
    for page in pages:
        page.wait_for_function("() => refreshing === null")
        page.on("request", lambda request: asked.append(request.url))
    version = change(table)
    for page in pages:
        expect(page, version)
    assert asked == []  # what changed was passed on
    assert pages[-1].evaluate("() => stream.readyState") == 1 and streams(server) == 1


def test_when_the_tab_that_has_the_stream_is_closed_another_takes_it(
    table: Table, server: Server, visit: Callable[..., Any]
) -> None:
    pages = [visit(server) for _ in range(3)]
    pages[-1].wait_for_function("() => stream?.readyState === 1")
    pages[-1].close()
    version = change(table)
    for page in pages[:-1]:
        expect(page, version)


def test_a_tab_whose_neighbour_crashed_takes_the_stream(
    table: Table, server: Server, visit: Callable[..., Any]
) -> None:
    page, neighbour = visit(server), visit(server)
    page.wait_for_function("() => stream === null")
    neighbour.evaluate("() => { stream.close(); tabs.close(); }")
    page.evaluate("() => { heardAt -= SILENCE; }")
    page.wait_for_function("() => stream?.readyState === 1")
    expect(page, change(table))


@pytest.mark.parametrize("first_draws", [0.4, 0.6])
def test_one_of_two_tabs_that_take_the_stream_at_once_keeps_it(
    server: Server, visit: Callable[..., Any], first_draws: float
) -> None:
    first, second = visit(server), visit(server)
    for page, number in ((first, first_draws), (second, 0.5)):
        page.evaluate("(number) => { Date.now = () => 1e13; Math.random = () => number; listen(); }", number)
    keeper, other = (first, second) if first_draws > 0.5 else (second, first)
    other.wait_for_function("() => stream === null")
    assert keeper.evaluate("() => stream !== null")


def test_all_tabs_follow_to_the_setup_form(server: Server, visit: Callable[..., Any]) -> None:
    """Long before the page would notice that the stream is silent."""
    pages = [visit(server), visit(server)]
    pages[0].wait_for_function("() => stream === null")
    for page in pages:
        page.wait_for_function("() => refreshing === null")
    server.stop()
    server._make = lambda: setup_form_app()
    server.start()
    for page in pages:
        page.wait_for_selector("#choice")


def test_tabs_in_two_languages_have_a_stream_each(
    table: Table, server: Server, visit: Callable[..., Any]
) -> None:
    english, french = visit(server, "/?lang=en"), visit(server, "/?lang=fr")
    version = change(table)
    for page, language in ((english, "en"), (french, "fr")):
        expect(page, version)
        assert page.evaluate("() => document.documentElement.lang") == language
        assert page.evaluate("() => stream !== null")


HEAR_AT_ONCE = """
const add = BroadcastChannel.prototype.addEventListener;
BroadcastChannel.prototype.addEventListener = function (kind, hear) {
  add.call(this, kind, hear);
  hear({ data: { turn: [0, 0] } });
};"""
"""A neighbour says something as soon as a tab listens to it."""


def test_a_neighbour_may_speak_while_a_tab_is_still_loading(
    table: Table, server: Server, visit: Callable[..., Any]
) -> None:
    page = visit(server, before=HEAR_AT_ONCE)
    expect(page, change(table))
