"""Watching a past game again in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.archive import Archive
from tests.archive.test_archive import play
from tests.support.browsing import Server
from tests.support.tables import Table

pytestmark = pytest.mark.browser


@pytest.fixture
def replay(serve: Callable[..., Server], visit: Callable[..., Any], tmp_path: Path) -> Callable[[int], Any]:
    """Returns a function that opens a step of a game's replay."""
    play(tmp_path / "past.journal", 1, names={"red": "Anna"}, moves=40)
    server = serve(Table().session, archive=Archive(tmp_path))
    return lambda step: visit(server, f"/games/past/replay/{step}?lang=en")


def at(page: Any, step: int) -> None:
    """Waits until a step is shown."""
    page.get_by_text(f"{step} / ", exact=False).first.wait_for()
    page.wait_for_url(f"**/replay/{step}")


def test_it_plays_by_itself_until_it_is_paused(replay: Callable[[int], Any]) -> None:
    page = replay(3)
    page.locator("#speed").select_option("4")
    page.get_by_role("button", name="Play").click()
    at(page, 5)
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Play").wait_for()


def test_it_stops_at_the_end_and_begins_again_from_there(replay: Callable[[int], Any]) -> None:
    page = replay(3)
    last = int(page.locator("#step").get_attribute("max"))
    page.keyboard.press("End")
    at(page, last)
    page.locator("#speed").select_option("4")
    page.get_by_role("button", name="Play").click()
    at(page, 1)


def test_the_slider_leads_to_any_step(replay: Callable[[int], Any]) -> None:
    page = replay(0)
    page.locator("#step").fill("7")
    at(page, 7)
    assert page.locator("#step").get_attribute("aria-valuetext").startswith("7 / ")


def test_it_works_by_keyboard(replay: Callable[[int], Any]) -> None:
    page = replay(5)
    page.keyboard.press("ArrowRight")
    at(page, 6)
    page.keyboard.press("ArrowLeft")
    at(page, 5)
    page.keyboard.press("Home")
    at(page, 0)
    page.keyboard.press("Space")
    page.get_by_role("button", name="Pause").wait_for()


def test_a_phase_of_the_progress_is_a_step_of_the_same_page(replay: Callable[[int], Any]) -> None:
    page = replay(9)
    page.evaluate("window.same = true")
    first = page.locator(".phases a").first
    step = int(first.get_attribute("href"))
    first.click()
    at(page, step)
    assert page.evaluate("window.same")


def test_a_step_that_cannot_be_fetched_is_said(replay: Callable[[int], Any]) -> None:
    page = replay(3)
    page.route("**/replay/4**", lambda route: route.abort())
    page.keyboard.press("ArrowRight")
    page.get_by_text(page.locator("#replay-bar").get_attribute("data-lost")).wait_for()
