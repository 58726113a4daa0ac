"""The game on the page "How to add a game" is complete: installed from there, it is played."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import pytest

import companion.games
from calibration.games.burgundy.facts import load_facts
from companion.games.burgundy import modules
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules import Burgundy
from companion.games.registry import GamePlugin, plugin
from companion.journal import Journal
from companion.session import TableSession
from companion.text.catalogue import LANGUAGES, merged_texts
from companion.text.translator import Translator
from tests.games import test_contract as contract
from tests.support.contract import Case, positions, replayed
from tests.support.modules import played, setup_of
from tests.support.pages import create_app
from tests.support.paths import CHECKOUT

PAGE = CHECKOUT / "docs" / "adding-a-game.md"
FILE = re.compile(r"`companion/games/(\S+)`:\n\n```(?:python|json)\n(.*?)```", re.S)
SETUP = {"game": "stones", "players": [{"colour": "red"}, {"colour": "blue"}, {"colour": "green"}]}
CONTRACT = [
    test
    for name, test in inspect.getmembers(contract, inspect.isfunction)
    if name.startswith("test_") and [*inspect.signature(test).parameters] == ["case"]
]
"""What every game has to do, each a function of one case."""


def install(below: str, folder: Path) -> None:
    """Writes the page's files of ``companion/games/BELOW`` to *folder*, and nothing else."""
    for name, content in FILE.findall(PAGE.read_text(encoding="utf-8")):
        if name.startswith(below):
            file = folder / name.removeprefix(below)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
    importlib.invalidate_caches()


def forget(package: str) -> None:
    """Unloads a package that was installed for one test."""
    for module in [name for name in sys.modules if name.startswith(package)]:
        del sys.modules[module]


@pytest.fixture
def stones(tmp_path: Path) -> Iterator[GamePlugin]:
    """Returns the game, installed from the page for the length of a test."""
    install("stones/", tmp_path / "stones")
    with mock.patch.object(companion.games, "__path__", [*companion.games.__path__, str(tmp_path)]):
        yield plugin("stones")
    forget("companion.games.stones")


@pytest.mark.parametrize("test", CONTRACT, ids=[test.__name__ for test in CONTRACT])
def test_it_keeps_the_contract(stones: GamePlugin, test: Callable[[Case], None]) -> None:
    test(Case("stones", stones.rules(), SETUP, lambda state: Counter(stone=state.left + sum(state.turns))))


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


@pytest.fixture
def ready_mines(tmp_path: Path) -> Iterator[Burgundy]:
    """Returns the rules of a box with the module, installed from the page for the length of a test."""
    install("burgundy/modules/", tmp_path)
    with mock.patch.object(modules, "__path__", [*modules.__path__, str(tmp_path)]):
        box = burgundy()
        yield Burgundy(box.editions, box.duchies, modules.find(load_facts()), box.boards)
    forget("companion.games.burgundy.modules.ready_mines")


def test_the_module_brings_a_point_for_each_mine(ready_mines: Burgundy) -> None:
    setup = setup_of(modules=["ready_mines"])
    game = played(ready_mines, ready_mines.new(setup), 100_000)
    assert ready_mines.is_over(game)
    for player, points in ready_mines.score_sheet(game).items():
        board = game.players[game.index(player)].spaces
        mines = sum(tile is not None and tile.type == "mine" for tile in board)
        assert points.get("ready_mines", 0) == mines


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_module_has_all_its_texts(ready_mines: Burgundy, language: str) -> None:
    own = merged_texts(
        language, tuple(Path(folder) / "ready_mines" / "texts" for folder in modules.__path__[-1:])
    )
    assert {key.partition(".")[0] for key in own} == {"game_module", "event", "counted", "source"}
    assert {key: value for key, value in own.items() if "'" in value} == {}
