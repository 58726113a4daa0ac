"""The page of the game on "How to add a game" is drawn by the templates that are shown there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import web.games
from companion.games.registry import GamePlugin
from companion.journal import Journal
from companion.session import TableSession
from tests.project.test_adding_a_game import PAGE, SETUP, stones
from tests.support.pages import create_app

__all__ = ["stones"]
TEMPLATE = re.compile(r"`web/games/(\S+\.html)`:\n\n```html\n(.*?)```", re.S)


@pytest.fixture
def client(stones: GamePlugin, tmp_path: Path) -> Iterator[Any]:
    """Returns a browser of a game in which three stones were taken."""
    for name, content in TEMPLATE.findall(PAGE.read_text(encoding="utf-8")):
        file = tmp_path / "pages" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    session = TableSession(stones.rules(), Journal(":memory:"), SETUP)
    session.tap("take 3")
    with mock.patch.object(web.games, "__path__", [*web.games.__path__, str(tmp_path / "pages")]):
        app = create_app(session)
        app.testing = True  # a missing text would raise
        yield app.test_client()


def shown(client: Any, path: str = "/", language: str = "en") -> str:
    return str(client.get(path, query_string={"lang": language}).get_data(as_text=True))


def test_it_shows_what_players_have(client: Any) -> None:
    board = re.findall('<article class="player.*?</article>', shown(client), re.S)[0]
    assert board.count("●") == 3 and 'data-open="/player/red"' in board


@pytest.mark.parametrize(("language", "left"), [("en", "17 stones left"), ("fr", "17 cailloux en jeu")])
def test_it_shows_how_many_are_left(client: Any, language: str, left: str) -> None:
    assert left in shown(client, language=language)
    assert left in shown(client, "/games/now/replay/1", language)


def test_nothing_that_a_page_shows_is_sent_again(client: Any) -> None:
    parts = re.findall('data-parts="([^"]*)"', shown(client, "/table"))[0]
    again = client.get("/table", query_string={"shown": parts, "lang": "en"}).get_data(as_text=True)
    assert "●" not in again and 'id="heap" data-same' in again
