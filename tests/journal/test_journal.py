"""The journal: append-only, durable, and replayed to the same state."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.games.burgundy.plugin import burgundy
from companion.journal import (
    FIELDS,
    DamagedError,
    Journal,
    JournalError,
    check_can_begin,
    database,
    file,
    read_records,
    replay,
)
from companion.journal.autosave import AutoSave
from companion.journal.backup import Backup
from companion.journal.database import VERSION, write_lines
from companion.journal.disk_errors import UnusableError
from companion.journal.reading import verify
from companion.journal.record import Line
from companion.service.sqlite_files import SIDECAR_SUFFIXES
from tests.support.paths import DOCS, GOLDEN
from tests.support.present import present

SETUP = {"edition": "special", "players": [{"colour": c, "duchy": "se-1"} for c in ("red", "blue")]}


def entry(state: Any, *moves: str) -> dict[str, Any]:
    rules = burgundy()
    for text in moves:
        rules.play(state, rules.parse_move(text))
    return {"by": "tap", "player": None, "moves": list(moves), "hash": state.state_hash()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.journal"


def test_records_are_read_back_in_order_after_reopening(path: Path) -> None:
    journal = Journal(path)
    journal.append("setup", SETUP)
    journal.append("moves", {"moves": ["castle red 6"]})
    journal.close()
    assert [(r.seq, r.kind) for r in Journal(path).records()] == [(1, "setup"), (2, "moves")]


@pytest.mark.parametrize("statement", ["DELETE FROM record", "UPDATE record SET kind = 'undo'"])
def test_the_file_itself_refuses_to_change_a_record(path: Path, statement: str) -> None:
    journal = Journal(path)
    journal.append("setup", SETUP)
    journal.close()
    with pytest.raises(sqlite3.DatabaseError, match="append-only"):
        sqlite3.connect(path).execute(statement)


def test_records_are_written_through_to_the_disk(path: Path) -> None:
    journal = Journal(path)
    assert present(journal._db).execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


def test_a_second_companion_is_rejected_while_one_writes(path: Path) -> None:
    journal = Journal(path)
    journal.append("setup", SETUP)
    with pytest.raises(JournalError, match="another companion"):
        Journal(path, wait_s=0.1)


def test_a_second_process_is_rejected_while_one_writes(path: Path) -> None:
    """Locks belong to the process: within it, SQLite separates connections without them."""
    journal = Journal(path)
    journal.append("setup", SETUP)
    code = "import sys; from companion.journal import Journal; Journal(sys.argv[1], wait_s=0.1)"
    second = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=False)
    assert "another companion" in second.stderr
    journal.close()


def test_a_file_that_is_no_journal_is_rejected_with_the_remedy(path: Path) -> None:
    path.write_text("not a database, " * 100)
    with pytest.raises(JournalError, match=r"not a journal.*name another file"):
        Journal(path)


def test_a_journal_of_a_later_version_is_rejected(path: Path) -> None:
    Journal(path).close()
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(JournalError, match="version 99"):
        Journal(path)


def test_an_undone_entry_is_no_longer_effective(path: Path) -> None:
    rules, journal = burgundy(), Journal(path)
    state = rules.new(SETUP)
    journal.append("setup", SETUP)
    first = journal.append("moves", entry(state, "castle red 6"))
    second = journal.append("moves", entry(state, "castle blue 6"))
    journal.append("undo", {"units": [second.seq]})
    assert [effective.seq for effective, _ in replay(rules, journal.records())] == [first.seq]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"moves": []}, "no move"),
        ({"by": "adjusted"}, "by hand"),
        ({"options": ["end", "jump"]}, "'jump' is not a move"),
        ({"options": [["end"]]}, "cannot be read"),
        ({"options": 7}, "cannot be read"),
        ({"options": ["end"]}, "nobody's"),
    ],
)
def test_an_entry_that_no_companion_writes_is_named(path: Path, changed: dict[str, Any], why: str) -> None:
    rules, journal = burgundy(), Journal(path)
    journal.append("setup", SETUP)
    journal.append("moves", {**entry(rules.new(SETUP), "castle red 6"), **changed})
    with pytest.raises(JournalError, match=f"record 2 .*{why}"):
        list(replay(rules, journal.records()))


def test_replay_gives_the_recorded_state(path: Path) -> None:
    rules, journal = burgundy(), Journal(path)
    state = rules.new(SETUP)
    journal.append("setup", SETUP)
    journal.append("moves", entry(state, "castle red 6", "start-goods red 1,2,3"))
    *_, (_, replayed) = replay(rules, journal.records())
    assert replayed.to_json() == state.to_json()


def test_replay_stops_at_a_move_that_is_not_legal(path: Path) -> None:
    rules, journal = burgundy(), Journal(path)
    journal.append("setup", SETUP)
    journal.append("moves", {"by": "tap", "moves": ["castle red 0"], "hash": "-"})
    with pytest.raises(JournalError, match="record 2 does not replay"):
        list(replay(rules, journal.records()))


def test_replay_stops_where_the_state_is_not_the_recorded_one(path: Path) -> None:
    rules, journal = burgundy(), Journal(path)
    state = rules.new(SETUP)
    journal.append("setup", SETUP)
    journal.append("moves", entry(state, "castle red 6") | {"hash": "0" * 64})
    with pytest.raises(JournalError, match="another state"):
        list(replay(rules, journal.records()))


def changed_in_the_file(path: Path, statement: str) -> None:
    """Changes the file as no companion does: without the triggers, which are restored afterwards."""
    with sqlite3.connect(path) as db:
        triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            db.execute(f"DROP TRIGGER {name}")
        db.execute(statement)
        for _, sql in triggers:
            db.execute(sql)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE record SET body = replace(body, 'se-1', 'se-2') WHERE seq = 1",
        "UPDATE record SET kind = 'names' WHERE seq = 2",
        "UPDATE record SET at = '2020-01-01T00:00:00.000+00:00' WHERE seq = 2",
        "DELETE FROM record WHERE seq = 2",
        "DELETE FROM record WHERE seq = 3",
        "UPDATE record SET seq = 4 WHERE seq = 3",
        "UPDATE head SET records = 2",
        "DELETE FROM head",
    ],
)
def test_a_change_made_by_another_program_is_noticed(path: Path, statement: str) -> None:
    journal = Journal(path)
    journal.append("setup", SETUP)
    journal.append("moves", {"moves": ["castle red 6"]})
    journal.append("names", {"names": {"red": "Zoé"}})
    journal.close()
    changed_in_the_file(path, statement)
    with pytest.raises(DamagedError, match=r"damaged .*restore a backup"):
        Journal(path)
    with pytest.raises(DamagedError):
        read_records(path)


OF_VERSIONS = {
    1: (["names", "undo"], "2f1bdbfe41df4e0b59eb2ff232f727e8c8d972c3137d045d4bc5be6c83387fe7"),
    2: (["undo", "redo", "names"], "b36e023c0fc887e767c5fe357ce9127dfd0b741f184c08361cf275bc2a8cc7e0"),
}
"""Version -> the last kinds of records in its golden journal, and the hash of the state that it leads to."""


@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_a_journal_of_every_version_can_be_continued(path: Path, version: int) -> None:
    """Written by the companions of that time."""
    kinds, state_hash = OF_VERSIONS[version]
    shutil.copy(GOLDEN / f"version-{version}.journal", path)
    before = read_records(path)
    journal = Journal(path)
    assert journal.records() == before and [r.kind for r in before[-len(kinds) :]] == kinds
    *_, (_, state) = replay(burgundy(), journal.records())
    assert state.state_hash() == state_hash
    journal.append("names", {"names": {"blue": "Yves"}})
    journal.close()
    assert Journal(path).records()[:-1] == before


def test_reading_a_journal_of_version_1_does_not_change_it(path: Path) -> None:
    shutil.copy(GOLDEN / "version-1.journal", path)
    written = path.read_bytes()
    read_records(path)
    assert path.read_bytes() == written


def test_a_text_that_cannot_be_stored_harms_nothing(path: Path) -> None:
    journal = Journal(path)
    journal.append("names", {"names": {"red": "\ud800"}})
    journal.append("names", {"names": {"red": "Zoé"}})
    assert [r.body["names"]["red"] for r in journal.records()] == ["?", "Zoé"]


def test_a_journal_without_its_tables_is_no_new_game(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {VERSION}")
    db.close()
    with pytest.raises(DamagedError, match="its tables are not those of a journal"):
        Journal(path)


@pytest.mark.parametrize("open_", [Journal, read_records, verify])
def test_a_database_of_another_program_is_named_as_such(path: Path, open_: Callable[[Path], object]) -> None:
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE song (name TEXT)")
    db.close()
    with pytest.raises(DamagedError, match=r"\(its tables are not those of a journal\)"):
        open_(path)


class Disk:
    """A disk that fails: the database of *journal* cannot grow, or its folder is gone."""

    def __init__(self, journal: Journal) -> None:
        self.journal, self.path = journal, Path(journal.path)

    def fill(self) -> None:
        pages = present(self.journal._db).execute("PRAGMA page_count").fetchone()[0]
        present(self.journal._db).execute(f"PRAGMA max_page_count = {pages}")

    def unplug(self) -> None:
        self.path.parent.rename(self.path.parent.with_name("unplugged"))
        present(self.journal._db).close()
        self.journal._db = None

    def plug_in(self) -> None:
        self.path.parent.with_name("unplugged").rename(self.path.parent)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    (tmp_path / "disk").mkdir()
    journal = Journal(tmp_path / "disk" / "game.journal")
    journal.append("setup", SETUP)
    yield Disk(journal)
    journal.close()


LONG = {"names": {"red": "x" * 5000}}


def test_a_full_disk_rejects_the_record_and_names_the_remedy(disk: Disk) -> None:
    disk.fill()
    with pytest.raises(JournalError, match="disk is full; free some space"):
        disk.journal.append("names", LONG)
    assert [record.kind for record in disk.journal.records()] == ["setup"]


@pytest.mark.parametrize(
    "make", [Journal, lambda path: database.write_lines(path, [])], ids=["by a start", "by a copy"]
)
def test_a_full_disk_is_not_filled_further_by_an_incomplete_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], object]
) -> None:
    create = database.create_schema

    def full(db: sqlite3.Connection, lines: Sequence[Line]) -> None:
        db.execute("PRAGMA max_page_count = 2")
        create(db, lines)

    monkeypatch.setattr(database, "create_schema", full)
    with pytest.raises(JournalError, match="disk is full; free some space"):
        make(tmp_path / "game.journal")
    assert list(tmp_path.iterdir()) == []


def test_a_check_whether_a_game_can_begin_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_can_begin(tmp_path / "game.journal", SETUP)
    assert list(tmp_path.iterdir()) == []
    insert = database.insert_lines

    def full(db: sqlite3.Connection, lines: Sequence[Line]) -> None:
        if lines:
            db.execute("PRAGMA max_page_count = 1")
        insert(db, lines)

    monkeypatch.setattr(file, "insert_lines", full)
    with pytest.raises(JournalError, match="disk is full; free some space"):
        check_can_begin(tmp_path / "game.journal", {**SETUP, "names": {"red": "x" * 20_000}})
    assert list(tmp_path.iterdir()) == []


def test_a_record_is_written_after_space_was_freed(disk: Disk) -> None:
    disk.fill()
    with pytest.raises(JournalError):
        disk.journal.append("names", LONG)
    disk.journal.append("names", LONG)
    assert [record.kind for record in disk.journal.records()] == ["setup", "names"]


def test_play_may_continue_in_memory_until_the_disk_is_writable_again(disk: Disk) -> None:
    disk.unplug()
    disk.journal.allow_unsaved = True
    disk.journal.append("names", {"names": {"red": "Zoé"}})
    disk.journal.append("names", {"names": {"red": "Ida"}})
    assert disk.journal.unsaved == 2
    disk.plug_in()
    disk.journal.append("names", {"names": {"red": "Ada"}})
    assert disk.journal.unsaved == 0
    disk.journal.close()
    assert [r.body["names"]["red"] for r in read_records(disk.path) if r.kind == "names"] == [
        "Zoé",
        "Ida",
        "Ada",
    ]


def test_a_check_that_finds_nothing_to_write_leaves_the_choice_to_continue(disk: Disk) -> None:
    """The file is checked every few seconds; whoever confirms again later must not be asked the same once more."""
    disk.journal.allow_unsaved = True
    disk.journal.save()
    disk.fill()
    disk.journal.append("names", LONG)
    assert disk.journal.unsaved == 1


def test_people_are_asked_again_each_time_the_disk_fails(disk: Disk) -> None:
    disk.unplug()
    disk.journal.allow_unsaved = True
    disk.journal.append("names", {"names": {"red": "Zoé"}})
    disk.plug_in()
    disk.journal.append("names", {"names": {"red": "Ida"}})
    disk.unplug()
    with pytest.raises(JournalError, match="check the folder"):
        disk.journal.append("names", {"names": {"red": "Ada"}})


def test_nothing_is_written_into_another_game_in_its_place(disk: Disk) -> None:
    disk.unplug()
    disk.path.parent.mkdir()
    other = Journal(disk.path)
    other.append("names", {"names": {"red": "Ida"}})
    other.close()
    with pytest.raises(JournalError, match="another one than this game's"):
        disk.journal.append("names", {"names": {"red": "Zoé"}})
    assert len(read_records(disk.path)) == 1


def test_appended_records_survive_the_death_of_the_process(path: Path) -> None:
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


# --- what is said about the format ------------------------------------------------------------------------

DOCUMENT = (DOCS / "journal.md").read_text(encoding="utf-8")


def test_every_kind_of_record_is_documented_with_its_keys() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (`.+?`) \| ", DOCUMENT.split("## Kinds of records")[1], re.M))
    assert {kind: set(re.findall(r"`(\w+)`", cell)) for kind, cell in rows.items()} == FIELDS


def test_the_documented_version_is_this_one() -> None:
    assert f"the version of the format, **{VERSION}**" in DOCUMENT
    assert re.findall(r"^\| ([0-9]+) \|", DOCUMENT, re.M) == [str(n) for n in range(1, VERSION + 1)]


def test_the_documented_chain_is_that_of_a_journal(path: Path) -> None:
    """Computed as docs/journal.md says."""
    journal = Journal(path)
    journal.append("setup", SETUP)
    journal.append("names", {"names": {"red": "Zoé"}})
    journal.close()
    before = ""
    for *fields, digest in sqlite3.connect(path).execute("SELECT seq, at, kind, body, digest FROM record"):
        before = hashlib.sha256(json.dumps([before, *fields]).encode()).hexdigest()
        assert digest == before


# --- the file, while it is played -------------------------------------------------------------------------


@pytest.fixture
def playing(path: Path) -> Iterator[Journal]:
    journal = Journal(path)
    journal.append("setup", SETUP)
    yield journal
    journal.close()


NAMES = {"names": {"red": "Zoé"}}


def removed(path: Path) -> None:
    path.unlink()


def replaced(path: Path) -> None:
    path.with_name("other").write_bytes(b"something else")
    path.with_name("other").replace(path)


def replaced_by_a_game(path: Path) -> None:
    other = Journal(path.with_name("other.journal"))
    other.append("names", {"names": {"red": "Ida"}})
    other.close()
    path.with_name("other.journal").replace(path)


def cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(4096)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def turned_into_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


LOSSES = [removed, replaced, replaced_by_a_game, cut, emptied, turned_into_a_folder]


@pytest.mark.parametrize("happens", LOSSES)
def test_a_changed_file_is_written_again_before_anything_is_confirmed(
    path: Path, playing: Journal, happens: Callable[[Path], None]
) -> None:
    happens(path)
    playing.append("names", NAMES)
    playing.close()
    assert [(record.kind, record.body) for record in read_records(path)] == [
        ("setup", SETUP),
        ("names", NAMES),
    ]
    assert (present(playing.restored).saved_as is None) == (happens is removed) and present(
        playing.restored
    ).records == 2


@pytest.mark.parametrize("happens", LOSSES)
def test_a_changed_file_is_written_again_while_nobody_plays(
    path: Path, playing: Journal, happens: Callable[[Path], None]
) -> None:
    happens(path)
    playing.save()
    playing.close()
    assert [record.kind for record in read_records(path)] == ["setup"] and playing.restored is not None


def test_the_file_in_its_place_is_saved_under_another_name(path: Path, playing: Journal) -> None:
    replaced(path)
    playing.append("names", NAMES)
    assert path.with_name(present(present(playing.restored).saved_as)).read_bytes() == b"something else"


def test_a_file_that_was_moved_away_and_back_is_continued(path: Path, playing: Journal) -> None:
    path.rename(path.with_name("away"))
    path.with_name("away").rename(path)
    playing.append("names", NAMES)
    assert playing.restored is None and playing.unsaved == 0


def test_a_copy_in_its_place_is_continued(path: Path, playing: Journal) -> None:
    """As when a backup is restored, or a stick is plugged in again and gets another device number."""
    shutil.copy(path, path.with_name("copy"))
    path.with_name("copy").replace(path)
    playing.append("names", NAMES)
    playing.close()
    assert playing.restored is None and len(read_records(path)) == 2


def test_nothing_is_confirmed_if_the_file_cannot_be_written_again(
    path: Path, playing: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.unlink()
    monkeypatch.setattr(database, "_fill", lambda made, lines: made.joinpath("x").touch())
    with pytest.raises(JournalError):
        playing.append("names", NAMES)
    assert playing.unsaved == 1  # what was confirmed before is in memory alone now
    monkeypatch.undo()
    playing.append("names", NAMES)
    assert playing.unsaved == 0


def test_pending_records_are_saved_without_a_confirmation(disk: Disk) -> None:
    disk.unplug()
    disk.journal.allow_unsaved = True
    disk.journal.append("names", NAMES)
    disk.plug_in()
    messages: list[str] = []
    with AutoSave(disk.journal, messages.append, every_s=0.01):
        until = time.monotonic() + 20
        while disk.journal.unsaved and time.monotonic() < until:
            time.sleep(0.01)
    assert disk.journal.unsaved == 0 and messages == ["journal: saved, with 1 record that was held in memory"]
    assert not disk.journal.allow_unsaved


def test_pending_records_are_saved_at_the_end(disk: Disk) -> None:
    disk.unplug()
    disk.journal.allow_unsaved = True
    disk.journal.append("names", NAMES)
    disk.plug_in()
    disk.journal.close()
    assert disk.journal.unsaved == 0 and [r.kind for r in read_records(disk.path)] == ["setup", "names"]


def test_records_that_cannot_be_saved_at_the_end_are_counted(disk: Disk) -> None:
    disk.unplug()
    disk.journal.allow_unsaved = True
    disk.journal.append("names", NAMES)
    disk.journal.close()
    disk.journal.close()
    assert (disk.journal.unsaved, disk.journal.at_risk) == (1, 1)
    disk.plug_in()


def test_all_records_are_at_risk_if_the_folder_is_gone(disk: Disk) -> None:
    disk.unplug()
    disk.journal.close()
    assert (disk.journal.unsaved, disk.journal.at_risk) == (1, 1)
    disk.plug_in()


def test_no_record_is_at_risk_once_the_folder_is_back(disk: Disk) -> None:
    disk.unplug()
    with pytest.raises(JournalError):
        disk.journal.save()
    disk.plug_in()
    disk.journal.save()
    assert (disk.journal.unsaved, disk.journal.at_risk) == (0, 0)


def test_records_in_a_copy_are_not_at_risk(disk: Disk, tmp_path: Path) -> None:
    disk.unplug()
    disk.journal.allow_unsaved = True
    disk.journal.append("names", NAMES)
    Backup(disk.journal, tmp_path).close()
    assert (disk.journal.unsaved, disk.journal.at_risk) == (1, 0)
    disk.plug_in()


@pytest.mark.parametrize(
    ("number", "cure"),
    [
        (errno.EROFS, "make it writable"),
        (errno.EACCES, "make it writable"),
        (errno.ENOSPC, "free some space"),
        (errno.ENOENT, "check the folder"),
        (errno.EIO, "check its plug"),
    ],
)
def test_a_file_that_the_system_refuses_is_told_with_its_own_cure(
    path: Path, number: int, cure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr("companion.journal.database._fill", refuse)
    with pytest.raises(UnusableError, match=cure) as refused:
        write_lines(path, [])
    assert "Errno" not in str(refused.value)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to(__file__)])
@pytest.mark.parametrize("ending", SIDECAR_SUFFIXES)
@pytest.mark.parametrize("use", [Journal, read_records, verify])
def test_what_is_no_file_in_place_of_one_of_sqlite_is_named(
    make: Callable[[Path], None], ending: str, use: Callable[[Path], object], tmp_path: Path
) -> None:
    """SQLite would wait at a pipe for ever, call a folder a disk that fails, and refuse a link without a reason."""
    Journal(tmp_path / "game.journal").close()
    make(tmp_path / f"game.journal{ending}")
    with pytest.raises(UnusableError, match=rf"game\.journal{ending} is no file\): move that away"):
        use(tmp_path / "game.journal")


def test_what_is_in_the_way_is_looked_for_beside_the_file_of_a_link(tmp_path: Path) -> None:
    Journal(tmp_path / "game.journal").close()
    (tmp_path / "link.journal").symlink_to("game.journal")
    os.mkfifo(tmp_path / "game.journal-journal")
    with pytest.raises(UnusableError, match=r"/game\.journal-journal is no file"):
        Journal(tmp_path / "link.journal")


def test_a_folder_in_place_of_a_backup_that_is_being_written_is_not_a_disk_that_fails(tmp_path: Path) -> None:
    (tmp_path / "game.journal.new").mkdir()
    with pytest.raises(UnusableError, match=r"Is a directory.*move that away"):
        write_lines(tmp_path / "game.journal", [])
