"""A game that nothing but its folder knows: no dice, no camera, hidden goals, bids that are made at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.archive.transfer import exported_lines, import_lines
from companion.games.registry import plugins, rules_of
from companion.journal import Journal, read_records, replay
from companion.session import CommandRejectedError, TableSession
from tests.support.other_games import more_games
from tests.support.pages import create_app

SETUP = {"game": "matches", "players": [{"colour": "red"}, {"colour": "blue"}]}
SECRETS = {"red": ["deal red even", "bid red 3"], "blue": ["deal blue even", "bid blue 1"]}
TAKEN = ["take 0 3", "take 1 3", "take 1 2", "take 2 3", "take 2 3", "take 2 1"]


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    with more_games():
        yield


@pytest.fixture
def session(tmp_path: Path) -> Iterator[TableSession]:
    journal = Journal(tmp_path / "evening.journal")
    session = TableSession(rules_of(SETUP), journal, SETUP)
    yield session
    journal.close()


def test_it_is_installed_beside_the_others() -> None:
    assert {"burgundy", "matches", "pebbles"} <= {*plugins()}


def enter_secrets(session: TableSession) -> None:
    """Enters everybody's goal and bid, each on their own page."""
    for kind in range(2):
        for player, texts in SECRETS.items():
            session.tap(texts[kind], player)


def test_it_is_played_to_the_end_by_taps(session: TableSession) -> None:
    enter_secrets(session)
    for text in TAKEN:
        session.tap(text)
    assert session.status == "over"
    assert session.rules.score_sheet(session.state) == {
        "red": {"matches": 8, "goal": 5},
        "blue": {"matches": 7, "goal": 0},
    }


def test_bids_are_made_in_any_order_before_anybody_is_to_move(session: TableSession) -> None:
    session.tap("deal red even", "red")
    session.tap("deal blue even", "blue")
    assert session.snapshot()["stage"]["actors"] == ["red", "blue"]
    session.tap("bid blue 1", "blue")
    assert session.rules.to_move(session.state) is None
    session.tap("bid red 3", "red")
    assert session.snapshot()["stage"]["actors"] == ["red"]


def test_the_shared_screen_says_who_has_still_to_enter_a_secret(session: TableSession) -> None:
    session.tap("deal red even", "red")
    assert session.snapshot()["notice"] == {"code": "secrets_awaited", "players": ["blue"]}
    session.tap("deal blue even", "blue")
    session.tap("bid blue 1", "blue")
    assert session.snapshot()["notice"] == {"code": "secrets_awaited", "players": ["red"]}


def test_a_secret_is_entered_by_its_owner_alone(session: TableSession) -> None:
    for viewer in (None, "blue"):
        with pytest.raises(CommandRejectedError, match="not_entered_here"):
            session.tap("deal red odd", viewer)
    assert [move["text"] for move in session.secret_reports("red")] == ["deal red odd", "deal red even"]
    assert session.legal_moves() == []


def test_on_their_own_page_only_those_who_are_to_act_enter_moves(session: TableSession) -> None:
    enter_secrets(session)
    assert session.legal_moves("blue") == []
    assert len(session.legal_moves("red")) == len(session.legal_moves()) == 9
    with pytest.raises(CommandRejectedError, match="wait_for_turn"):
        session.tap("take 0 1", "blue")
    session.tap("take 0 1", "red")


def test_a_secret_is_not_entered_again_by_whoever_likes(session: TableSession) -> None:
    enter_secrets(session)
    session.tap(TAKEN[0])
    client = create_app(session).test_client()
    for entry in session.entries():
        is_secret = entry.player is None
        sheet = client.get(f"/turn/{entry.seq}").get_data(as_text=True)
        assert ("enter_again" in sheet) == (not is_secret)
        if is_secret:
            with pytest.raises(CommandRejectedError, match="secret_not_entered_again"):
                session.reenter(entry.seq)


def test_an_illegal_move_is_refused_and_changes_nothing(session: TableSession) -> None:
    enter_secrets(session)
    before = session.state.state_hash()
    with pytest.raises(CommandRejectedError, match="too_many_at_once"):
        session.tap("take 2 4")
    assert session.state.state_hash() == before


def test_undo_takes_back_one_action_and_redo_restores_it(session: TableSession) -> None:
    enter_secrets(session)
    session.tap(TAKEN[0])
    after = session.state.state_hash()
    session.undo()
    assert session.state.heaps[0] == 3
    session.redo()
    assert session.state.state_hash() == after


def test_the_shared_screen_shows_no_secret(session: TableSession) -> None:
    for kind in range(2):
        for player, texts in SECRETS.items():
            session.tap(texts[kind], player)
            shown = json.dumps(session.snapshot())
            assert not any(secret in shown for secret in ('"odd"', '"even"', texts[kind]))


def test_each_player_sees_their_own_secrets_alone(session: TableSession) -> None:
    enter_secrets(session)
    goals = {
        viewer: [player["goal"] for player in session.snapshot(viewer)["view"]["players"]]
        for viewer in ("red", "blue")
    }
    assert goals == {"red": ["even", None], "blue": [None, "even"]}


def test_the_page_exports_no_secret_before_the_game_is_over(session: TableSession, tmp_path: Path) -> None:
    client = create_app(session, archive=Archive(tmp_path)).test_client()
    enter_secrets(session)
    assert client.get("/games.jsonl").get_data(as_text=True) == ""
    for text in TAKEN:
        session.tap(text)
    assert "deal red even" in client.get("/games.jsonl").get_data(as_text=True)


def test_a_table_that_keeps_its_goals_to_itself_is_not_asked_for_them(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "evening.journal")) as journal:
        session = TableSession(rules_of(SETUP), journal, {**SETUP, "told": []})
        assert session.snapshot()["unreported"] == ["goals"]
        session.tap("bid blue 1", "blue")
        session.tap("bid red 3", "red")
        for text in TAKEN:
            session.tap(text)
        assert session.status == "over"
        assert session.snapshot()["scores"] == {"red": 8, "blue": 7}


def test_its_journal_replays_is_archived_and_exchanged(session: TableSession, tmp_path: Path) -> None:
    enter_secrets(session)
    for text in TAKEN:
        session.tap(text)
    session.journal.close()
    *_, (_, state) = replay(session.rules, read_records(tmp_path / "evening.journal"))
    assert state.state_hash() == session.state.state_hash()
    (tmp_path / "elsewhere").mkdir()
    archive, other = Archive(tmp_path), Archive(tmp_path / "elsewhere")
    (one,) = archive.games()
    assert one.record is not None and one.record.game == "matches" and one.record.over
    lines = [line.encode() for line in exported_lines(archive)]
    results = list(import_lines(other, lines))
    assert [result.outcome for result in results] == ["added"], results
    (again,) = other.games()
    assert again.record is not None and again.record.ranking == one.record.ranking
