"""The game of pips, which has dice and no camera, and no words of its own for them, on the page."""

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

SETUP = {"game": "pips", "players": [{"colour": "red"}, {"colour": "blue"}]}


class Table:
    """Represents a table at which pips are played, with its page."""

    def __init__(self, folder: Path) -> None:
        self.session = TableSession(rules_of(SETUP), Journal(folder / "evening.journal"), SETUP)
        self.session.watch_nothing()  # there is no camera
        app = create_app(self.session, archive=Archive(folder))
        app.testing = True  # a missing text would raise
        self._client: Any = app.test_client()

    def card(self, language: str = "en") -> str:
        """Returns what the companion says and asks now."""
        (card,) = re.findall('<section id="card".*?</section>', self.page("/", language), re.S)
        return str(card)

    def page(self, path: str, language: str = "en") -> str:
        return str(self._client.get(f"{path}?lang={language}").get_data(as_text=True))

    def roll(self, value: int) -> None:
        self.session.answer("die:white:0", str(value))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with more_games():
        found = Table(tmp_path)
        yield found
        found.session.journal.close()


@pytest.mark.parametrize(
    ("language", "question"), [("en", "What does the white die show?"), ("fr", "Que montre le dé blanc")]
)
def test_the_question_names_the_die(table: Table, language: str, question: str) -> None:
    assert question in table.card(language)


def test_it_says_who_rolls(table: Table) -> None:
    assert "Red rolls the white die." in table.card()
    table.roll(4)
    table.session.tap("keep 4")
    assert "Blue rolls the white die." in table.card()


@pytest.mark.parametrize(("language", "name"), [("en", "White die"), ("fr", "Dé blanc")])
def test_the_result_names_the_die(table: Table, language: str, name: str) -> None:
    for _ in range(4):
        table.roll(5)
        table.session.tap("leave 5")
    assert f"<span>{name}</span>" in table.page("/games/now", language)


def test_a_decision_is_entered_as_it_is_made_without_a_warning(table: Table) -> None:
    table.roll(4)
    card = table.card()
    assert "Enter each move here as it is played." in card and 'class="notice"' not in card
    table.session.tap("keep 4")
    assert len(table.session.entries()) == 2


def test_nothing_is_to_be_confirmed_that_was_entered(table: Table) -> None:
    table.roll(4)
    assert 'data-do="confirm"' not in table.card() and 'data-open="/moves" class="primary"' in table.card()
