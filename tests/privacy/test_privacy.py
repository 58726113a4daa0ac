"""Personal data: what is stored, for how long, and how it is deleted."""

from __future__ import annotations

import errno
import os
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from companion.archive import Archive
from companion.archive.transfer import exported_lines
from companion.cli.main import main
from companion.journal import Journal, JournalError
from companion.journal.disk_errors import BLOCKED, FAILING, FULL, READ_ONLY, UNREACHABLE
from companion.privacy.erasure import (
    DAY_S,
    UNPLUGGED,
    DataPaths,
    ErasureError,
    GameInUseError,
    Remaining,
    erase_everything,
    erase_game,
)
from companion.privacy.picture_retention import PictureRetention
from companion.service.sqlite_files import SIDECAR_SUFFIXES
from companion.session.last_frame import LastFrame
from companion.session.next_game import NextGame
from companion.storage.picture_store import EvidencePicture, PictureStore
from companion.storage.settings import Settings
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.cli.test_main import assert_exits
from tests.runtime.test_game_runner import ANNA, YVES, Companion
from tests.support.paths import DOCS, GOLDEN
from tests.support.tables import Table
from tests.web.test_page import Browser, page_of
from vision.sighting import Sighting
from web.guard import Guard

JPEG = b"\xff\xd8" + b"picture" * 40 + b"\xff\xd9"
EVIDENCE = EvidencePicture("duchy:red:1", {"castle": 1.0}, None, JPEG)
NOW = time.time()


def with_pictures(picture_store: Path, days_ago: float = 0) -> Path:
    store = PictureStore(picture_store)
    store.add(3, [EVIDENCE])
    store.close()
    os.utime(picture_store, (NOW - days_ago * DAY_S, NOW - days_ago * DAY_S))
    return picture_store


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Returns the companion's folder with two past games, their pictures, quarantined files, and settings."""
    games = tmp_path / "games"
    games.mkdir()
    for name, days_ago in (("old", 100), ("new", 10)):
        shutil.copy(GOLDEN / "version-1.journal", games / f"{name}.journal")
        with_pictures(games / f"{name}.journal.album", days_ago)
    journal = Journal(games / "old.journal")
    journal.append("names", {"names": {"red": "Ida"}})
    journal.close()
    (games / "old.journal.aside").write_text("{}")
    (games / "old.journal.trial-123.new-123").write_bytes(b"x")  # by a start that was cut off
    (games / "old.journal.damaged-2").write_bytes(b"x")
    for name in ("settings.json", "page.key", "print.json"):
        (tmp_path / name).write_text("{}")
    (tmp_path / "table.json").write_text("{}")
    (games / "notes.txt").write_text("mine")
    (games / "old.journal.newer").write_bytes(b"x")
    (tmp_path / "before-update" / "games").mkdir(parents=True)
    shutil.copy(GOLDEN / "version-1.journal", tmp_path / "before-update" / "games" / "old.journal")
    return tmp_path


@pytest.fixture
def data_paths(home: Path) -> DataPaths:
    own = tuple(home / name for name in ("settings.json", "page.key", "print.json"))
    return DataPaths(home / "games", own, (home / "before-update",))


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def picture_store(home: Path) -> Iterator[PictureStore]:
    """Returns the picture store of the current game."""
    picture_store = PictureStore(home / "games" / "now.journal.album")
    picture_store.add(3, [EVIDENCE])
    yield picture_store
    picture_store.close()


def retention(
    data_paths: DataPaths, picture_store: PictureStore, days: int | None, **more: Any
) -> PictureRetention:
    """Returns the retention of pictures after the first check for expired ones."""
    settings = data_paths.games.parent / "settings.json"
    settings.unlink(missing_ok=True)
    Settings().save_changes(settings, picture_days=days)
    pictures = PictureRetention(data_paths, picture_store, settings, clock=lambda: NOW, **more)
    pictures.close()
    return pictures


# --- how long pictures are stored ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("days", "left"),
    [(None, {"old", "new", "now"}), (90, {"new", "now"}), (7, {"now"}), (0, {"now"})],
)
def test_pictures_of_games_played_longer_ago_are_deleted_at_the_start(
    data_paths: DataPaths, picture_store: PictureStore, days: int | None, left: set[str]
) -> None:
    retention(data_paths, picture_store, days)
    assert {path.name.partition(".")[0] for path in data_paths.picture_stores()} == left
    assert len(data_paths.journals()) == 2
    assert bool(picture_store.for_entry(3)) == (days != 0)


def test_a_game_that_stays_on_the_table_for_months_has_no_old_pictures(
    data_paths: DataPaths, picture_store: PictureStore
) -> None:
    os.utime(picture_store.path, (NOW - 91 * DAY_S, NOW - 91 * DAY_S))
    retention(data_paths, picture_store, 90)
    assert picture_store.for_entry(3) == []
    picture_store.add(4, [EVIDENCE])
    assert picture_store.for_entry(4) == [EVIDENCE]


def test_no_pictures_are_stored_if_people_choose_none(
    data_paths: DataPaths, picture_store: PictureStore
) -> None:
    pictures = retention(data_paths, picture_store, 90)
    pictures.set_days(0)
    picture_store.add(4, [EVIDENCE])
    assert picture_store.for_entry(3) == picture_store.for_entry(4) == []
    pictures.set_days(None)
    picture_store.add(5, [EVIDENCE])
    assert picture_store.for_entry(5) == [EVIDENCE]
    assert Settings.load(data_paths.games.parent / "settings.json").picture_days is None


def test_a_picture_that_is_deleted_does_not_stay_in_the_file(tmp_path: Path) -> None:
    """SQLite keeps deleted bytes unless configured otherwise."""
    with_pictures(tmp_path / "a.album")
    store = PictureStore(tmp_path / "a.album", max_bytes=1)
    store.add(4, [EvidencePicture("duchy:red:2", {}, None, b"another")])
    store.close()
    assert store.trouble is None and JPEG not in (tmp_path / "a.album").read_bytes()


def test_the_documentation_says_how_long_pictures_are_stored_unless_people_choose() -> None:
    document = (DOCS / "privacy.md").read_text(encoding="utf-8")
    assert f"{Settings().picture_days} days after the game was played" in document


# --- deleting ---------------------------------------------------------------------------------------------


def test_all_pictures_go_from_disk_and_memory_and_nothing_else(
    home: Path, data_paths: DataPaths, picture_store: PictureStore
) -> None:
    last_frame = LastFrame()
    last_frame.note(np.zeros((4, 4, 3), np.uint8), Sighting())
    pictures = retention(data_paths, picture_store, 90, forget=last_frame.forget)
    before = {name for name in files(home) if not name.endswith(".album")}
    pictures.delete()
    assert picture_store.for_entry(3) == [] and last_frame.jpeg() is None
    assert files(home) == before | {"games/now.journal.album"}
    assert JPEG not in picture_store.path.read_bytes()


def test_everything_is_deleted_but_other_programs_files(home: Path, data_paths: DataPaths) -> None:
    stick = home / "stick"
    stick.mkdir()
    shutil.copy(GOLDEN / "version-1.journal", stick / "old.journal")
    (stick / "holiday.jpg").write_bytes(b"x")
    archive = Archive(data_paths.games)
    archive.games()
    erase_everything(replace(data_paths, backup=stick), archive)
    assert archive.games() == []
    archive.close()
    left = {"games/archive.sqlite", "games/notes.txt", "stick/holiday.jpg", "table.json"}
    assert files(home) == left
    assert b"old" not in (data_paths.games / "archive.sqlite").read_bytes()


@pytest.mark.parametrize("ending", SIDECAR_SUFFIXES)
@pytest.mark.parametrize(
    "name", ["old.journal", "old.journal.album", ".journal", "gone.journal", "a\nb.journal", "._old.journal"]
)
def test_nothing_that_sqlite_stores_beside_a_game_remains(
    home: Path, data_paths: DataPaths, name: str, ending: str
) -> None:
    """A viewer that reads a journal in WAL mode leaves its own files, with names in them."""
    stick = home / "stick"
    stick.mkdir()
    for folder in (data_paths.games, stick):
        (folder / name).write_bytes(b"Ida")
        (folder / f"{name}{ending}").write_bytes(b"Ida")
    (data_paths.games / f"archive.sqlite{ending}").write_bytes(b"")
    archive = Archive(data_paths.games)
    erase_everything(replace(data_paths, backup=stick), archive)
    archive.close()
    assert files(home) == {"games/archive.sqlite", "games/notes.txt", "table.json"}


def test_pictures_that_are_deleted_leave_nothing_beside(
    data_paths: DataPaths, picture_store: PictureStore
) -> None:
    (data_paths.games / "new.journal.album-wal").write_bytes(b"x")
    beside = picture_store.path.with_name(f"{picture_store.path.name}-shm")
    beside.write_bytes(b"x")
    retention(data_paths, picture_store, 90).delete()
    assert not beside.exists() and [path.name for path in data_paths.pictures()] == ["now.journal.album"]


def test_one_game_goes_with_its_pictures_copies_and_index(home: Path, data_paths: DataPaths) -> None:
    stick = home / "stick"
    stick.mkdir()
    for name in ("old.journal", "old.journal-wal", "old-before-1.journal", "new.journal"):
        shutil.copy(data_paths.games / "old.journal", stick / name)
    archive = Archive(data_paths.games)
    archive.games()
    before = files(home)
    erase_game(replace(data_paths, backup=stick), archive, "old")
    archive.close()
    gone = before - files(home)
    assert gone == {
        *(
            f"games/old.journal{end}"
            for end in ("", ".album", ".aside", ".damaged-2", ".newer", ".trial-123.new-123")
        ),
        *(f"stick/{name}" for name in ("old.journal", "old.journal-wal", "old-before-1.journal")),
        "before-update/games/old.journal",
    }
    assert b"Ida" not in (data_paths.games / "archive.sqlite").read_bytes()


def test_a_game_of_the_same_name_elsewhere_is_not_deleted(home: Path, data_paths: DataPaths) -> None:
    """The stick has been in another companion."""
    stick = home / "stick"
    stick.mkdir()
    for name in ("old.journal", "old-before-1.journal"):
        shutil.copy(GOLDEN / "version-2.journal", stick / name)
    archive = Archive(data_paths.games)
    erase_game(replace(data_paths, backup=stick), archive, "old")
    assert {path.name for path in stick.iterdir()} == {"old.journal", "old-before-1.journal"}


def test_a_game_that_cannot_be_read_can_be_deleted(data_paths: DataPaths) -> None:
    (data_paths.games / "torn.journal").write_bytes(b"x")
    archive = Archive(data_paths.games)
    erase_game(data_paths, archive, "torn")
    assert archive.names() == ["new", "old"]


def test_a_game_that_is_played_is_not_deleted(data_paths: DataPaths) -> None:
    journal = Journal(data_paths.games / "old.journal")
    before = files(data_paths.games)
    with pytest.raises(GameInUseError, match=r"old\.journal"):
        erase_game(data_paths, Archive(data_paths.games), "old")
    journal.close()
    assert files(data_paths.games) >= before - {"old.journal-journal"}


def test_a_copy_that_cannot_be_reached_is_reported_when_a_game_is_deleted(
    home: Path, data_paths: DataPaths
) -> None:
    archive = Archive(data_paths.games)
    with pytest.raises(ErasureError, match=r"stick \(it is not plugged in\)"):
        erase_game(replace(data_paths, backup=home / "stick"), archive, "old")
    assert archive.names() == ["new"]


def test_a_stick_that_is_not_there_is_reported(home: Path, data_paths: DataPaths) -> None:
    archive = Archive(data_paths.games)
    with pytest.raises(ErasureError, match=r"stick \(it is not plugged in\)"):
        erase_everything(replace(data_paths, backup=home / "stick"), archive)
    assert data_paths.journals() == []


def test_a_file_that_cannot_be_deleted_is_named_and_the_others_go(data_paths: DataPaths) -> None:
    archive = Archive(data_paths.games)
    (data_paths.games / "archive.sqlite").unlink()
    folders = [data_paths.games / name for name in ("stubborn.journal", "archive.sqlite")]
    for folder in folders:
        folder.mkdir()
    with pytest.raises(ErasureError) as failed:
        erase_everything(data_paths, archive)
    assert str(failed.value).split(", which no companion has made: remove it yourself)")[:2] == [
        f"{folders[0]} (it is a folder",
        f", {folders[1]} (it is a folder",
    ]
    assert [path.name for path in data_paths.games.glob("*.journal")] == ["stubborn.journal"]


def test_an_index_that_cannot_be_deleted_hides_no_other_file_that_remains(
    data_paths: DataPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(path: Path, **_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    archive = Archive(data_paths.games)
    monkeypatch.setattr(Path, "unlink", read_only)
    with pytest.raises(ErasureError, match=r"old\.journal .*archive\.sqlite \(Read-only"):
        erase_everything(data_paths, archive)


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_a_file_remains_is_said_in_the_language_of_the_sentence(language: str) -> None:
    text = Translator(language, strict=True)
    causes = (UNPLUGGED, FULL, READ_ONLY, UNREACHABLE, FAILING, BLOCKED)
    remaining = [Remaining("/stick/a", cause, "No space left on device") for cause in causes]
    sentence = text("storage_notices.not_erased", remaining=remaining)
    assert sentence.count("/stick/a (") == len(causes) and "No space" not in sentence


def test_a_game_that_remains_is_reported_with_what_remains_beside_it(
    home: Path, data_paths: DataPaths
) -> None:
    (data_paths.games / "old.journal.aside-2").mkdir()
    archive = Archive(data_paths.games)
    archive.games()
    with pytest.raises(ErasureError) as failed:
        erase_game(replace(data_paths, backup=home / "stick"), archive, "old")
    with closing(sqlite3.connect(data_paths.games / "archive.sqlite")) as index:
        assert index.execute("SELECT name FROM game WHERE name = 'old'").fetchall() == []
    assert [(Path(one.path).name, one.cause) for one in failed.value.remaining] == [
        ("stick", UNPLUGGED),
        ("old.journal.aside-2", BLOCKED),
    ]


# --- the command line -------------------------------------------------------------------------------------


def run(home: Path, *words: object, **options: Any) -> Any:
    env = {"TABLE_COMPANION_DATA": str(home)}
    return CliRunner().invoke(main, [str(word) for word in ("privacy", *words)], env=env, **options)


def test_what_is_stored_is_shown(home: Path) -> None:
    (home / "settings.json").unlink()
    shown = run(home, "show", "--language", "en")
    assert_exits(shown, 0)
    assert "2 games" in shown.stdout and "90 days" in shown.stdout and "page.key" in shown.stdout


def test_how_long_pictures_are_stored_is_set_and_applied_at_once(home: Path) -> None:
    (home / "settings.json").unlink()
    os.utime(home / "games" / "new.journal.album")
    assert_exits(run(home, "keep-pictures", "30"), 0)
    assert Settings.load(home / "settings.json").picture_days == 30
    assert [path.name for path in home.rglob("*.album")] == ["new.journal.album"]
    assert run(home, "keep-pictures", "long").exit_code == 2


@pytest.mark.parametrize("days", ["36501", "-1", "1.5", 5000 * "9"])
def test_another_number_of_days_is_refused_with_the_possible_ones(home: Path, days: str) -> None:
    result = run(home, "keep-pictures", "--", days)
    assert result.exit_code == 2 and "0 to 36500" in result.stderr


def test_how_long_pictures_are_stored_may_be_set_while_a_game_is_played(home: Path) -> None:
    (home / "settings.json").unlink()
    journal = Journal(home / "games" / "new.journal")
    assert_exits(run(home, "keep-pictures", "0"), 0)
    journal.close()
    assert Settings.load(home / "settings.json").picture_days == 0
    assert len(list(home.rglob("*.album"))) == 2


@pytest.mark.parametrize(("answer", "left"), [("n\n", 3), ("y\n", 0)])
def test_everything_is_deleted_after_one_question(home: Path, answer: str, left: int) -> None:
    (home / "settings.json").unlink()
    asked = run(home, "delete-everything", input=answer)
    assert "What stays" in asked.output
    assert len(list(home.rglob("*.journal"))) == left
    assert (home / "page.key").exists() == bool(left)


@pytest.mark.parametrize("command", ["delete-pictures", "delete-everything"])
def test_while_a_game_is_played_its_companion_is_asked_instead(home: Path, command: str) -> None:
    (home / "settings.json").unlink()
    journal = Journal(home / "games" / "new.journal")
    before = files(home)
    assert_exits(run(home, command, "--yes"), 1, "new.journal", "on its page")
    journal.close()
    assert files(home) - {"games/new.journal-journal"} == before - {"games/new.journal-journal"}


# --- the page ---------------------------------------------------------------------------------------------


@pytest.fixture
def next_games() -> list[NextGame]:
    return []


@pytest.fixture
def page(data_paths: DataPaths, picture_store: PictureStore, next_games: list[NextGame]) -> Browser:
    table = Table(data_paths.games / "now.journal")
    pictures = retention(data_paths, picture_store, 90)
    games = Archive(data_paths.games)
    return page_of(table.session, archive=games, pictures=pictures, next_game=next_games.append)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_what_is_stored_and_what_a_deletion_leaves(page: Browser, language: str) -> None:
    shown = page.text(f"/privacy?lang={language}")
    assert {"keep_pictures", "delete_pictures", "delete_everything"} == set(
        re.findall(r'data-do="(\w+)"', shown)
    )
    assert re.search(r'value="90" selected', shown)


def test_on_the_page_pictures_are_deleted_and_the_choice_is_remembered(
    page: Browser, data_paths: DataPaths
) -> None:
    assert page.do("keep_pictures", days="ever").status_code == 200
    assert 'value="ever" selected' in page.text("/privacy")
    assert page.do("delete_pictures").status_code == 200
    assert [path.name for path in data_paths.picture_stores()] == ["now.journal.album"]
    assert page.do("keep_pictures", days="99999").status_code == 400


def test_a_choice_that_cannot_be_saved_is_not_called_a_deletion(
    page: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, table: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("companion.storage.settings.write_table", full)
    answer = page.do("keep_pictures", days="7")
    assert (answer.status_code, answer.get_json()["code"]) == (422, "choice_not_saved")
    assert 'value="90" selected' in page.text("/privacy")


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_the_page_a_game_is_deleted_after_a_question(
    page: Browser, data_paths: DataPaths, language: str
) -> None:
    assert 'href="/games/old/delete"' in page.text(f"/games/old?lang={language}")
    asked = page.text(f"/games/old/delete?lang={language}")
    assert re.search(r'data-do="delete_game" data-game="old"', asked) and "Ida" in asked
    assert len(data_paths.journals()) == 3
    assert page.do("delete_game", game="old").status_code == 200
    assert [path.stem for path in data_paths.journals()] == ["new", "now"]
    assert page.client.get("/games/old/delete").status_code == 404


def test_a_game_that_cannot_be_read_is_deleted_from_the_list(page: Browser, data_paths: DataPaths) -> None:
    (data_paths.games / "torn.journal").write_bytes(b"x")
    assert 'href="/games/torn/delete"' in page.text("/games")
    assert 'data-game="torn"' in page.text("/games/torn/delete")


def test_the_game_on_the_table_is_not_deleted(page: Browser, data_paths: DataPaths) -> None:
    assert "/delete" not in page.text("/games/now")
    assert page.client.get("/games/~now/delete").status_code == 404
    refused = page.do("delete_game", game="now")
    assert refused.status_code == 422 and "being played" in refused.get_json()["error"]
    assert page.do("delete_game", game="none").status_code == 400
    assert "now.journal" in {path.name for path in data_paths.journals()}


def test_everything_is_deleted_once_the_game_has_been_left(page: Browser, next_games: list[NextGame]) -> None:
    assert page.do("delete_everything").status_code == 200 and next_games == [NextGame(erases=True)]


def test_a_guest_deletes_nothing_takes_nothing_and_brings_nothing(
    data_paths: DataPaths, picture_store: PictureStore
) -> None:
    table = Table(data_paths.games / "now.journal")
    games = Archive(data_paths.games)
    options = {
        "archive": games,
        "pictures": retention(data_paths, picture_store, 90),
        "next_game": pytest.fail,
    }
    page = page_of(table.session, guarding=Guard(pin="2468"), **options)
    assert "data-do" not in page.text("/privacy")
    assert 'id="import"' not in page.text("/games")
    assert "/delete" not in page.text("/games/old")
    assert page.client.get("/games/old/delete").status_code == 404
    for command in ("delete_pictures", "delete_everything", "keep_pictures", "delete_game"):
        assert page.do(command, days="0", game="old").status_code == 403
    assert page.client.get("/games.jsonl").status_code == 403
    assert bring(page, b"").status_code == 403
    assert len(data_paths.picture_stores()) == 2


def bring(page: Browser, content: bytes, language: str = "en", token: str | None = None) -> Any:
    headers = {"X-Companion-Token": token or page.token}
    return page.client.post(f"/games.jsonl?lang={language}", data=content, headers=headers)


@pytest.mark.parametrize("language", LANGUAGES)
def test_games_are_exported_from_the_page_and_imported_elsewhere(
    page: Browser, tmp_path: Path, language: str
) -> None:
    answer = page.client.get("/games.jsonl")
    assert "attachment" in answer.headers["Content-Disposition"]
    there = tmp_path / "there"
    there.mkdir()
    other = page_of(Table().session, archive=Archive(there))
    lines = bring(other, answer.data + b"{broken\n", language).get_json()["messages"]
    assert len(lines) == 2 and "4" in lines[1]
    assert "".join(exported_lines(Archive(there))).encode() == answer.data
    shown = other.text("/games?all")
    assert all(f'href="/games/{name}"' in shown for name in ("old", "new", "~now"))


def test_a_file_that_is_too_large_or_from_elsewhere_is_refused(page: Browser) -> None:
    assert bring(page, b"x" * 16_000_001).status_code == 413
    assert bring(page, b"", token="guess").status_code == 403


def test_a_disk_that_cannot_be_written_is_reported(
    page: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, lines: object) -> None:
        raise JournalError("the disk is full")

    content = page.client.get("/games.jsonl").data
    there = tmp_path / "there"
    there.mkdir()
    monkeypatch.setattr("companion.archive.folder.create", full)
    answer = bring(page_of(Table().session, archive=Archive(there)), content)
    assert answer.status_code == 422 and "disk" in answer.get_json()["error"]


@pytest.mark.browser
def test_games_are_imported_and_pictures_deleted_by_taps(
    data_paths: DataPaths,
    picture_store: PictureStore,
    serve: Any,
    visit: Any,
    tmp_path: Path,
    next_games: list[NextGame],
) -> None:
    """A file with a game that is not here and a line that is broken; then a page about stored data."""
    table = Table(data_paths.games / "now.journal")
    games = Archive(data_paths.games)
    options = {
        "archive": games,
        "pictures": retention(data_paths, picture_store, 90),
        "next_game": next_games.append,
    }
    page = visit(serve(table.session, **options), path="/games")
    file = tmp_path / "games.jsonl"
    file.write_bytes((GOLDEN / "version-2.jsonl").read_bytes() + b"{broken\n")
    page.set_input_files("#import input", str(file))
    page.locator("#import-report p").nth(1).wait_for()
    assert "Line 2" in page.inner_text("#import-report")
    page.locator("a[href='/games/version-2']").wait_for()
    page.click("a[href='/games/version-2']")
    page.click("a[href='/games/version-2/delete']")
    with page.expect_navigation(url="**/games"):
        page.click("form[data-do=delete_game] button")
    assert page.locator("a[href='/games/version-2']").count() == 0
    page.click("a[href='/privacy']")
    page.click("text=Delete all pictures")
    with page.expect_navigation():
        page.click("form[data-do=delete_pictures] button")
    assert [path.name for path in data_paths.picture_stores()] == [
        "now.journal.album"
    ] and picture_store.for_entry(3) == []
    page.click("text=Delete everything")
    page.click("form[data-do=delete_everything] button")
    page.locator("#toast.shown").wait_for()
    assert next_games == [NextGame(erases=True)]


# --- with a PIN --------------------------------------------------------------------------------------------


def test_secrets_are_never_shown_and_everything_is_deleted_from_the_page(tmp_path: Path) -> None:
    """The PIN and the key are in no output, on no page and in no list of processes, whatever goes wrong."""
    pin = "73519-secret"
    companion = Companion(tmp_path, TABLE_COMPANION_PIN=pin)
    try:
        home = companion.games.parent
        seen = [companion.page('id="pin"')]
        token = seen[0].split('data-token="')[1].split('"')[0]
        assert companion.post("/pin", {"pin": pin}, "X-Token", token) == 200
        companion.begin(ANNA, YVES)
        seen.append(companion.page(">Anna</button>"))
        key = (home / "page.key").read_bytes()
        seen += map(
            companion.answer, ("/join", "/snapshot", "/none", "/games", "/privacy", "/games/now/game.json")
        )
        seen += [
            companion.answer("/pin", b'{"pin": "00000"}'),
            companion.answer("/do", b"{"),
            companion.answer("/do", b"[]"),
        ]
        seen.append(Path(f"/proc/{companion.process.pid}/cmdline").read_text())
        companion.do(do="delete_everything")
        seen.append(companion.page('id="pin"'))  # the key of the cookies is deleted
        assert (home / "page.key").read_bytes() != key
        left = {path.name for path in companion.games.glob("*.journal*")}
        assert all(b"Anna" not in (companion.games / name).read_bytes() for name in left)
        assert {name for name in left if ".album" in name} == set()
    finally:
        seen.append(companion.end())
    assert all(secret not in text for text in seen for secret in (pin, key.hex(), repr(key)[2:-1]))


@pytest.mark.parametrize("name", ["settings.json", "settings.json.damaged"])
def test_unusable_settings_neither_add_nor_delete_pictures_until_people_choose(
    data_paths: DataPaths, picture_store: PictureStore, name: str
) -> None:
    settings = data_paths.games.parent / "settings.json"
    settings.unlink()
    settings.with_name(name).write_text("{")
    before = len(data_paths.picture_stores())
    pictures = PictureRetention(data_paths, picture_store, settings, clock=lambda: NOW)
    pictures.close()
    assert not picture_store.enabled and len(data_paths.picture_stores()) == before
    pictures.set_days(30)
    assert picture_store.enabled and len(data_paths.picture_stores()) < before
    assert Settings.load(settings).picture_days == 30


def test_how_long_pictures_are_stored_is_set_in_the_place_of_unusable_settings(home: Path) -> None:
    (home / "settings.json").write_text("{")
    result = run(home, "keep-pictures", "30", "--language", "en")
    assert result.exit_code == 0 and "settings.json.damaged" in result.stderr
    assert Settings.load(home / "settings.json").picture_days == 30
    assert (home / "settings.json.damaged").read_text() == "{"


def test_everything_that_is_deleted_takes_settings_that_were_quarantined_along(
    home: Path, data_paths: DataPaths
) -> None:
    (home / "settings.json.damaged").write_text("{")
    with closing(Archive(data_paths.games)) as archive:
        erase_everything(data_paths, archive)
    assert not (home / "settings.json.damaged").exists()


@pytest.mark.parametrize(
    "words", [("games", "delete", "old"), ("privacy", "delete-everything"), ("privacy", "delete-pictures")]
)
@pytest.mark.parametrize(
    ("language", "begin"), [("en", "Not everything could be deleted"), ("fr", "Tout n’a pas pu être effacé")]
)
def test_files_that_remain_are_named_in_a_sentence(
    home: Path, words: tuple[str, ...], language: str, begin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(path: Path, **_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    monkeypatch.setattr(Path, "unlink", read_only)
    monkeypatch.setenv("TABLE_COMPANION_DATA", str(home))
    result = CliRunner().invoke(main, [*words, "--yes", "--language", language])
    assert_exits(result, 1, f"companion: {begin}", "old.journal")
