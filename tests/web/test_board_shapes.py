"""The page about duchies of any shape, here two islands with a bridge."""

from __future__ import annotations

import random
import re

import pytest

from companion.journal import Journal
from companion.session import TableSession
from tests.support.islands import PRINTED, SETUP, with_islands
from tests.support.pages import create_app
from tests.support.setup_forms import setup_form_app
from web.games.burgundy import page as burgundy_page


def shown(decisions: int) -> str:
    """Returns the page after so many random decisions."""
    rules = with_islands()
    session, rng = TableSession(rules, Journal(":memory:"), SETUP), random.Random(1)
    state = rules.new(session.setup)
    for _ in range(decisions):
        move = rules.sample_chance(state, rng) or rng.choice(rules.legal_moves(state))
        rules.apply(state, move)
        session.tap(str(move))
    return create_app(session).test_client().get("/table").get_data(as_text=True)


@pytest.mark.parametrize("decisions", [0, 40], ids=["set-up", "play"])
def test_a_duchy_is_drawn_with_its_own_spaces_and_bridges(decisions: int) -> None:
    page = shown(decisions)
    duchies = re.findall(r'<svg[^>]* class="duchy".*?</svg>', page, re.DOTALL)
    assert [duchy.count('class="space ') for duchy in duchies] == [7, 7]
    assert [duchy.count('class="bridge"') for duchy in duchies] == [1, 1]


def test_every_space_of_it_can_be_tapped_and_is_told_by_its_name() -> None:
    page = shown(40)
    for index, (name, *_) in enumerate(PRINTED):
        (tapped,) = re.findall(f'data-open="/place/duchy:red:{index}"[^>]*aria-label="([^"]*)"', page)
        assert f"space {name} (" in tapped


def test_the_setup_form_draws_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(burgundy_page, "burgundy", with_islands)
    drawn = setup_form_app().test_client().get("/duchy/islands.svg").get_data(as_text=True)
    assert drawn.count("<polygon") == 7 and drawn.count("<line") == 1
