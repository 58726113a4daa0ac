"""The game of wells, in which players do something out of turn: recorded at once, while the turn goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.archive import record_of
from companion.archive.validation import validate
from companion.games.registry import rules_of
from companion.journal import Journal, JournalError
from companion.session import CommandRejectedError, TableSession
from companion.session.status import DRAFTING
from companion.text.narrator import Narrator
from companion.text.translator import Translator
from companion.text.turn_log import TurnLog
from tests.support.other_games import more_games
from tests.support.pages import create_app
from web.context import EXTENSION

SETUP = {"game": "wells", "players": [{"colour": "red"}, {"colour": "blue"}]}


@pytest.fixture
def session(tmp_path: Path) -> Iterator[TableSession]:
    """Red's first turn; everybody has a bucket."""
    with more_games():
        found = TableSession(rules_of(SETUP), Journal(tmp_path / "evening.journal"), SETUP)
        found.watch_nothing()
        yield found
        found.journal.close()


def entered(session: TableSession, *moves: str) -> None:
    for text in moves:
        session.tap(text)


def recorded(session: TableSession) -> list[tuple[str, str | None, list[str]]]:
    return [(entry.by, entry.player, list(map(str, entry.moves))) for entry in session.entries()]


def page(session: TableSession, path: str = "/", language: str = "en") -> str:
    app = create_app(session)
    app.testing = True  # a missing text would raise
    return str(app.test_client().get(f"{path}?lang={language}").get_data(as_text=True))


def board(html: str, colour: str) -> str:
    """Returns a player's board on the page."""
    return html.partition(f'id="player-{colour}"')[2].partition("</article>")[0]


# --- what is recorded ---


def test_it_is_recorded_at_once_as_an_entry_of_whoever_did_it(session: TableSession) -> None:
    entered(session, "drink blue")
    assert recorded(session) == [("out_of_turn", "blue", ["drink blue"])]
    assert session.snapshot()["scores"] == {"red": 0, "blue": 1}


def test_the_turn_that_is_being_entered_goes_on(session: TableSession) -> None:
    entered(session, "draw", "drink blue")
    assert session.status == DRAFTING
    assert [move["text"] for move in session.snapshot()["draft"]] == ["draw"]
    entered(session, "rest")
    assert recorded(session) == [
        ("out_of_turn", "blue", ["drink blue"]),
        ("tap", "red", ["draw", "rest"]),
    ]


def test_in_ones_own_turn_it_is_a_move_of_the_turn(session: TableSession) -> None:
    entered(session, "drink red", "rest")
    assert recorded(session) == [("tap", "red", ["drink red", "rest"])]


def test_what_is_not_possible_is_rejected(session: TableSession) -> None:
    entered(session, "drink blue")
    with pytest.raises(CommandRejectedError) as rejected:
        session.tap("drink blue")  # the bucket is empty
    assert rejected.value.code == "not_now" and len(session.entries()) == 1


def test_it_is_undone_and_redone_alone(session: TableSession) -> None:
    entered(session, "rest", "drink red")
    session.undo()
    assert recorded(session) == [("tap", "red", ["rest"])]
    session.redo()
    assert recorded(session)[1:] == [("out_of_turn", "red", ["drink red"])]


def test_an_earlier_turn_is_amended_with_what_others_did_since(session: TableSession) -> None:
    entered(session, "rest", "drink red")
    session.amend(session.entries()[0].seq, "draw; rest")
    assert recorded(session) == [("tap", "red", ["draw", "rest"]), ("out_of_turn", "red", ["drink red"])]


def test_it_is_no_turn_that_could_be_entered_again(session: TableSession) -> None:
    entered(session, "drink blue")
    with pytest.raises(CommandRejectedError) as rejected:
        session.reenter(session.entries()[0].seq)
    assert rejected.value.code == "out_of_turn_not_entered_again"


def test_while_an_earlier_turn_is_entered_again_nobody_does_anything_out_of_turn(
    session: TableSession,
) -> None:
    entered(session, "rest")
    session.reenter(session.entries()[0].seq)
    assert session.snapshot()["out_of_turn"] == []


def test_a_game_that_is_opened_again_says_the_same(session: TableSession, tmp_path: Path) -> None:
    entered(session, "drink blue", "rest")
    validate(session.journal.records())
    again = TableSession(session.rules, copied(session.journal, tmp_path))
    assert recorded(again) == recorded(session) and again.snapshot()["scores"] == {"red": 0, "blue": 1}


def test_a_journal_that_says_that_another_did_it_is_not_read(session: TableSession, tmp_path: Path) -> None:
    entered(session, "drink blue")
    with pytest.raises(JournalError, match="not what red did"):
        TableSession(session.rules, copied(session.journal, tmp_path, player="red"))


def copied(journal: Journal, folder: Path, **changed: str) -> Journal:
    """Returns a copy of a journal with other values in its entries."""
    copy = Journal(folder / "copy.journal")
    for record in journal.records():
        copy.append(record.kind, {**record.body, **(changed if record.kind == "moves" else {})})
    return copy


def test_it_counts_for_whoever_did_it_and_is_no_turn(session: TableSession) -> None:
    entered(session, "drink blue", "drink red", "rest")
    record = record_of(session.rules, session.journal.records())
    assert record.tallies == {"red": {"drunk": 1}, "blue": {"drunk": 1}} and record.turns == 1


def test_a_preview_says_what_a_move_brings_and_what_can_follow_and_changes_nothing(
    session: TableSession,
) -> None:
    seen = session.preview("draw")
    assert [event["kind"] for event in seen["events"]] == ["draw"]
    assert [move["text"] for move in seen["moves"]] == ["rest", "drink red"]
    assert session.entries() == [] and session.snapshot()["draft"] == []


# --- what is shown ---


def test_it_stands_on_the_board_of_whoever_may_do_it(session: TableSession) -> None:
    html = page(session)
    assert 'data-text="drink blue"' in board(html, "blue") and "out-of-turn" not in board(html, "red")
    entered(session, "drink blue")
    assert "out-of-turn" not in page(session)


@pytest.mark.parametrize(
    ("language", "heading"), [("en", "Blue, out of turn"), ("fr", "Bleu, hors de son tour")]
)
def test_its_sheet_and_the_replay_say_who_did_it(session: TableSession, language: str, heading: str) -> None:
    entered(session, "drink blue")
    sheet = page(session, f"/turn/{session.entries()[0].seq}", language)
    assert heading in sheet and "enter_again" not in sheet
    assert heading in page(session, "/games/now/replay/1", language)


@pytest.mark.parametrize(
    ("language", "button"),
    [("en", "Blue: drinking a bucket"), ("fr", "Bleu\N{NO-BREAK SPACE}: boire un seau")],
)
def test_undo_names_it(session: TableSession, language: str, button: str) -> None:
    entered(session, "drink blue")
    assert button in page(session, language=language)


def test_the_voice_says_it_and_that_it_was_taken_back(session: TableSession) -> None:
    t, narrator = Translator("en", "wells"), Narrator(session, TurnLog(session))
    narrator.latest()
    entered(session, "drink blue")
    assert "Blue drinks a bucket" in narrator.latest().text(t)
    session.undo()
    assert "Taken back: drinking a bucket" in narrator.latest().text(t)


# --- a page of one's own ---


def test_a_players_own_page_offers_what_only_they_may_do(session: TableSession) -> None:
    assert [move["text"] for move in session.snapshot("blue")["out_of_turn"]] == ["drink blue"]
    assert session.snapshot("red")["out_of_turn"] == []
    session.tap("drink blue", viewer="blue")
    assert recorded(session) == [("out_of_turn", "blue", ["drink blue"])]


def test_nobody_does_it_for_another_on_their_own_page(session: TableSession) -> None:
    with pytest.raises(CommandRejectedError) as rejected:
        session.tap("drink blue", viewer="red")
    assert rejected.value.code == "done_by_another" and session.entries() == []


def test_a_phone_that_has_joined_shows_the_button(session: TableSession) -> None:
    app: Any = create_app(session)
    app.testing = True
    client = app.test_client()
    code = app.extensions[EXTENSION].own_phones.code("blue")
    assert client.post("/me/blue/join", json={"code": code}).status_code == 200
    assert 'data-text="drink blue"' in client.get("/me/blue").get_data(as_text=True)
