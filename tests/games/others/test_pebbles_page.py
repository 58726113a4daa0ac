"""The game of pebbles, which has no page of its own, on the page that all games share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.archive import Archive
from companion.games.registry import rules_of
from companion.journal import Journal
from companion.session import TableSession
from tests.support.other_games import more_games
from tests.support.pages import create_app

SETUP = {"game": "pebbles", "players": [{"colour": "red"}, {"colour": "blue"}], "names": {"red": "Anna"}}


@pytest.fixture
def session(tmp_path: Path) -> Iterator[TableSession]:
    with more_games():
        journal = Journal(tmp_path / "evening.journal")
        yield TableSession(rules_of(SETUP), journal, SETUP)
        journal.close()


@pytest.fixture
def client(session: TableSession, tmp_path: Path) -> Any:
    return create_app(session, archive=Archive(tmp_path)).test_client()


def test_pieces_that_lie_free_are_drawn_to_scale_with_their_owners(
    session: TableSession, client: Any
) -> None:
    session.tap("lay 30 40")
    session.tap("lay 100 80")
    drawn = client.get("/").get_data(as_text=True)
    assert 'viewBox="10 20 110 80"' in drawn
    assert re.findall(r"translate\((\d+) (\d+)\)", drawn) == [("30", "40"), ("100", "80")]
    assert len(re.findall(r'<g class="badge badge-(red|blue)"', drawn)) == 2


def test_nothing_is_drawn_before_the_first_piece(client: Any) -> None:
    assert "free-pieces" not in client.get("/").get_data(as_text=True)


def test_a_move_among_a_thousand_is_chosen_step_by_step(session: TableSession, client: Any) -> None:
    assert len(session.legal_moves()) > 900
    first = client.get("/moves").get_data(as_text=True)
    assert "30 mm from the left" in first and "data-do" not in first
    second = client.get("/moves?step=30").get_data(as_text=True)
    assert 'data-text="lay 30 40"' in second


def test_a_replay_draws_the_pieces_of_its_step(session: TableSession, client: Any) -> None:
    session.tap("lay 30 40")
    session.tap("lay 100 80")
    step = client.get("/games/now/replay/1").get_data(as_text=True)
    assert re.findall(r"translate\((\d+) (\d+)\)", step) == [("30", "40")]
