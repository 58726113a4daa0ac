"""The game on the page "How to add a game" is complete: installed from there, it is played."""

from __future__ import annotations

import importlib
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

import companion.games
from companion.games.registry import GamePlugin, plugin
from companion.journal import Journal
from companion.session import TableSession
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.support.contract import Case, positions, replayed
from tests.support.pages import create_app
from tests.support.paths import CHECKOUT

PAGE = CHECKOUT / "docs" / "adding-a-game.md"
FILE = re.compile(r"```(?:python|json)\n# companion/games/(\S+)\n(.*?)```", re.S)
SETUP = {"game": "stones", "players": [{"colour": "red"}, {"colour": "blue"}, {"colour": "green"}]}


@pytest.fixture
def stones(tmp_path: Path) -> Iterator[GamePlugin]:
    """Returns the game, installed from the page for the length of a test."""
    for name, content in FILE.findall(PAGE.read_text(encoding="utf-8")):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    (tmp_path / "stones" / "__init__.py").touch()
    importlib.invalidate_caches()
    with mock.patch.object(companion.games, "__path__", [*companion.games.__path__, str(tmp_path)]):
        yield plugin("stones")
    for module in [name for name in sys.modules if name.startswith("companion.games.stones")]:
        del sys.modules[module]


def test_it_is_played_to_the_end_and_replayed(stones: GamePlugin) -> None:
    case = Case("stones", stones.rules(), SETUP, lambda state: Counter())
    texts = []
    for state, move in positions(case, 1):
        texts.append(str(move))
        final = state
    assert replayed(case, texts).state_hash() == final.state_hash()
    assert sum(sum(points.values()) for points in case.rules.score_sheet(final).values()) == 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_has_a_page_and_all_its_texts(stones: GamePlugin, language: str) -> None:
    session = TableSession(stones.rules(), Journal(":memory:"), SETUP)
    app = create_app(session)
    app.testing = True  # a missing text would raise
    session.tap("take 3")
    page = app.test_client().get(f"/?lang={language}").get_data(as_text=True)
    t = Translator(language, "stones", strict=True)
    assert t.event_without_player({"kind": "take", "player": "red", "points": 3}) in page
    moves = app.test_client().get(f"/moves?lang={language}").get_data(as_text=True)
    assert t.move({"word": "take", "count": 2}) in moves
    for reason in (stones.rules().validate(session.state, stones.rules().parse_move("take 9")),):
        assert reason is not None and t.reason(reason.code, reason.data)


def test_it_is_set_up_on_the_form(stones: GamePlugin) -> None:
    choice = stones.setup.proposal()
    assert stones.setup.setup(choice) == {
        "players": [{"colour": "red"}, {"colour": "blue"}],
        "names": {},
    }
