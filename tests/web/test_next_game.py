"""Leaving a game for the next one: from the table and from its result."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.archive import Archive
from companion.session.next_game import NextGame
from companion.text.catalogue import LANGUAGES
from tests.archive.test_archive import play
from tests.support.pages import create_app
from tests.support.tables import Table, over
from web.commands import TOKEN_HEADER


class NextGamePage:
    """A page that remembers what people want to play next."""

    def __init__(self, table: Table, folder: Path) -> None:
        self.requested: list[NextGame] = []
        app = create_app(table.session, next_game=self.requested.append, archive=Archive(folder))
        app.testing = True
        self.client: FlaskClient = app.test_client()

    def text(self, path: str) -> str:
        return self.client.get(path).get_data(as_text=True)

    def do(self, command: str) -> int:
        token = self.text("/").split('data-token="')[1].split('"')[0]
        return self.client.post("/do", json={"do": command}, headers={TOKEN_HEADER: token}).status_code


@pytest.fixture
def finished(tmp_path: Path) -> NextGamePage:
    """A game that has just ended."""
    table = Table()
    over(table)
    return NextGamePage(table, tmp_path)


@pytest.fixture
def running(tmp_path: Path) -> NextGamePage:
    """A game that goes on."""
    play(tmp_path / "past.journal", 1, names={"red": "Anna"})
    return NextGamePage(Table().set_up(), tmp_path)


@pytest.mark.parametrize("path", ["/", "/games/now"])
def test_a_finished_game_offers_the_same_again_and_a_new_one(finished: NextGamePage, path: str) -> None:
    shown = finished.text(path)
    assert 'data-open="/leave/again"' in shown and 'data-open="/leave/new_game"' in shown


@pytest.mark.parametrize("path", ["/", "/games/now", "/games/past"])
def test_before_that_the_same_again_is_not_offered(running: NextGamePage, path: str) -> None:
    assert 'data-open="/leave/again"' not in running.text(path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_again_asks_first(finished: NextGamePage, language: str) -> None:
    """A missing text would raise."""
    asked = finished.text(f"/leave/again?lang={language}")
    assert 'data-do="again"' in asked and "data-close" in asked


def test_the_same_again_proposes_this_game(finished: NextGamePage) -> None:
    assert finished.do("again") == 200 and finished.requested == [NextGame(repeats=True)]


def test_a_game_that_goes_on_is_not_played_again(running: NextGamePage) -> None:
    assert running.client.get("/leave/again").status_code == 404
    assert running.do("again") == 400 and running.requested == []


def test_the_result_ranks_the_players_and_says_how_far_they_are_behind(finished: NextGamePage) -> None:
    shown = finished.text("/games/now?lang=en")
    assert shown.index('<i class="rank">1st</i>') < shown.index('<i class="rank">2nd</i>')
    assert "points behind" in shown or "point behind" in shown
