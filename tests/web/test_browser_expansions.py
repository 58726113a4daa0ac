"""The expansions on the page in a real browser: they fit, and are used by taps and by keys."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.games.burgundy.rules.state import TURN
from companion.games.burgundy.rules.tiles import tile
from companion.runtime.server import AppServer
from companion.session import DRAFTING, OVER, TableSession
from companion.text.catalogue import LANGUAGES
from tests.support.browsing import SIZES, Server
from tests.support.expansions import NAMES, by_hand, tap_at_random
from tests.support.positions import own
from tests.support.setup_forms import setup_form_app
from tests.web.test_browser_legibility import (
    BESIDE,
    CONTROLS,
    CUT,
    OVERLAPPING,
    SMALL,
    TARGET_PX,
    turned,
)

pytestmark = pytest.mark.browser


def in_the_middle(folder: Path, people: int) -> TableSession:
    """Returns a turn of the third phase with all expansions, in which somebody has stored an inn."""
    session, rng = by_hand(folder, *NAMES, people=people, duchy="se-12"), random.Random(people)
    while session.status != OVER and (session.state.phase < 2 or session.state.stage != TURN):
        tap_at_random(session, rng)
    session.state.player.storage[:1] = [tile("inn")]
    return session


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("people", [2, 3, 4])
def test_all_expansions_fit_on_every_screen(
    serve: Callable[..., Server], visit: Callable[..., Any], tmp_path: Path, people: int, language: str
) -> None:
    page = visit(serve(in_the_middle(tmp_path, people)), f"/?lang={language}")
    wrong: dict[tuple[int, int], list[str]] = {}
    for size in SIZES:
        turned(page, size)
        found = page.evaluate(BESIDE) + page.evaluate(OVERLAPPING)
        # There may be more areas than room for them.
        found += [one for one in page.evaluate(CUT) if ".plain nearest" not in one]
        found += page.evaluate(SMALL, [TARGET_PX, CONTROLS])
        wrong |= {size: found} if found else {}
    assert wrong == {}


def test_hiring_in_anothers_turn_is_one_tap_and_their_turn_goes_on(
    serve: Callable[..., Server], visit: Callable[..., Any], tmp_path: Path
) -> None:
    session = by_hand(tmp_path, "extra_tiles")
    player = session.state.player
    (other,) = (one for one in session.state.players if one is not player)
    own(other, 28)
    other.silver = 1
    session.tap(next(move["text"] for move in session.legal_moves() if move["word"] == "workers"))
    page = visit(serve(session))
    page.locator(f"#player-{other.colour} .out-of-turn button").click()
    page.locator(f"#player-{other.colour} .out-of-turn").wait_for(state="detached")
    assert page.locator("dialog[open]").count() == 0  # it is nobody's turn that is entered
    assert session.status == DRAFTING and session.state.player.colour == player.colour
    assert [entry.player for entry in session.entries()][-1] == other.colour


def test_border_posts_open_by_the_keyboard_and_have_a_name(
    serve: Callable[..., Server], visit: Callable[..., Any], tmp_path: Path
) -> None:
    page = visit(serve(by_hand(tmp_path, "border_posts")))
    posts = page.get_by_role("button", name="Border posts of Red: 0 of 3 pairs linked")
    posts.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open] .border-pairs")
    assert page.locator("dialog .border-pairs li").count() == 3


def test_a_shield_is_taken_in_two_taps(
    serve: Callable[..., Server], visit: Callable[..., Any], tmp_path: Path
) -> None:
    session = by_hand(tmp_path, "shields")
    session.state.player.dice[:] = [3, 3]
    page = visit(serve(session))
    page.locator(".own-buttons button").click()
    page.locator("dialog[open] .takes button").first.click()
    page.wait_for_selector(".shield-row")
    assert [move["word"] for move in session.snapshot()["draft"]] == ["shield"]


@pytest.fixture
def setup_form() -> Iterator[AppServer]:
    with closing(AppServer(setup_form_app(), host="127.0.0.1", port=0)) as server:
        yield server


def test_the_setup_form_proposes_border_posts_for_duchies_that_are_meant_for_them(
    visit: Callable[..., Any], setup_form: AppServer
) -> None:
    page = visit(setup_form)
    posts = page.locator("input[name=modules][value=border_posts]")
    assert not posts.is_checked()
    page.locator(".seat select[name=duchy]").first.select_option("se-24")
    page.locator("input[value=border_posts]:checked").wait_for()
    posts.uncheck()
    page.locator(".seat select[name=duchy]").nth(1).select_option("se-3")
    page.locator(".seat img[src*='se-3.svg']").wait_for()
    assert not posts.is_checked()
