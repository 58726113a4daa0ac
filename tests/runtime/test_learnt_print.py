"""What people report of the print of their copy during a game is stored for later ones, while the game goes on."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

from companion.games.burgundy.plugin import burgundy
from companion.journal import Journal
from companion.runtime.learnt_print import LearntPrint
from companion.session import TableSession
from tests.support.modules import setup_of

REPORT = "route red 2 2:take_building,4:take_any_hex,1:workers_4"
TILE = [[2, "take_building"], [4, "take_any_hex"], [1, "workers_4"]]
PATIENCE_S = 10.0


def session_in(folder: Path) -> TableSession:
    return TableSession(burgundy(), Journal(folder / "game.journal"), setup_of(modules=["trade_routes"]))


def within_patience(is_done: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE_S
    while not is_done() and time.monotonic() < end:
        time.sleep(0.02)
    return is_done()


def test_a_report_is_in_the_file_while_the_game_goes_on(tmp_path: Path) -> None:
    path, session = tmp_path / "print.json", session_in(tmp_path)
    with LearntPrint(session, path, print):
        session.tap(REPORT)
        assert within_patience(path.exists)
    assert json.loads(path.read_text()) == {"trade_routes": {"a": TILE}}


def test_the_last_report_is_stored_when_the_game_is_left(tmp_path: Path) -> None:
    path, session = tmp_path / "print.json", session_in(tmp_path)
    learnt = LearntPrint(session, path, print)
    session.tap(REPORT)
    learnt.close()
    assert json.loads(path.read_text()) == {"trade_routes": {"a": TILE}}


def test_a_game_that_is_continued_is_learnt_from(tmp_path: Path) -> None:
    path, session = tmp_path / "print.json", session_in(tmp_path)
    session.tap(REPORT)
    session.journal.close()
    with LearntPrint(TableSession(burgundy(), Journal(tmp_path / "game.journal")), path, print):
        pass
    assert json.loads(path.read_text()) == {"trade_routes": {"a": TILE}}


def test_a_damaged_file_is_named_once_and_the_game_goes_on(tmp_path: Path) -> None:
    path, session, remarks = tmp_path / "print.json", session_in(tmp_path), list[str]()
    path.write_text("notes")
    with LearntPrint(session, path, remarks.append):
        session.tap(REPORT)
    assert len(remarks) == 1 and str(path) in remarks[0]
    assert path.read_text() == "notes" and len(session.entries()) == 1


def test_a_place_where_nothing_can_be_stored_is_named_without_its_number(tmp_path: Path) -> None:
    session, remarks = session_in(tmp_path), list[str]()
    (tmp_path / "notes").touch()
    with LearntPrint(session, tmp_path / "notes/print.json", remarks.append):
        session.tap(REPORT)
    assert len(remarks) == 1 and str(tmp_path / "notes") in remarks[0] and "Errno" not in remarks[0]


def test_the_journal_alone_replays_what_was_reported(tmp_path: Path) -> None:
    session = session_in(tmp_path)
    session.tap(REPORT)
    session.journal.close()
    again = TableSession(burgundy(), Journal(tmp_path / "game.journal"))
    assert again.state.state_hash() == session.state.state_hash()
