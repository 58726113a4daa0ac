"""A game that nothing but its folder knows: no dice, no camera, hidden goals, bids that are made at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.archive.transfer import exported_lines, import_lines
from companion.games.registry import plugins, rules_of
from companion.journal import Journal, read_records, replay
from companion.session import CommandRejectedError, TableSession
from tests.support.other_games import more_games

SETUP = {"game": "matches", "players": [{"colour": "red"}, {"colour": "blue"}]}
MOVES = ["deal red odd", "deal blue even", "bid blue 1", "bid red 3", "take 0 3", "take 1 5", "take 2 7"]


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    with more_games():
        yield


@pytest.fixture
def session(tmp_path: Path) -> Iterator[TableSession]:
    journal = Journal(tmp_path / "evening.journal")
    session = TableSession(rules_of(SETUP), journal, SETUP)
    session.watch(dice=False, boards=False)
    yield session
    journal.close()


def test_it_is_installed_beside_the_others() -> None:
    assert list(plugins()) == ["burgundy", "matches", "pebbles"]


def test_it_is_played_to_the_end_by_taps(session: TableSession) -> None:
    for text in MOVES:
        session.tap(text)
    assert session.status == "over"
    assert session.rules.score_sheet(session.state) == {
        "red": {"matches": 10, "goal": 0},
        "blue": {"matches": 5, "goal": 0},
    }


def test_bids_are_made_in_any_order_before_anybody_is_to_move(session: TableSession) -> None:
    for text in MOVES[:2]:
        session.tap(text)
    assert session.rules.to_move(session.state) is None
    assert {move.what for move in session.rules.legal_moves(session.state)} == {"red", "blue"}
    for text in MOVES[2:4]:
        session.tap(text)
    assert session.rules.to_move(session.state) == "red"


def test_an_illegal_move_is_refused_and_changes_nothing(session: TableSession) -> None:
    before = session.state.state_hash()
    with pytest.raises(CommandRejectedError):
        session.tap("take 0 9")
    assert session.state.state_hash() == before


def test_undo_takes_back_one_action_and_redo_restores_it(session: TableSession) -> None:
    for text in MOVES[:5]:
        session.tap(text)
    after = session.state.state_hash()
    session.undo()
    assert session.state.heaps[0] == 3
    session.redo()
    assert session.state.state_hash() == after


def test_the_shared_screen_shows_no_goal(session: TableSession) -> None:
    for text in MOVES[:4]:
        session.tap(text)
    shown = repr(session.snapshot()["view"])
    assert "odd" not in shown and "even" not in shown


def test_its_journal_replays_is_archived_and_exchanged(session: TableSession, tmp_path: Path) -> None:
    for text in MOVES:
        session.tap(text)
    session.journal.close()
    *_, (_, state) = replay(session.rules, read_records(tmp_path / "evening.journal"))
    assert state.state_hash() == session.state.state_hash()
    (tmp_path / "elsewhere").mkdir()
    archive, other = Archive(tmp_path), Archive(tmp_path / "elsewhere")
    (one,) = archive.games()
    assert one.record is not None and one.record.game == "matches" and one.record.over
    lines = [line.encode() for line in exported_lines(archive)]
    assert [result.outcome for result in import_lines(other, lines)] == ["added"]
    (again,) = other.games()
    assert again.record is not None and again.record.ranking == one.record.ranking
