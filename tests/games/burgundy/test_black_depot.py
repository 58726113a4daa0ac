"""The black depot's spaces with three players of the Special Edition, which the owner of the game is asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.games.burgundy.owner_print import PrintFile, PrintFileError
from companion.games.burgundy.plugin import black_depot, burgundy, random_setup
from companion.games.burgundy.rules.owner_print import AnswerError
from companion.runtime.games.burgundy.owner_print import OWNER_PRINT
from tests.support.automa_positions import setup_with


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "print.json"


@pytest.mark.parametrize(
    ("setup", "asked"),
    [
        (random_setup(3, 1), "3"),
        (setup_with(2), "3"),
        (random_setup(2, 1), None),
        (random_setup(4, 1), None),
        (random_setup(3, 1, edition="2011"), None),
        (random_setup(3, 1) | {"black_slots": 5}, None),
    ],
    ids=["three people", "two people and the Châteauma", "two", "four", "2011", "a table file says it"],
)
def test_it_is_asked_where_sources_differ_and_nobody_has_said_it(
    setup: dict[str, Any], asked: str | None
) -> None:
    assert black_depot().asked_for(setup) == asked


def test_six_are_proposed_first() -> None:
    assert black_depot().candidates == {"3": (6, 5)}


def test_a_game_of_three_waits_for_one_answer_and_the_next_one_for_none(path: Path) -> None:
    setup = random_setup(3, 1)
    missing = [OWNER_PRINT.missing(setup, path)]
    PrintFile(path).save({"black_slots": {"3": 5}})
    assert [*missing, OWNER_PRINT.missing(random_setup(3, 2), path)] == [1, 0]
    assert len(burgundy().new(OWNER_PRINT.complete(setup, path)).black) == 5


def test_it_is_one_more_question_beside_those_about_the_chateauma(path: Path) -> None:
    setup = random_setup(2, 1) | {"chateauma": {"colour": "black", "level": "easy", "modifiers": []}}
    missing = [OWNER_PRINT.missing(setup, path)]
    PrintFile(path).save({"black_slots": {"3": 6}})
    assert missing == [OWNER_PRINT.missing(setup, path) + 1]


@pytest.mark.parametrize("players", [2, 4])
def test_an_answer_changes_no_other_game(path: Path, players: int) -> None:
    PrintFile(path).save({"black_slots": {"3": 5}})
    setup = random_setup(players, 1)
    assert PrintFile(path).complete(setup) == setup


def test_a_table_file_has_the_last_word(path: Path) -> None:
    PrintFile(path).save({"black_slots": {"3": 5}})
    setup = random_setup(3, 1) | {"black_slots": 6}
    assert PrintFile(path).complete(setup) == setup


def test_a_game_that_does_not_ask_reads_no_file(path: Path) -> None:
    path.write_text("notes")
    setup = random_setup(4, 1)
    assert OWNER_PRINT.missing(setup, path) == 0 and OWNER_PRINT.complete(setup, path) == setup


def test_a_set_up_of_an_older_journal_has_six_and_simulated_games_too() -> None:
    assert len(burgundy().new(random_setup(3, 1)).black) == 6


def test_what_is_known_is_not_answered(path: Path) -> None:
    with pytest.raises(AnswerError) as caught:
        PrintFile(path).save({"black_slots": {"4": 6}})
    assert caught.value.code == "no_black_depot" and not path.exists()


def test_a_file_with_an_impossible_depot_is_refused(path: Path) -> None:
    path.write_text(json.dumps({"black_slots": {"3": 9}}))
    with pytest.raises(PrintFileError, match="black_slots"):
        PrintFile(path)
