"""The journal: append-only, durable, and replayed to the same state."""

from __future__ import annotations

import sqlite3
import subprocess
import sys

import pytest

from companion.journal import Journal, JournalError, replay, standing_units
from companion.shelf import burgundy

SETUP = {"edition": "special", "players": [{"colour": c, "duchy": "se-1"} for c in ("red", "blue")]}


def unit(state, *moves):
    rules = burgundy()
    for text in moves:
        rules.play(state, rules.parse_move(text))
    return {"by": "tap", "player": None, "moves": list(moves), "hash": state.state_hash()}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "game.journal"


def test_records_are_read_back_in_order_after_reopening(path):
    journal = Journal(path)
    journal.append("setup", SETUP)
    journal.append("moves", {"moves": ["castle red 6"]})
    journal.close()
    assert [(r.seq, r.kind) for r in Journal(path).records()] == [(1, "setup"), (2, "moves")]


@pytest.mark.parametrize("statement", ["DELETE FROM record", "UPDATE record SET kind = 'undo'"])
def test_the_file_itself_refuses_to_change_a_record(path, statement):
    journal = Journal(path)
    journal.append("setup", SETUP)
    journal.close()
    with pytest.raises(sqlite3.DatabaseError, match="append-only"):
        sqlite3.connect(path).execute(statement)


def test_records_are_written_through_to_the_disk(path):
    journal = Journal(path)
    assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


def test_a_second_companion_is_refused_while_one_writes(path):
    journal = Journal(path)
    journal.append("setup", SETUP)
    with pytest.raises(JournalError, match="another companion"):
        Journal(path)


def test_a_file_that_is_no_journal_is_refused_with_the_cure(path):
    path.write_text("not a database, " * 100)
    with pytest.raises(JournalError, match=r"not a journal.*name another file"):
        Journal(path)


def test_a_journal_of_a_later_version_is_refused(path):
    Journal(path).close()
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(JournalError, match="version 99"):
        Journal(path)


def test_an_undone_unit_stands_no_longer(path):
    rules, journal = burgundy(), Journal(path)
    state = rules.new(SETUP)
    journal.append("setup", SETUP)
    first = journal.append("moves", unit(state, "castle red 6"))
    second = journal.append("moves", unit(state, "castle blue 6"))
    journal.append("undo", {"units": [second.seq]})
    assert [u.seq for u in standing_units(rules, journal.records())] == [first.seq]


def test_replay_gives_the_recorded_state(path):
    rules, journal = burgundy(), Journal(path)
    state = rules.new(SETUP)
    journal.append("setup", SETUP)
    journal.append("moves", unit(state, "castle red 6", "start-goods red 1,2,3"))
    *_, (_, replayed) = replay(rules, journal.records())
    assert replayed.to_json() == state.to_json()


def test_replay_stops_at_a_move_that_is_not_legal(path):
    rules, journal = burgundy(), Journal(path)
    journal.append("setup", SETUP)
    journal.append("moves", {"by": "tap", "moves": ["castle red 0"], "hash": "-"})
    with pytest.raises(JournalError, match="record 2 does not replay"):
        list(replay(rules, journal.records()))


def test_replay_stops_where_the_state_is_not_the_recorded_one(path):
    rules, journal = burgundy(), Journal(path)
    state = rules.new(SETUP)
    journal.append("setup", SETUP)
    journal.append("moves", unit(state, "castle red 6") | {"hash": "0" * 64})
    with pytest.raises(JournalError, match="another state"):
        list(replay(rules, journal.records()))


def test_what_was_appended_is_there_after_the_process_is_killed(path):
    script = (
        "import os, sys\n"
        "from companion.journal import Journal\n"
        "journal = Journal(sys.argv[1])\n"
        "journal.append('setup', {'n': 1})\n"
        "journal.append('moves', {'n': 2})\n"
        "os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    assert [r.body["n"] for r in Journal(path).records()] == [1, 2]
