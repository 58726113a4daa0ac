"""Warnings about how a game is stored, and what people can do when it cannot be saved."""

from __future__ import annotations

import errno
import os
import re
import shutil
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli.main import main
from companion.journal import Journal, NewRecord, Record
from companion.journal.backup import Backup
from companion.journal.disk_errors import BLOCKED, FAILING, FULL, READ_ONLY, UNREACHABLE
from companion.journal.recovery import Quarantined, Repaired
from companion.service.power import PowerSwitch
from companion.session import CommandRejectedError
from companion.session.next_game import NextGame
from companion.storage.notices import repair_notices, storage_notices
from companion.storage.picture_store import (
    DAMAGED,
    NEARLY_FULL,
    RESERVE_BYTES,
    EvidencePicture,
    PictureStore,
)
from companion.storage.settings import SAFE_SETTINGS, Settings, SettingsError, load_or_quarantine
from companion.text.catalogue import LANGUAGES, texts
from companion.text.translator import Translator
from tests.journal.test_recovery import overwrite
from tests.runtime.test_game_runner import Companion
from tests.support.present import present
from tests.support.tables import Table, with_proposal
from tests.web.test_page import Browser, page_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "card").mkdir()
    return tmp_path / "card"


@pytest.fixture
def table(folder: Path) -> Table:
    table = Table(folder / "game.journal")
    with_proposal(table)
    return table


@pytest.fixture
def page(table: Table) -> Browser:
    return page_of(table.session, storage_notices=storage_notices(table.session.journal, []))


def unplug(journal: Journal) -> None:
    """The card is pulled out while the game goes on."""
    Path(journal.path).parent.rename(Path(journal.path).parent.with_name("unplugged"))
    assert journal._db is not None
    journal._db.close()
    journal._db = None


def plug_in(journal: Journal) -> None:
    Path(journal.path).parent.with_name("unplugged").rename(Path(journal.path).parent)


def test_what_cannot_be_saved_is_not_confirmed_and_both_ways_on_are_named(
    table: Table, page: Browser
) -> None:
    unplug(table.session.journal)
    before = len(table.session.entries())
    answer = page.do("confirm")
    assert answer.status_code == 422 and "Plug it in, then confirm again" in answer.get_json()["error"]
    assert len(table.session.entries()) == before and table.session.status == "proposal"
    assert 'data-do="hold"' in page.text("/table")


def test_play_may_continue_unsaved_with_a_warning_until_it_is_saved(table: Table, page: Browser) -> None:
    unplug(table.session.journal)
    page.do("confirm")
    page.do("hold")
    assert page.do("confirm").status_code == 200
    assert "Not saved yet: 1 entry" in page.text("/table?lang=en")
    plug_in(table.session.journal)
    table.session.rename_player("red", "Zoé")
    assert "Not saved yet" not in page.text("/table?lang=en")


def test_choosing_to_continue_unsaved_is_acknowledged(table: Table, page: Browser) -> None:
    """The question disappears on every device at once, and the page says what to do next."""
    unplug(table.session.journal)
    page.do("confirm")
    version = table.session.version
    page.do("hold")
    shown = page.text("/table?lang=en")
    assert table.session.version > version and table.session.snapshot()["rejection"] is None
    assert 'data-do="hold"' not in shown and "Now confirm once more" in shown


def test_a_tapped_turn_that_could_not_be_saved_ends_by_the_same_tap(table: Table) -> None:
    page = page_of(table.session)
    before = len(table.session.entries())
    page.do("tap", text="workers die 1")
    unplug(table.session.journal)
    page.do("tap", text="workers die 4")
    assert page.do("tap", text="end").get_json()["code"] == "not_recorded"
    plug_in(table.session.journal)
    assert page.do("tap", text="end").status_code == 200
    assert len(table.session.entries()) == before + 1


def test_a_corrected_turn_that_cannot_be_saved_is_refused_for_that_reason(table: Table) -> None:
    last = next(entry for entry in reversed(table.session.entries()) if entry.player is not None)
    unplug(table.session.journal)
    with pytest.raises(CommandRejectedError) as rejected:
        table.session.amend(last.seq, "; ".join(map(str, last.moves)))
    assert rejected.value.code == "not_recorded"


def test_a_corrected_die_is_saved_completely_or_not_at_all(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the roll taken back and the roll recorded anew there is no moment at which the plug could be pulled."""
    table = Table(folder / "game.journal").set_up()
    for _ in range(2):
        table.session.tap(str(table.deal()))
    before = table.session.state.state_hash()
    written: list[list[Record]] = []
    append_all = table.session.journal.append_all

    def append_and_note(new_records: Sequence[NewRecord], *, amends: bool = False) -> list[Record]:
        written.append(append_all(new_records, amends=amends))
        return written[-1]

    monkeypatch.setattr(table.session.journal, "append_all", append_and_note)
    value = 1 + table.session.state.white % 6
    table.session.correct_die("white:0", value)
    assert [record.kind for record in written[0]] == ["undo", "moves"] and len(written) == 1
    assert table.session.state.white == value and table.session.state.state_hash() != before


def test_playing_unsaved_is_not_offered_while_saving_works(table: Table, page: Browser) -> None:
    assert page.do("hold").status_code == 400 and not table.session.journal.allow_unsaved


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("cause", [FULL, READ_ONLY, UNREACHABLE, FAILING, BLOCKED, "busy", "other"])
def test_every_trouble_of_the_disk_has_a_sentence(language: str, cause: str) -> None:
    assert f"trouble.{cause}" in texts(language)


REPAIRED = Repaired("game.journal.damaged", 30, 2, None)
QUARANTINED = Quarantined("game.journal.aside", 31)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lost", [0, 1, 7, None])
def test_a_repair_is_reported_until_play_has_continued(table: Table, language: str, lost: int | None) -> None:
    notices = repair_notices(Repaired("game.journal.damaged", 30, lost, "/media/stick"), QUARANTINED)
    page = page_of(table.session, storage_notices=storage_notices(table.session.journal, notices))
    shown = page.text(f"/table?lang={language}")
    assert "game.journal.damaged" in shown and "game.journal.aside" in shown
    page.do("confirm")
    assert "game.journal.damaged" not in page.text(f"/table?lang={language}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_if_the_loss_is_unknown_the_backup_is_named(table: Table, language: str) -> None:
    notices = repair_notices(Repaired("game.journal.damaged", 30, None, "/media/stick"), None)
    page = page_of(table.session, storage_notices=storage_notices(table.session.journal, notices))
    assert "/media/stick" in page.text(f"/table?lang={language}")


def test_how_much_is_lost_is_shown(table: Table) -> None:
    page = page_of(
        table.session, storage_notices=storage_notices(table.session.journal, repair_notices(REPAIRED, None))
    )
    assert "its last 2 entries are lost" in page.text("/table?lang=en")


def test_pictures_stop_before_the_disk_is_full(tmp_path: Path, table: Table) -> None:
    room = [RESERVE_BYTES]
    picture_store = PictureStore(tmp_path / "album", free_bytes=lambda: room[0])
    evidence_picture = EvidencePicture("depot:1:0", {"mine": 0.9}, None, b"jpeg")
    picture_store.add(1, [evidence_picture])
    room[0] -= 1
    picture_store.add(2, [evidence_picture])
    assert picture_store.for_entry(1) == [evidence_picture] and picture_store.for_entry(2) == []
    page = page_of(table.session, storage_notices=storage_notices(table.session.journal, [], picture_store))
    assert "No more pictures of turns are saved" in page.text("/table?lang=en")
    room[0] += 1
    picture_store.add(3, [evidence_picture])
    assert picture_store.trouble is None


def test_moves_are_not_called_saved_while_they_cannot_be(table: Table, tmp_path: Path) -> None:
    picture_store = PictureStore(tmp_path / "album", free_bytes=lambda: 0)
    picture_store.add(1, [EvidencePicture("depot:1:0", {"mine": 0.9}, None, b"jpeg")])
    page = page_of(table.session, storage_notices=storage_notices(table.session.journal, [], picture_store))
    assert "Moves are still saved" in page.text("/table?lang=en")
    unplug(table.session.journal)
    page.do("confirm")
    shown = page.text("/table?lang=en")
    assert "No more pictures" in shown and "still saved" not in shown
    plug_in(table.session.journal)
    page.do("confirm")
    assert "Moves are still saved" in page.text("/table?lang=en")


@pytest.mark.parametrize(
    ("number", "cause"),
    [
        (errno.ENOSPC, FULL),
        (errno.EDQUOT, FULL),
        (errno.EROFS, READ_ONLY),
        (errno.EACCES, READ_ONLY),
        (errno.EPERM, READ_ONLY),
        (errno.ENOENT, UNREACHABLE),
        (errno.EIO, FAILING),
    ],
)
def test_why_nothing_can_be_written_is_asked_of_the_folder_where_sqlite_cannot_tell(
    number: int, cause: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**where: Path) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("companion.journal.disk_errors.tempfile.TemporaryFile", refuse)
    picture_store = PictureStore(tmp_path / "missing" / "album")
    assert picture_store.trouble == cause
    for language in LANGUAGES:
        assert f"storage_notices.no_pictures_{cause}" in texts(language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("trouble", [NEARLY_FULL, DAMAGED, "busy", BLOCKED])
def test_every_other_trouble_of_the_pictures_has_a_sentence(language: str, trouble: str) -> None:
    assert f"storage_notices.no_pictures_{trouble}" in texts(language)


def test_the_backup_folder_is_remembered(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    assert Settings.load(path) == Settings()
    Settings.load(path).save_changes(path, backup="/media/stick")
    assert Settings.load(path) == Settings("/media/stick")
    Settings.load(path).save_changes(path, backup=None)
    assert Settings.load(path) == Settings()


@pytest.mark.parametrize("text", ["{", "[]", '{"backup": 3}', '{"bakcup": "/media/stick"}'])
def test_settings_that_are_none_are_refused_with_the_cure(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(text)
    with pytest.raises(SettingsError, match=r"settings\.json.*(repair it|did you mean)"):
        Settings.load(path)


def test_where_nothing_can_be_stored_one_sentence_names_the_folder_and_the_cure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    game = ["play", "--players", "red:se-1,blue:se-2", "--port", "0", "--host", "127.0.0.1"]
    result = CliRunner().invoke(main, game, env={"TABLE_COMPANION_DATA": str(tmp_path / "file" / "data")})
    assert result.exit_code == 1
    assert "nothing can be written to" in result.stderr and "TABLE_COMPANION_DATA" in result.stderr


def test_a_backup_folder_that_is_not_there_is_refused_with_the_cure(tmp_path: Path) -> None:
    game = ["play", "--players", "red:se-1,blue:se-2", "--backup", str(tmp_path / "stick")]
    result = CliRunner().invoke(main, game, env={"TABLE_COMPANION_DATA": str(tmp_path)})
    assert result.exit_code == 1 and "plug in the stick, or create it" in result.stderr


def test_a_backup_folder_whose_name_is_no_text_is_refused_with_the_cure(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/st\xefck"))
    folder.mkdir()
    game = ["play", "--players", "red:se-1,blue:se-2", "--backup", str(folder)]
    result = CliRunner().invoke(main, game, env={"TABLE_COMPANION_DATA": str(tmp_path / "data")})
    assert result.exit_code == 1 and "its name is no text; name another one" in result.stderr
    assert not (tmp_path / "data" / "settings.json").exists()


def test_a_damaged_game_continues_from_its_backup_with_a_notice_on_the_page(tmp_path: Path) -> None:
    """From the command line to the page, with a stick that was named once and a damaged card."""
    games, stick = tmp_path / "table-companion" / "games", tmp_path / "stick"
    games.mkdir(parents=True)
    stick.mkdir()
    path = games / f"{time.strftime('%Y-%m-%d')}.journal"
    table = Table(path).set_up().play(4)
    table.session.journal.close()
    Settings().save_changes(tmp_path / "table-companion" / "settings.json", backup=str(stick))
    shutil.copy(path, stick)
    overwrite(path, 1)
    companion = Companion(tmp_path)
    try:
        assert "Nothing is missing" in companion.page('id="state"')
    finally:
        companion.process.send_signal(signal.SIGTERM)
        asked = time.monotonic()
        companion.process.communicate(timeout=20)
    assert companion.process.returncode == 0 and time.monotonic() - asked < 2
    journal = Journal(path)
    assert len(journal.records()) == len(table.session.journal.records())
    journal.close()


# --- before people leave a game that is not saved ---


@pytest.fixture
def unsaved(table: Table) -> Table:
    """Two things were confirmed that are held in memory alone."""
    unplug(table.session.journal)
    table.session.journal.allow_unsaved = True
    table.session.rename_player("red", "Zoé")
    table.session.rename_player("blue", "Ida")
    return table


def leave(table: Table) -> tuple[Browser, list[NextGame], int]:
    """A page on which people want to leave, which game is to come then, and the answer."""
    next_games: list[NextGame] = []

    def next_game(one: NextGame) -> None:
        one.check_saved(table.session)
        next_games.append(one)

    page = page_of(table.session, next_game=next_game)
    return page, next_games, page.do("new_game").status_code


def test_leaving_an_unsaved_game_needs_a_confirmation(unsaved: Table) -> None:
    page, next_games, status = leave(unsaved)
    assert status == 422 and next_games == []
    shown = page.text("/table?lang=en")
    assert "2 entries are not saved yet and would be lost" in shown
    assert re.search(r'data-do="new_game"[^>]* data-unsaved="2"', shown)
    assert page.do("new_game", unsaved="1").status_code == 422
    assert page.do("new_game", unsaved="2").status_code == 200 and next_games == [
        NextGame(discarded_records=2)
    ]


def test_what_can_be_saved_again_is_saved_before_people_leave(unsaved: Table) -> None:
    plug_in(unsaved.session.journal)
    _, next_games, status = leave(unsaved)
    assert status == 200 and next_games == [NextGame()] and unsaved.session.journal.unsaved == 0


def test_a_game_saved_in_a_backup_may_be_left(unsaved: Table, tmp_path: Path) -> None:
    Backup(unsaved.session.journal, tmp_path).close()
    assert leave(unsaved)[1] == [NextGame()]


def test_the_machine_is_not_switched_off_before_a_warning(unsaved: Table, tmp_path: Path) -> None:
    power = PowerSwitch(tmp_path / "request")
    page = page_of(unsaved.session, power=power)
    assert page.do("switch_off").status_code == 422 and power.state == "on"
    assert 'data-do="switch_off" data-unsaved="2"' in page.text("/table")
    assert page.do("switch_off", unsaved="2").status_code == 200 and power.state == "leaving"


def test_a_removed_file_is_reported_on_the_page_until_play_continues(table: Table, page: Browser) -> None:
    Path(table.session.journal.path).unlink()
    assert page.do("confirm").status_code == 200
    assert "written again: nothing is missing" in page.text("/table?lang=en")
    table.session.rename_player("red", "Zoé")
    assert "written again" not in page.text("/table?lang=en")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("backup", [None, "/media/stick"])
@pytest.mark.parametrize("empty", [True, False])
def test_an_empty_file_and_a_copy_that_holds_more_have_a_sentence(
    language: str, backup: str | None, empty: bool
) -> None:
    if not empty and backup is None:
        return  # then nothing has been repaired
    (notice,) = repair_notices(Repaired(None, 3, 0, backup, empty), None)
    text = Translator(language, strict=True)(f"storage_notices.{notice.code}", **notice.data)
    assert (backup or "") in text


def test_an_unconfirmed_turn_is_assumed_once_the_disk_is_writable_again(table: Table) -> None:
    entries = len(table.session.entries())
    unplug(table.session.journal)
    table.turn()
    table.look()
    rejected = present(table.session.snapshot()["rejection"])
    assert rejected["code"] == "not_recorded" and table.session.status == "proposal"
    plug_in(table.session.journal)
    table.look()
    assert [entry.by for entry in table.session.entries()[entries:]] == ["assumed"]
    assert table.session.status == "proposal"


def test_a_turn_confirmed_while_the_table_moved_waits_for_the_disk_too(table: Table) -> None:
    entries = len(table.session.entries())
    table.session.confirm(settled=False)
    unplug(table.session.journal)
    table.look()
    assert present(table.session.snapshot()["rejection"])["code"] == "not_recorded"
    plug_in(table.session.journal)
    table.look()
    assert len(table.session.entries()) == entries + 1


UNUSABLE = (
    b"{",
    b"\xff\xfe",
    b"[]",
    b'{"picture_days": "x"}',
    b"[" * 100_000,
    b'{"picture_days": ' + b"9" * 5000 + b"}",
)


@pytest.mark.parametrize("text", UNUSABLE, ids=range(len(UNUSABLE)))
def test_unusable_settings_are_quarantined_and_careful_ones_hold_until_somebody_chooses(
    tmp_path: Path, text: bytes
) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(text)
    settings, unusable = load_or_quarantine(path)
    assert (
        settings == SAFE_SETTINGS
        and unusable is not None
        and unusable.moved_to == tmp_path / "settings.json.damaged"
    )
    assert unusable.moved_to.read_bytes() == text and not path.exists()
    assert load_or_quarantine(path) == (SAFE_SETTINGS, None)
    assert SAFE_SETTINGS.save_changes(path, backup="/media/stick").picture_days == 0
    assert Settings.load(path) == Settings("/media/stick", 0, keeps_existing_pictures=True)
    Settings.load(path).save_changes(path, picture_days=30)
    assert Settings.load(path) == Settings("/media/stick", 30)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("nowhere")])
def test_an_unusable_settings_file_is_quarantined_beside_earlier_ones(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    (tmp_path / "settings.json.damaged").write_text("earlier")
    make(tmp_path / "settings.json")
    _, unusable = load_or_quarantine(tmp_path / "settings.json")
    assert unusable is not None and unusable.moved_to == tmp_path / "settings.json.damaged-2"
    assert (tmp_path / "settings.json.damaged").read_text() == "earlier"


def test_settings_that_cannot_be_moved_stay_and_careful_ones_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*paths: object) -> Path:
        raise OSError(errno.EROFS, "Read-only file system")

    (tmp_path / "settings.json").write_text("{")
    monkeypatch.setattr("companion.storage.settings.quarantine_file", refuse)
    settings, unusable = load_or_quarantine(tmp_path / "settings.json")
    assert settings == SAFE_SETTINGS and unusable is not None and unusable.moved_to is None
    assert (tmp_path / "settings.json").read_text() == "{"
