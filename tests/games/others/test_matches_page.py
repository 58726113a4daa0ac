"""The game of matches on the real page: set up, played with two phones, taken back, finished, and watched again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.archive import Archive
from companion.games.registry import plugin, rules_of
from companion.journal import Journal
from companion.runtime.server import AppServer
from companion.session import TableSession
from companion.session.next_game import NextGame
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.support.browsing import TABLET
from tests.support.other_games import more_games
from tests.support.pages import create_app
from web.context import EXTENSION
from web.setup_form import create_setup_form_app

pytestmark = pytest.mark.browser
PHONE, SMALL_PHONE = {"width": 390, "height": 780}, {"width": 320, "height": 640}
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    with more_games():
        yield


class Room:
    """Represents a browser for each device in the room; an error in a script of a page fails the test."""

    def __init__(self, browser: Any, language: str) -> None:
        self._browser = browser
        self._language = language
        self._contexts: list[Any] = []
        self.complaints: list[str] = []

    def open(self, server: AppServer, path: str = "/", viewport: dict[str, int] = TABLET) -> Any:
        context = self._browser.new_context(viewport=viewport, has_touch=True, locale=self._language)
        self._contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(server.address + path)
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture(params=LANGUAGES)
def room(chromium: Any, request: pytest.FixtureRequest) -> Iterator[tuple[Room, Translator]]:
    found = Room(chromium, request.param)
    yield found, Translator(request.param, "matches")
    found.close()
    assert found.complaints == []


def set_up(room: Room, t: Translator) -> dict[str, Any]:
    """Chooses the game of matches, names and begins on the setup form; returns the set-up."""
    begun: list[dict[str, Any]] = []
    app = create_setup_form_app(
        ["burgundy", "matches"],
        lambda game, choice: begun.append({**plugin(game).setup.setup(choice), "game": game}),
    )
    server = AppServer(app, host="127.0.0.1", port=0)
    page = room.open(server)
    page.locator("[name=game]").select_option("matches")
    page.get_by_text(t.option_value("told", "goals")).wait_for()
    page.locator(".seat [name=name]").nth(0).fill("Anna")
    page.locator(".seat [name=name]").nth(1).fill("Bo")
    page.locator("[type=submit]").click()
    page.locator("#toast.shown").get_by_text(t("setup_form.begins")).wait_for()
    server.close()
    return begun[0]


def test_an_evening_of_matches(room: tuple[Room, Translator], tmp_path: Path) -> None:
    devices, t = room
    setup = set_up(devices, t)
    assert setup == {
        "game": "matches",
        "players": [{"colour": "red"}, {"colour": "blue"}],
        "names": {"red": "Anna", "blue": "Bo"},
        "told": ["goals"],
    }
    session = TableSession(rules_of(setup), Journal(tmp_path / "now.journal"), setup)
    left: list[NextGame] = []
    app = create_app(session, archive=Archive(tmp_path), next_game=left.append)
    server = AppServer(app, host="127.0.0.1", port=0, wake_waiting=session.wake_waiting)
    phones = app.extensions[EXTENSION].own_phones
    try:
        table = devices.open(server)
        table.locator(".actions [data-open='/join']").click()
        red_code = phones.code("red")
        table.locator("dialog").get_by_text(red_code).wait_for()
        table.keyboard.press("Escape")

        anna = devices.open(server, "/me/red", PHONE)
        anna.locator("[name=code]").fill(red_code)
        anna.locator("[type=submit]").click()
        bo = devices.open(server, f"/me/blue#{phones.code('blue')}", SMALL_PHONE)
        for phone, player, goal in ((anna, "red", "even"), (bo, "blue", "odd")):
            phone.locator(f"[data-text='deal {player} {goal}']").click()
            phone.locator("#goal").get_by_text(t(f"goal.{goal}")).wait_for()
        for phone, text in ((bo, "bid blue 1"), (anna, "bid red 3")):
            phone.locator(f"[data-text='{text}']").click()
        assert anna.evaluate(FITS) and bo.evaluate(FITS)

        table.locator("#score-red.to-move").wait_for()
        seen = table.content()
        assert t("goal.even") not in seen and t("goal.odd") not in seen

        table.locator("[data-open='/place/heap:2']").click()
        table.locator("dialog .illegal-moves").get_by_text(
            t.reason("too_many_at_once", {"most": 3})
        ).wait_for()
        table.locator("dialog [data-text='take 2 3']").click()
        table.locator("#score-blue.to-move").wait_for()
        table.locator(".undo").click()
        table.locator("#score-red.to-move").wait_for()
        assert session.state.heaps == [3, 5, 7]

        anna.locator("[data-open='/me/red/place/heap:0']").click()
        anna.locator("dialog [data-text='take 0 3']").click()
        table.locator("#score-blue.to-move").wait_for()
        bo.locator("#own-now [data-text='take 1 3']").click()
        table.locator("#score-red.to-move").wait_for()
        for text in ("take 1 2", "take 2 3", "take 2 3", "take 2 1"):
            session.tap(text)
        table.get_by_text(t("status.over.title", player="Anna")).first.wait_for()
        table.get_by_text(t("goal.even")).first.wait_for()

        table.goto(f"{server.address}/games/now")
        table.locator(".podium").get_by_text("13").wait_for()
        table.goto(f"{server.address}/games/now/replay/5")
        table.get_by_text("5 / 10").wait_for()
        assert t("goal.even") not in table.content()
        table.goto(f"{server.address}/games")
        table.locator(".game-row").get_by_text("Anna").wait_for()
    finally:
        server.close()
        session.journal.close()
    assert left == []


def test_a_game_without_a_page_of_its_own_is_played_step_by_step(room: tuple[Room, Translator]) -> None:
    devices, _ = room
    setup = {"game": "pebbles", "players": [{"colour": "red"}, {"colour": "blue"}]}
    session = TableSession(rules_of(setup), Journal(":memory:"), setup)
    server = AppServer(create_app(session), host="127.0.0.1", port=0, wake_waiting=session.wake_waiting)
    try:
        table = devices.open(server)
        table.locator(".actions [data-open='/moves']").click()
        table.locator("dialog [data-open^='/moves?step=']").first.click()
        first = table.locator("dialog [data-do=tap]").first
        first.click()
        table.locator("#score-blue.to-move").wait_for()
        assert len(session.entries()) == 1
        table.locator("#player-red pre").wait_for()
        table.locator(".undo").click()
        table.locator("#score-red.to-move").wait_for()
    finally:
        server.close()
        session.journal.close()


def test_a_game_that_draws_its_boards_has_room_around_them_as_the_plain_boards_have(chromium: Any) -> None:
    paddings = set()
    for game in ("matches", "pebbles"):
        setup = {"game": game, "players": [{"colour": "red"}, {"colour": "blue"}]}
        session = TableSession(rules_of(setup), Journal(":memory:"), setup)
        server = AppServer(create_app(session), host="127.0.0.1", port=0, wake_waiting=session.wake_waiting)
        page = chromium.new_page(viewport=TABLET)
        try:
            page.goto(server.address)
            paddings.add(page.locator("#player-red").evaluate("board => getComputedStyle(board).padding"))
        finally:
            page.close()
            server.close()
            session.journal.close()
    assert paddings == {"8px 12px"}
