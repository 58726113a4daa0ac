"""Games are found by their folder, and a journal says which game it holds."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import companion.games
from companion.archive import Archive
from companion.games.burgundy.plugin import burgundy
from companion.games.registry import (
    UnknownGameError,
    broken_games,
    default_plugin,
    game_of,
    plugin,
    plugins,
    rules_of,
)
from companion.games.setup import COLOURS
from companion.journal import Journal, read_records, setup_of
from companion.session import TableSession
from companion.text.catalogue import LANGUAGES, common_texts
from tests.support.other_games import more_games

SETUP: dict[str, Any] = {
    "edition": "special",
    "players": [{"colour": "red", "duchy": "se-1"}, {"colour": "blue", "duchy": "se-2"}],
}
GAME_SOURCE = """
from companion.games.registry import GamePlugin

PLUGIN = GamePlugin("{name}", rules=lambda: None, texts=None, narration=None)
"""


def test_the_games_are_those_with_a_folder() -> None:
    folders = sorted(path.parent.name for path in Path(companion.games.__file__).parent.glob("*/plugin.py"))
    assert list(plugins()) == folders
    assert default_plugin() is plugin("burgundy")


@contextmanager
def with_game(folder: Path, name: str, source: str) -> Iterator[None]:
    """Returns a context with one more game, whose folder has nothing but its ``plugin.py``."""
    (folder / name).mkdir()
    (folder / name / "plugin.py").write_text(source)
    with mock.patch.object(companion.games, "__path__", [*companion.games.__path__, str(folder)]):
        yield
    sys.modules.pop(f"companion.games.{name}.plugin", None)


def test_a_folder_is_all_that_a_game_needs(tmp_path: Path) -> None:
    before = list(plugins())
    with with_game(tmp_path, "draughts", GAME_SOURCE.format(name="draughts")):
        assert list(plugins()) == sorted([*before, "draughts"])
    assert list(plugins()) == before


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("def", "its plugin.py cannot be loaded (SyntaxError"),
        ("import nothing_of_that_name", "its plugin.py cannot be loaded (ModuleNotFoundError"),
        ("PLUGIN = 3", "PLUGIN in its plugin.py is no GamePlugin"),
        (GAME_SOURCE.format(name="chess"), "its plugin.py calls it 'chess': give it the name of its folder"),
    ],
)
def test_a_game_that_cannot_be_loaded_says_why_and_leaves_the_others_alone(
    tmp_path: Path, source: str, why: str
) -> None:
    before = list(plugins())
    with with_game(tmp_path, "broken", source):
        assert list(plugins()) == before
        assert why in broken_games()["broken"]
        with pytest.raises(UnknownGameError, match=re.escape(why)):
            plugin("broken")


def test_a_game_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(UnknownGameError, match="there is no game 'chess': choose burgundy"):
        plugin("chess")


def test_a_journal_names_its_game_and_the_version_of_the_rules(tmp_path: Path) -> None:
    path = tmp_path / "g.journal"
    journal = Journal(path)
    TableSession(burgundy(), journal, SETUP)
    journal.close()
    assert setup_of(read_records(path)) == {**SETUP, "game": "burgundy", "rules_version": 1}


@pytest.mark.parametrize("setup", [SETUP, {**SETUP, "game": "burgundy"}, {**SETUP, "rules_version": 1}])
def test_a_setup_that_names_no_game_is_of_the_default_one(setup: dict[str, Any]) -> None:
    assert game_of(setup) == "burgundy"
    assert rules_of(setup) is burgundy()


@pytest.mark.parametrize("version", [2, "1", None, True, 1.0])
def test_a_game_of_later_rules_is_refused_with_the_cure(version: object) -> None:
    with pytest.raises(UnknownGameError, match="update it"):
        rules_of({**SETUP, "rules_version": version})


def test_a_journal_of_another_game_is_listed_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "g.journal"
    journal = Journal(path)
    journal.append("setup", {**SETUP, "game": "chess"})
    journal.close()
    before = path.read_bytes()
    (one,) = Archive(tmp_path).games()
    assert one.record is None and one.error is not None and "no game 'chess'" in one.error
    assert path.read_bytes() == before


def test_every_plugin_lies_in_the_folder_of_its_name() -> None:
    for name, found in plugins().items():
        assert (
            importlib.import_module(f"companion.games.{name}.plugin").PLUGIN is found
            and found.rules().name == name
        )


def test_a_game_proposes_seats_by_colour_unless_it_knows_better() -> None:
    with more_games():
        assert plugin("matches").new_setup(2, seed=1) == {
            "game": "matches",
            "players": [{"colour": "red"}, {"colour": "blue"}],
        }


@pytest.mark.parametrize("modules", [(), ("linked_castles",)])
def test_what_the_default_game_proposes_can_begin_for_every_number_of_players(
    modules: tuple[str, ...],
) -> None:
    game = default_plugin()
    for players in game.player_counts:
        setup = game.new_setup(players, 1, modules)
        game.rules().check_setup(setup)
        assert len(setup["players"]) == players and setup == game.new_setup(players, 1, modules)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_names_the_colours_of_proposed_seats(language: str) -> None:
    assert {f"player.{colour}" for colour in COLOURS} <= common_texts(language).keys()
