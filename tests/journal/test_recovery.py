"""A damaged journal is saved, repaired as far as possible, and reported."""

from __future__ import annotations

import errno
import json
import os
import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NoReturn

import pytest

from calibration.errors import Problem
from companion.journal import Journal, JournalError, Record, read_records
from companion.journal.backup import Backup
from companion.journal.disk_errors import UnusableError
from companion.journal.files import DAMAGED, quarantine_file
from companion.journal.recovery import Repaired, open_journal, quarantine
from companion.service.sqlite_files import SIDECAR_SUFFIXES
from companion.session import TableSession
from companion.storage.notices import storage_notices
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.support.present import present
from tests.support.tables import RULES, Table

PAGE = 4096


def until(condition: Callable[[], bool]) -> bool:
    """Whether *condition* holds soon."""
    end = time.monotonic() + 10
    while not (is_true := condition()) and time.monotonic() < end:
        time.sleep(0.01)
    return is_true


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The journal of a game of some turns, closed."""
    path = tmp_path_factory.mktemp("played") / "game.journal"
    Table(path).set_up().play(6).session.journal.close()
    return path


@pytest.fixture
def path(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(played, tmp_path / "game.journal"))


def overwrite(path: Path, page: int) -> bytes:
    """Overwrites a page of the file with zeros, as a worn card does; returns the content before."""
    content = path.read_bytes()
    path.write_bytes(content[: page * PAGE] + bytes(PAGE) + content[(page + 1) * PAGE :])
    return content


def opened(path: Path, backups: Sequence[Path] = ()) -> tuple[list[Record], Repaired | None]:
    journal, repaired = open_journal(path, backups)
    journal.close()
    return journal.records(), repaired


def repaired_and_opened(path: Path, backups: Sequence[Path] = ()) -> tuple[list[Record], Repaired]:
    records, repaired = opened(path, backups)
    return records, present(repaired)


def last_page(path: Path) -> int:
    return path.stat().st_size // PAGE - 1


def test_a_valid_journal_is_not_changed(path: Path) -> None:
    before = path.read_bytes()
    _, repaired = opened(path)
    assert repaired is None and path.read_bytes() == before


def test_the_intact_part_of_a_damaged_journal_is_recovered_and_the_loss_stated(path: Path) -> None:
    complete = read_records(path)
    overwrite(path, last_page(path))
    records, repaired = repaired_and_opened(path)
    assert 0 < len(records) < len(complete) and records == complete[: len(records)]
    assert (repaired.records, repaired.lost, repaired.backup) == (
        len(records),
        len(complete) - len(records),
        None,
    )


def test_a_journal_is_recovered_without_its_first_page(path: Path) -> None:
    complete = read_records(path)
    overwrite(path, 0)
    records, repaired = repaired_and_opened(path)
    assert records == complete and repaired.lost == 0


def test_the_damaged_file_is_saved_with_damaged_in_its_name(path: Path) -> None:
    overwrite(path, last_page(path))
    damaged = path.read_bytes()
    _, repaired = repaired_and_opened(path)
    assert repaired.saved_as == "game.journal.damaged"
    assert (path.parent / present(repaired.saved_as)).read_bytes() == damaged


def test_a_second_damaged_file_does_not_replace_the_first(path: Path) -> None:
    for _ in range(2):
        overwrite(path, last_page(path))
        _, repaired = repaired_and_opened(path)
    assert repaired.saved_as == "game.journal.damaged-2" and (path.parent / "game.journal.damaged").exists()


@pytest.mark.parametrize("page", [1, -1])
def test_from_a_backup_nothing_is_lost(path: Path, tmp_path: Path, page: int) -> None:
    complete = read_records(path)
    stick = tmp_path / "stick"
    stick.mkdir()
    shutil.copy(path, stick)
    overwrite(path, page % (last_page(path) + 1))
    records, repaired = repaired_and_opened(path, [stick])
    assert records == complete and repaired.backup == str(stick) and repaired.lost in (0, None)


def test_a_backup_of_another_game_is_not_used(path: Path, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    Table(stick / "game.journal", seed=9).set_up().play(12).session.journal.close()
    complete = read_records(path)
    overwrite(path, last_page(path))
    records, repaired = repaired_and_opened(path, [stick])
    assert records == complete[: len(records)] and repaired.backup is None


def test_a_file_of_another_name_is_not_repaired(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Zoé, " * 1000)
    with pytest.raises(JournalError, match="name another file"):
        open_journal(letter)
    assert letter.read_text().startswith("Dear Zoé") and list(tmp_path.iterdir()) == [letter]


def unplayable(path: Path, **entry: Any) -> Journal:
    """Appends a changed copy of the last entry, so that it does not replay."""
    journal = Journal(path)
    last = next(record for record in reversed(journal.records()) if record.kind == "moves")
    journal.append("moves", {**last.body, **entry})
    return journal


@pytest.mark.parametrize("entry", [{"moves": ["castle red 99"]}, {"moves": ["x"]}, {"hash": "0" * 64}])
def test_a_last_entry_that_does_not_replay_is_quarantined(path: Path, entry: Any) -> None:
    before = TableSession(RULES, journal := Journal(path)).state.state_hash()
    journal.close()
    journal = unplayable(path, **entry)
    quarantined = quarantine(RULES, journal)
    assert TableSession(RULES, journal).state.state_hash() == before
    quarantined_entry = json.loads((path.parent / present(quarantined).saved_as).read_text())
    assert (
        quarantined_entry["seq"] == present(quarantined).record
        and f"record {present(quarantined).record}" in quarantined_entry["reason"]
    )
    assert quarantine(RULES, journal) is None


def test_an_earlier_entry_that_does_not_replay_is_an_error(path: Path) -> None:
    journal = unplayable(path, moves=["x"])
    journal.append("moves", {"by": "tap", "moves": ["end"], "hash": "0"})
    with pytest.raises(JournalError, match="cannot be read"):
        quarantine(RULES, journal)


# --- backups ---


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    stick = tmp_path / "stick"
    stick.mkdir()
    return stick


def test_a_backup_has_the_records_of_the_journal(path: Path, stick: Path) -> None:
    journal = Journal(path)
    with Backup(journal, stick):
        journal.append("names", {"names": {"red": "Zoé"}})
    assert read_records(stick / "game.journal") == journal.records()


def test_a_backup_is_made_while_people_play(path: Path, stick: Path) -> None:
    journal = Journal(path)
    with Backup(journal, stick, every_s=0.01) as backup:
        journal.append("names", {"names": {"red": "Zoé"}})
        assert backup.wait_until_copied(timeout=10)
        assert read_records(stick / "game.journal") == journal.records()


def test_records_that_are_only_in_memory_are_in_the_backup(path: Path, stick: Path) -> None:
    journal = Journal(path)
    path.rename(path.with_name("elsewhere"))
    present(journal._db).close()
    journal._db, journal.allow_unsaved = None, True
    journal.append("names", {"names": {"red": "Zoé"}})
    Backup(journal, stick).close()
    assert read_records(stick / "game.journal")[-1].body == {"names": {"red": "Zoé"}}


def test_a_missing_stick_is_reported_and_its_copy_made_when_it_is_back(path: Path, stick: Path) -> None:
    journal = Journal(path)
    stick.rename(stick.with_name("unplugged"))
    logged: list[str] = []
    with Backup(journal, stick, every_s=0.01, log=logged.append) as backup:
        assert not backup.wait_until_copied(timeout=0.1)
        assert backup.problem == Problem("unreachable") and not stick.exists()
        stick.with_name("unplugged").rename(stick)
        assert backup.wait_until_copied(timeout=10) and backup.problem is None
    assert len(logged) == 2 and str(stick) in logged[0] and "again in" in logged[1]


def test_a_copy_is_made_on_another_stick_without_a_new_record(path: Path, stick: Path) -> None:
    journal = Journal(path)
    with Backup(journal, stick, every_s=0.01) as backup:
        assert backup.wait_until_copied(timeout=10)
        stick.rename(stick.with_name("first"))
        assert until(lambda: backup.problem is not None) and journal.copied == 0
        stick.mkdir()
        assert backup.wait_until_copied(timeout=10) and backup.problem is None
        assert read_records(stick / "game.journal") == journal.records()


def test_sticks_swapped_between_two_copies_both_have_the_game(path: Path, stick: Path) -> None:
    journal = Journal(path)
    with Backup(journal, stick, every_s=0.2) as backup:
        assert backup.wait_until_copied(timeout=10)
        stick.rename(stick.with_name("first"))
        stick.mkdir()
        assert until((stick / "game.journal").exists)
    assert read_records(stick / "game.journal") == journal.records()


def test_a_stick_that_is_back_is_no_longer_reported_missing(path: Path, stick: Path) -> None:
    journal, logged = Journal(path), list[str]()
    with Backup(journal, stick, every_s=0.01, log=logged.append) as backup:
        assert backup.wait_until_copied(timeout=10)
        stick.rename(stick.with_name("unplugged"))
        assert until(lambda: backup.problem is not None)
        stick.with_name("unplugged").rename(stick)
        assert backup.wait_until_copied(timeout=10) and backup.problem is None
    assert len(logged) == 2 and sorted(file.name for file in stick.iterdir()) == ["game.journal"]


def test_nothing_is_copied_without_a_new_record(path: Path, stick: Path) -> None:
    with Backup(Journal(path), stick, every_s=0.01) as backup:
        assert backup.wait_until_copied(timeout=10)
        before = (stick / "game.journal").stat()
        time.sleep(0.1)
        assert (stick / "game.journal").stat().st_ino == before.st_ino
        assert (stick / "game.journal").stat().st_mtime_ns == before.st_mtime_ns


def test_the_empty_mount_point_of_a_stick_gets_no_copy(
    path: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mount point of a removed disk is a folder on the journal's own disk."""
    disks = {stick: 2, path.parent: 1}
    monkeypatch.setattr("companion.journal.backup._disk", lambda folder: disks[folder])
    journal = Journal(path)
    with Backup(journal, stick, every_s=0.01) as backup:
        assert backup.wait_until_copied(timeout=10)
        disks[stick] = 1
        (stick / "game.journal").unlink()
        assert until(lambda: backup.problem is not None) and not list(stick.iterdir())
        disks[stick] = 3
        assert backup.wait_until_copied(timeout=10) and backup.problem is None


def test_a_stick_that_is_read_only_is_reported_without_an_error_number(
    path: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(file: Path, *_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(file))

    (stick / "game.journal").write_text("another game's")
    monkeypatch.setattr(Path, "rename", read_only)
    logged = list[str]()
    with Backup(Journal(path), stick, log=logged.append) as backup:
        assert until(lambda: backup.problem is not None)
    assert "that disk is read-only" in logged[0] and "Errno" not in logged[0]


def test_a_stick_that_cannot_be_written_does_not_disturb_the_game(path: Path, stick: Path) -> None:
    (stick / "game.journal.new").mkdir()
    journal = Journal(path)
    with Backup(journal, stick) as backup:
        journal.append("names", {"names": {"red": "Zoé"}})
    assert backup.problem is not None


def test_a_backup_never_replaces_another_games(path: Path, stick: Path) -> None:
    """Another stick, or a reinstalled card: both journals are named after the day."""
    Table(stick / "game.journal", seed=9).set_up().session.journal.close()
    other = (stick / "game.journal").read_bytes()
    journal = Journal(path)
    Backup(journal, stick).close()
    assert any(file.read_bytes() == other for file in stick.iterdir())
    assert read_records(stick / "game.journal") == journal.records()


# --- an empty file, and what only the backup holds ---


def test_an_empty_file_is_reported_as_a_loss(path: Path) -> None:
    path.write_bytes(b"")
    records, repaired = repaired_and_opened(path)
    assert records == [] and (repaired.empty, repaired.backup, repaired.saved_as) == (
        True,
        None,
        None,
    )


@pytest.mark.parametrize("byte", [b"\0", b"S"])
def test_a_file_of_one_byte_is_reported_as_a_loss(path: Path, byte: bytes) -> None:
    path.write_bytes(byte)
    records, repaired = repaired_and_opened(path)
    assert records == [] and repaired.saved_as == "game.journal.damaged"
    assert (path.parent / repaired.saved_as).read_bytes() == byte


def test_an_empty_file_is_replaced_by_its_backup(path: Path, stick: Path) -> None:
    complete = read_records(path)
    shutil.copy(path, stick)
    path.write_bytes(b"")
    records, repaired = repaired_and_opened(path, [stick])
    assert records == complete and repaired.empty and repaired.backup == str(stick)
    assert sorted(file.name for file in path.parent.glob("game*")) == ["game.journal"]


def test_a_new_journal_is_no_loss(tmp_path: Path, stick: Path) -> None:
    assert opened(tmp_path / "new.journal", [stick]) == ([], None)
    assert opened(tmp_path / "new.journal", [stick]) == ([], None)


def test_an_interrupted_start_leaves_no_empty_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(
        "companion.journal.database.os.link",
        lambda made, path: seen.append((made.stat().st_size, path.exists())),
    )
    Journal(tmp_path / "new.journal").close()
    assert seen[0][0] > 0 and not seen[0][1]


def test_a_journal_is_created_on_a_file_system_without_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(made: Path, path: Path) -> NoReturn:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("companion.journal.database.os.link", refuse)
    Journal(tmp_path / "new.journal").close()
    assert [file.name for file in tmp_path.iterdir()] == ["new.journal"]


def test_records_that_only_the_backup_has_are_restored(path: Path, stick: Path) -> None:
    """Records could not be saved, and stayed in memory until the companion ended."""
    (stick / "game.journal").write_bytes(path.read_bytes())
    longer = Journal(stick / "game.journal")
    longer.append("names", {"names": {"red": "Zoé"}})
    longer.close()
    records, repaired = repaired_and_opened(path, [stick])
    assert records == longer.records() and read_records(path) == records
    assert (repaired.saved_as, repaired.lost, repaired.backup) == (None, 0, str(stick))


def test_a_shorter_or_different_backup_is_not_used(path: Path, stick: Path) -> None:
    complete = read_records(path)
    Table(stick / "game.journal", seed=9).set_up().play(12).session.journal.close()
    assert opened(path, [stick]) == (complete, None)


# --- SQLite's files beside a file ---


@pytest.mark.parametrize("ending", SIDECAR_SUFFIXES)
def test_the_files_beside_a_quarantined_journal_are_moved_with_it(path: Path, ending: str) -> None:
    path.with_name(path.name + ending).write_text("half written")
    new_path = quarantine_file(path, DAMAGED)
    assert new_path.with_name(new_path.name + ending).read_text() == "half written"
    assert not path.with_name(path.name + ending).exists()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_full_backup_disk_is_called_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    def full(path: Path, lines: object) -> None:
        raise UnusableError(str(path), "could not be written", "full", OSError("database or disk is full"))

    stick = tmp_path / "stick"
    stick.mkdir()
    monkeypatch.setattr("companion.journal.backup.write_lines", full)
    with closing(Journal(tmp_path / "game.journal")) as journal:
        journal.append("names", {"names": {}})
        with Backup(journal, stick) as backup:
            assert not backup.wait_until_copied(timeout=0.1)
        (notice,) = storage_notices(journal, [], backup=backup)()
    text = Translator(language, strict=True)(f"storage_notices.{notice.code}", **notice.data)
    assert {"en": "the disk is full", "fr": "le disque est plein"}[language] in text and str(stick) in text
