"""The lesson on the page: where it begins, how it is followed, and how it is left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.games.burgundy.plugin import PLUGIN
from companion.session.next_game import NextGame
from companion.text.catalogue import LANGUAGES
from tests.session.test_lesson_guide import Learner
from tests.support.browsing import Server
from tests.support.pages import create_app
from tests.support.setup_forms import setup_form_app
from tests.support.tables import Table
from tests.web.test_next_game import NextGamePage
from tests.web.test_page import page_of

TAPS = 60


@pytest.fixture
def learner() -> Learner:
    return Learner()


def shown(learner: Learner, language: str = "en") -> str:
    client = create_app(learner.session, guide=learner.guide).test_client()
    return client.get(f"/?lang={language}").get_data(as_text=True)


def test_the_setup_form_offers_the_lesson() -> None:
    learnt: list[str] = []
    client = setup_form_app(learn=learnt.append).test_client()
    assert 'id="learn"' in client.get("/").get_data(as_text=True)
    token = client.get("/").get_data(as_text=True).split('data-token="')[1].split('"')[0]
    answer = client.post("/learn", json={"game": PLUGIN.id}, headers={"X-Token": token})
    assert (answer.status_code, learnt) == (200, [PLUGIN.id])


def test_a_form_without_lessons_offers_none() -> None:
    assert 'id="learn"' not in setup_form_app().test_client().get("/").get_data(as_text=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_has_words(learner: Learner, language: str) -> None:
    """A missing text would raise."""
    while learner.guide.view().name:  # type: ignore[union-attr]
        assert 'id="lesson"' in shown(learner, language)
        learner.follow()
    assert 'data-do="lesson_stop"' in shown(learner, language)


def test_a_step_that_is_read_is_left_by_its_button(learner: Learner) -> None:
    page_of(learner.session, guide=learner.guide).do("lesson_next")
    assert learner.view.name == learner.lesson.steps[1].name


def test_the_companion_rolls_after_a_command_that_ends_the_round(learner: Learner) -> None:
    learner.until("end")
    browser = page_of(learner.session, guide=learner.guide)
    browser.do("tap", text="end")
    browser.do("confirm", version=learner.session.version)
    assert learner.session.state.round == 1 and not learner.session.awaits_roll


def test_a_stopped_lesson_shows_no_steps(learner: Learner) -> None:
    page_of(learner.session, guide=learner.guide).do("lesson_stop")
    assert 'id="lesson"' not in shown(learner)


def test_other_games_have_no_lesson_to_go_on_with() -> None:
    table = Table()
    browser = page_of(table.session)
    assert browser.do("lesson_next").status_code == 400


def test_the_menu_leads_to_the_lesson_after_a_question(tmp_path: Path) -> None:
    page = NextGamePage(Table().set_up(), tmp_path)
    assert 'data-open="/leave/learn"' in page.text("/menu")
    assert 'data-do="learn"' in page.text("/leave/learn")
    assert page.do("learn") == 200 and page.requested == [NextGame(learns=True)]


def test_a_lesson_does_not_offer_itself(learner: Learner) -> None:
    client = create_app(learner.session, guide=learner.guide, next_game=lambda game: None).test_client()
    assert "/leave/learn" not in client.get("/menu").get_data(as_text=True)


def follow_on_page(page: Any) -> None:
    """Does what the page shows: reads on, confirms the other player's turn, or touches what is outlined."""
    lesson = page.locator("#lesson")
    kind, pieces = lesson.get_attribute("class"), lesson.get_attribute("data-pieces").split()
    before = page.locator("#state").get_attribute("data-version")
    if "lesson-read" in kind:
        page.locator("[data-do=lesson_next]").click()
    elif "lesson-wait" in kind:
        page.locator("[data-do=confirm]").first.click()
    elif pieces:
        for piece in pieces:
            page.locator(f"[data-piece='{piece}']").locator("visible=true").first.click()
    else:
        text = lesson.get_attribute("data-text")
        page.locator(f"[data-do=tap][data-text='{text}']").locator("visible=true").first.click()
    page.wait_for_function("v => document.getElementById('state').dataset.version !== v", arg=before)


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_lesson_is_played_by_doing_what_is_shown(
    learner: Learner, serve: Callable[..., Server], visit: Callable[..., Any], language: str
) -> None:
    page = visit(serve(learner.session, guide=learner.guide), f"/?lang={language}")
    for _ in range(TAPS):
        if page.locator(".lesson-over").count():
            break
        follow_on_page(page)
    assert page.locator(".lesson-over").count() == 1
    page.locator("[data-do=lesson_stop]").click()
    page.wait_for_selector("#lesson", state="detached")


@pytest.mark.browser
def test_what_is_to_be_touched_is_outlined(
    learner: Learner, serve: Callable[..., Server], visit: Callable[..., Any]
) -> None:
    learner.until("take")
    page = visit(serve(learner.session, guide=learner.guide))
    piece = page.locator("#lesson").get_attribute("data-pieces")
    outline = "piece => getComputedStyle(document.querySelector(`[data-piece='${piece}']`)).outlineStyle"
    page.wait_for_function(f"piece => ({outline})(piece) === 'solid'", arg=piece)
