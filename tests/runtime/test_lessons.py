"""Lessons between other games: they are stored apart, and lead back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from companion.archive import Archive
from companion.games.burgundy.plugin import PLUGIN
from companion.games.lesson import LESSON
from companion.runtime.game_sequence import GameRequest, GameSequence
from companion.session import TableSession
from companion.session.next_game import NextGame
from companion.text.translator import Translator
from tests.support.setup_forms import ANNA, YVES, choice_of


class Games:
    """Games played one after the other; each entry of *wishes* is what people ask for in the next one."""

    def __init__(self, folder: Path, wishes: list[NextGame | None]) -> None:
        self.games = Archive(folder)
        self.played: list[tuple[bool, Path]] = []
        """Whether each was a lesson, and its journal."""
        self.asked: list[Path | None] = []
        """The games to which each setup form could lead back."""
        self._wishes = wishes
        self.runner, self.pages = mock.MagicMock(), mock.MagicMock()
        self.runner.data_paths.backups = ()
        self.runner.play.side_effect = self._play
        self.pages.with_print.side_effect = lambda setup, check: setup
        self.pages.seats.side_effect = self._seats
        self.sequence = GameSequence(
            self.runner, self.games, self.pages, Translator("en"), "2026-01-01", None, "special", {}
        )

    def _play(self, session: TableSession, *ignored: Any) -> NextGame | None:
        self.played.append((bool(session.setup.get(LESSON)), Path(session.journal.path)))
        return self._wishes.pop(0)

    def _seats(self, *ignored: Any, previous: Path | None = None, **options: Any) -> Mapping[str, Any] | None:
        self.asked.append(previous)
        return None

    def begin(self, setup: Mapping[str, Any]) -> None:
        self.sequence.play(GameRequest(None, setup=setup))


@pytest.fixture
def play_games(tmp_path: Path) -> Callable[..., Games]:
    return lambda *wishes: Games(tmp_path, list(wishes))


def usual_setup() -> dict[str, Any]:
    return {**PLUGIN.setup.setup(choice_of(ANNA, YVES)), "game": PLUGIN.id}


def test_a_lesson_is_not_among_the_games(play_games: Callable[..., Games], tmp_path: Path) -> None:
    assert PLUGIN.lesson is not None
    played = play_games(None)
    played.begin(PLUGIN.lesson.setup)
    assert played.played[0][0] and played.games.names() == []


def test_from_a_lesson_people_can_go_back_to_the_game_before(play_games: Callable[..., Games]) -> None:
    played = play_games(NextGame(learns=True), NextGame(), None)
    played.begin(usual_setup())
    (_, game), (is_lesson, lesson), (_, last) = played.played
    assert is_lesson and lesson != game and played.asked == [game] and last == game


def test_a_lesson_is_deleted_when_it_is_left(play_games: Callable[..., Games]) -> None:
    assert PLUGIN.lesson is not None
    played = play_games(None)
    played.begin(PLUGIN.lesson.setup)
    assert not played.played[0][1].exists()
