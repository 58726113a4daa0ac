"""Export and import of games between companions."""

from __future__ import annotations

import errno
import io
import json
import random
import re
import shutil
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.archive import Archive, new_journal_path
from companion.archive.folder import INDEX
from companion.archive.folder_lock import FolderBusyError, FolderEmptiedError
from companion.archive.transfer import (
    ADDED,
    FORMAT,
    KNOWN,
    LONGEST_LINE,
    MAX_REFUSED,
    REFUSED,
    UNREAD,
    VERSIONS,
    exported_lines,
    game_in,
    import_lines,
    line_of,
    lines_of,
    summarize,
)
from companion.cli.main import main
from companion.journal import Journal, JournalError, read_records, replay
from companion.journal.reading import read_lines
from companion.journal.record import body_text, chained
from companion.players.bots import greedy_bot
from companion.privacy.erasure import DataPaths, erase_everything
from companion.session import CommandRejectedError, TableSession
from companion.text.catalogue import LANGUAGES, texts
from companion.virtual.demo import demo_setup
from tests.archive.test_archive import RULES, play
from tests.cli.test_main import assert_exits, run
from tests.support.pages import create_app
from tests.support.paths import DOCS, GOLDEN
from tests.support.present import present
from tests.support.solo import next_move
from tests.support.tables import Table


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished game, one that was left, and one of the first version."""
    folder = tmp_path_factory.mktemp("games")
    play(folder / "2026-05-01.journal", 1, names={"red": "Zoé", "blue": "Yves"})
    play(folder / "2026-05-02.journal", 2, names={"red": "Zoé"}, chateauma="hard", moves=30)
    shutil.copy(GOLDEN / "version-1.journal", folder / "old.journal")
    return folder


@pytest.fixture
def lines(past: Path) -> list[bytes]:
    return [line.encode() for line in exported_lines(Archive(past))]


@pytest.fixture
def here(tmp_path: Path) -> Archive:
    (tmp_path / "here").mkdir()
    return Archive(tmp_path / "here")


def outcomes(here: Archive, *source: bytes) -> list[tuple[int, str, str | None]]:
    return [(one.number, one.outcome, one.name) for one in import_lines(here, source)]


def test_imported_games_equal_the_played_ones(past: Path, lines: list[bytes], here: Archive) -> None:
    """The same records with the same digests, and the same result."""
    names = ["2026-05-01", "2026-05-02", "old"]
    assert outcomes(here, *lines) == [(i, ADDED, name) for i, name in enumerate(names, 1)]
    for name in names:
        assert read_lines(here.path(name)) == read_lines(past / f"{name}.journal")
        assert here.game(name).record == Archive(past).game(name).record


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 40), st.text(max_size=20), st.lists(st.booleans(), max_size=3))
def test_any_game_comes_back_as_it_was(seed: int, moves: int, name: str, undone: list[bool]) -> None:
    """Played so far, named anything, taken back and done again."""
    setup = {**demo_setup(2 + seed % 3, seed), "names": {"red": name}}
    session = TableSession(RULES, Journal(":memory:"), setup)
    state: Any = RULES.new(setup)
    rng, bot = random.Random(seed), greedy_bot(seed)
    for _ in range(moves):
        move = next_move(state, rng, bot)
        RULES.apply(state, move)
        session.tap(str(move))
    for again in undone:
        with suppress(CommandRejectedError):  # there is nothing left to take back
            session.undo()
            if again:
                session.redo()
    before = session.journal.lines()
    assert game_in(line_of("game", before).encode()) == ("game", before)


def test_an_existing_game_is_reported_as_known(past: Path, lines: list[bytes]) -> None:
    before = {path: path.read_bytes() for path in past.glob("*.journal")}
    results = [outcome for _, outcome, _ in outcomes(Archive(past), *lines)]
    assert results == [KNOWN] * 3
    assert {path: path.read_bytes() for path in past.glob("*.journal")} == before


def test_a_game_that_has_gone_on_since_is_known(past: Path, here: Archive, lines: list[bytes]) -> None:
    outcomes(here, lines[2])
    journal = Journal(here.path("old"))
    journal.append("names", {"names": {"red": "Ida"}})
    journal.close()
    assert outcomes(here, lines[2]) == [(1, KNOWN, "old")]


def test_the_game_on_the_table_is_known_though_its_file_is_held(past: Path, lines: list[bytes]) -> None:
    journal = Journal(past / "2026-05-02.journal")
    archive = Archive(past)
    (one,) = import_lines(archive, [lines[1]], journal)
    assert one.outcome == KNOWN
    assert [json.loads(line)["name"] for line in exported_lines(archive, journal)] == archive.names()
    journal.close()


def test_another_game_of_the_same_name_gets_a_number(here: Archive, lines: list[bytes]) -> None:
    outcomes(here, lines[0])
    other = {**json.loads(lines[2]), "name": "2026-05-01"}
    assert outcomes(here, json.dumps(other).encode()) == [(1, ADDED, "2026-05-01-2")]
    assert here.names() == ["2026-05-01", "2026-05-01-2"]


def test_pictures_that_remain_of_a_deleted_game_are_not_given_to_another(
    here: Archive, lines: list[bytes]
) -> None:
    (here.folder / "old.journal.album").write_bytes(b"")
    assert outcomes(here, lines[2]) == [(1, ADDED, "old-2")]


def test_an_imported_game_has_the_file_time_of_its_last_record(here: Archive, lines: list[bytes]) -> None:
    """``play`` goes on with the game whose file changed last."""
    outcomes(here, lines[2])
    path = here.path("old")
    changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    assert read_records(path)[-1].at == changed.isoformat(timespec="milliseconds")


@pytest.mark.parametrize("version", VERSIONS)
def test_a_line_of_every_version_is_imported(here: Archive, version: int) -> None:
    """Exported by a companion of that version; it is the golden journal's game."""
    line = (GOLDEN / f"version-{version}.jsonl").read_bytes()
    name, carried = game_in(line)
    assert [one.record() for one in carried] == read_records(GOLDEN / f"{name}.journal")


def test_the_documented_line_is_imported(here: Archive) -> None:
    document = (DOCS / "journal.md").read_text(encoding="utf-8")
    line = document.split("```json\n")[1].split("```")[0].replace("\n", "")
    assert outcomes(here, line.encode()) == [(1, ADDED, "2026-11-29")]


Change = Callable[[dict[str, Any]], Any]


def _with_version(version: object) -> Change:
    return lambda game: game.update(version=version)


def _in_record(number: int, **fields: Any) -> Change:
    return lambda game: game["records"][number]["body"].update(fields)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda game: game.update(format="something else"), "no_game"),
        (lambda game: game.update(version=3), "other_version"),
        *((_with_version(version), "no_version") for version in (None, True, 1, -1, "2", 2.0, [2])),
        (lambda game: game.pop("version"), "no_version"),
        (lambda game: game.pop("digest"), "changed"),
        (lambda game: game["records"].pop(), "changed"),
        (lambda game: game["records"][3].update(at="2020-01-01T00:00:00.000+00:00"), "changed"),
        (_in_record(0, names={"red": "Ida"}), "changed"),
        (lambda game: game.update(records=[]), "does_not_replay"),
        (lambda game: game["records"][0]["body"].update(game="chess"), "unknown_game"),
        (lambda game: game["records"][0]["body"].update(rules_version=99), "unknown_game"),
        (lambda game: game.update(records=None), "does_not_replay"),
        (lambda game: game["records"].pop(0), "does_not_replay"),
        (lambda game: game["records"][3].update(at="yesterday"), "does_not_replay"),
        (lambda game: game["records"][3].update(kind="magic"), "does_not_replay"),
        (_in_record(0, names={"red": "x" * 1000}), "does_not_replay"),
        (_in_record(0, names={"red": ["Ida"]}), "does_not_replay"),
        (_in_record(0, players=[]), "does_not_replay"),
        (_in_record(3, moves=["castle red 99"]), "does_not_replay"),
        (_in_record(3, hash="0" * 64), "does_not_replay"),
        (_in_record(3, by=7), "does_not_replay"),
        (_in_record(3, probability="much"), "does_not_replay"),
    ],
)
def test_a_line_that_was_changed_is_refused(
    lines: list[bytes], here: Archive, change: Change, code: str
) -> None:
    game = json.loads(lines[2])
    change(game)
    (one,) = import_lines(here, [json.dumps(game).encode()])
    assert one.rejection is not None and (one.outcome, one.rejection.code) == (REFUSED, code)
    assert here.names() == []


@pytest.mark.parametrize("line", [b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"a": NaN}'])
def test_a_line_that_is_no_game_is_named_and_the_others_are_imported(
    here: Archive, lines: list[bytes], line: bytes
) -> None:
    results = outcomes(here, lines[1], line, b"\n", lines[2])
    assert results == [(1, ADDED, "2026-05-02"), (2, REFUSED, None), (4, ADDED, "old")]


def test_bytes_that_are_no_text_are_called_so(here: Archive) -> None:
    (one,) = import_lines(here, [b"\xff\xd8\xff\xe0"])
    assert one.rejection is not None and one.rejection.detail == "it is not a text in UTF-8"


@pytest.mark.parametrize("name", ["../../evil", "/etc/passwd", "", ".hidden", "a\0b", "é" * 60, None, 7])
def test_a_name_that_is_no_files_gives_way_to_the_day(
    here: Archive, lines: list[bytes], name: object
) -> None:
    game = {**json.loads(lines[2]), "name": name}
    day = game["records"][0]["at"][:10]
    assert outcomes(here, json.dumps(game).encode()) == [(1, ADDED, day)]
    assert [path.name for path in here.folder.parent.rglob("*.journal")] == [f"{day}.journal"]


def test_a_damaged_journal_is_reported_and_the_others_are_written(past: Path, tmp_path: Path) -> None:
    shutil.copy(past / "old.journal", tmp_path / "good.journal")
    (tmp_path / "bad.journal").write_text("this is no database")
    skipped: list[str] = []
    (line,) = exported_lines(Archive(tmp_path), unreadable=lambda name, why: skipped.append(name))
    assert json.loads(line)["name"] == "good" and skipped == ["bad"]


def test_a_disk_that_cannot_be_written_stores_no_half_of_a_game(
    here: Archive, lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, lines: object) -> None:
        raise JournalError("the disk is full")

    monkeypatch.setattr("companion.archive.folder.create", full)
    with pytest.raises(JournalError):
        list(import_lines(here, lines))
    assert here.names() == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_sentence(language: str) -> None:
    codes = (
        "not_json",
        "journal",
        "no_game",
        "no_version",
        "other_version",
        "does_not_replay",
        "changed",
        "too_long",
    )
    assert {f"transfer.{code}" for code in codes} <= texts(language).keys()


# --- a game is validated before it is imported ------------------------------------------------------------------


def chained_anew(game: dict[str, Any]) -> bytes:
    """*game* as a line, with the digest that its records have now."""
    stored = ((r["at"], r["kind"], body_text(r["body"])) for r in game["records"])
    return json.dumps({**game, "digest": chained(stored)[-1].digest}).encode()


def _turn(game: dict[str, Any]) -> dict[str, Any]:
    """The body of a record that holds somebody's turn."""
    moves = (r["body"] for r in game["records"] if r["kind"] == "moves")
    turn: dict[str, Any] = next(body for body in moves if body["player"])
    return turn


def _nobodys(game: dict[str, Any]) -> dict[str, Any]:
    """The body of a record about the table, such as a deal."""
    moves = (r["body"] for r in game["records"] if r["kind"] == "moves")
    body: dict[str, Any] = next(body for body in moves if body["player"] is None)
    return body


def _at(moment: str) -> Change:
    return lambda game: [record.update(at=moment) for record in game["records"]]


UNPLAYABLE: dict[str, Change] = {
    "year 2263": _at("2263-01-01T00:00:00.000+00:00"),
    "year 9999": _at("9999-12-31T23:59:59.999-12:00"),
    "year 1": _at("0001-01-01T00:00:00.000+14:00"),
    "no time zone": _at("2026-05-01T20:00:00.000"),
    "a bot that there is not": lambda game: game["records"][0]["body"]["players"][0].update(bot="x"),
    "a bot that is no name": lambda game: game["records"][0]["body"]["players"][0].update(bot={}),
    "bots alone": lambda game: [p.update(bot="greedy") for p in game["records"][0]["body"]["players"]],
    "a colour that nobody has": lambda game: game["records"][0]["body"]["players"].__setitem__(
        1, {"colour": "pink", "duchy": "se-1"}
    ),
    "one player": lambda game: game["records"][0]["body"]["players"].pop(),
    "options that are no moves": lambda game: _turn(game).update(options=["dance"]),
    "options without end": lambda game: _turn(game).update(options=["end"] * 1000),
    "dice without end": lambda game: _turn(game).update(
        dice=[{"value": 1, "colour": "red", "box": [0, 0, 1, 1], "confidence": 1}] * 1000
    ),
    "an open turn that is nobody's": lambda game: _nobodys(game).update(options=["end"]),
    "options that are no texts": lambda game: _turn(game).update(options=[7]),
    "a turn that is called adjusted": lambda game: _turn(game).update(by="adjusted"),
    "confirmed by nobody knows what": lambda game: _turn(game).update(by="magic"),
    "a turn without moves": lambda game: _turn(game).update(moves=[]),
    "the turn of nobody there": lambda game: _turn(game).update(player="pink"),
    "dice that are none": lambda game: _turn(game).update(
        dice=[{"value": "x", "colour": 1, "box": [0, 0, "x", 1], "confidence": 1}]
    ),
    "units that are no numbers": lambda game: game["records"].append(
        {"at": game["records"][-1]["at"], "kind": "undo", "body": {"units": ["x"]}}
    ),
    "a second set-up": lambda game: game["records"].append(game["records"][0]),
    "the name of somebody who is not there": _in_record(0, names={"pink": "Ida"}),
    "names that are a list": _in_record(0, names=["Ida"]),
    "a body that is a list": lambda game: game["records"][2].update(body=[]),
}


@pytest.mark.parametrize("change", UNPLAYABLE.values(), ids=UNPLAYABLE)
def test_what_could_not_be_played_on_is_refused_and_the_others_are_imported(
    lines: list[bytes], here: Archive, change: Change
) -> None:
    """Its digests are right: somebody has made them anew."""
    game = json.loads(lines[0])
    change(game)
    assert [o for _, o, _ in outcomes(here, lines[1], chained_anew(game), lines[2])] == [
        ADDED,
        REFUSED,
        ADDED,
    ]
    assert here.names() == ["2026-05-02", "old"]
    assert all(one.error is None for one in here.games())


def test_an_undone_turn_that_cannot_be_done_again_is_refused(lines: list[bytes], here: Archive) -> None:
    """Its effective entries are valid, but people may tap *Redo*."""
    game = json.loads(lines[1])
    last = {**game["records"][-1]["body"], "hash": "0" * 64}
    game["records"] += [
        {**game["records"][-1], "body": last},
        {"at": game["records"][-1]["at"], "kind": "undo", "body": {"units": [len(game["records"]) + 1]}},
    ]
    assert outcomes(here, chained_anew(game)) == [(1, REFUSED, None)]


def test_names_that_control_text_are_imported_and_shown_clean(lines: list[bytes], here: Archive) -> None:
    """The game is the same as it was there, digests and all."""
    game = json.loads(lines[0])
    _in_record(0, names={"red": "x\x07y"})(game)
    ((_, _, name),) = outcomes(here, chained_anew(game))
    record = here.game(str(name)).record
    assert record is not None and record.seat("red").name == "xy"


# --- files that are no file of games ----------------------------------------------------------------------


def test_after_some_lines_that_are_none_the_others_are_only_counted(
    here: Archive, lines: list[bytes]
) -> None:
    count, refused = summarize(import_lines(here, [lines[2], *[b"x\n"] * 1000, lines[1]]))
    assert count == {ADDED: 1, KNOWN: 0, REFUSED: MAX_REFUSED, UNREAD: 1000 - MAX_REFUSED + 1}
    assert [one.number for one in refused] == list(range(2, MAX_REFUSED + 2))
    assert here.names() == ["old"]


@pytest.mark.parametrize(
    "records",
    [[{}], ["x"], [7], [{"at": 1}], {"at": 1}, 7, [{"at": "", "kind": "setup", "body": {"a": [[]] * 2}}]],
)
def test_the_error_of_a_refused_line_is_not_in_words_for_programmers(here: Archive, records: object) -> None:
    line = {"format": FORMAT, "version": VERSIONS[-1], "records": records}
    (one,) = import_lines(here, [json.dumps(line).encode()])
    assert one.rejection is not None
    assert not re.search("indices|subscriptable|iterable|object|None|^'[^']*'$", one.rejection.detail)


def test_the_error_of_a_refused_line_is_short(here: Archive, lines: list[bytes]) -> None:
    """No exception with its traceback, and no quotation of the complete line."""
    game = json.loads(lines[2])
    _in_record(3, moves=["x" * 100_000])(game)
    (one,) = import_lines(here, [chained_anew(game)])
    assert one.rejection is not None and len(one.rejection.detail) <= 200


def test_a_line_that_is_too_long_is_refused_and_never_held_completely(
    here: Archive, lines: list[bytes]
) -> None:
    source = io.BytesIO(b"x" * (3 * LONGEST_LINE) + b"\n" + lines[2])
    read = list(lines_of(source))
    assert [len(line) for line in read] == [LONGEST_LINE + 1, len(lines[2])]
    one, two = import_lines(here, read)
    assert one.rejection is not None and one.rejection.code == "too_long"
    assert (two.number, two.outcome) == (2, ADDED)


def test_a_body_is_read_in_blocks(lines: list[bytes]) -> None:
    """Servers hand over streams without a buffer: read byte by byte, they take seconds."""

    class Stream(io.RawIOBase):
        reads = 0

        def readable(self) -> bool:
            return True

        def readinto(self, into: Any) -> int:
            self.reads += 1
            content = body.read(len(into))
            into[: len(content)] = content
            return len(content)

    body = io.BytesIO(b"".join(lines))
    stream = Stream()
    assert list(lines_of(stream)) == lines
    assert stream.reads < len(b"".join(lines)) / 1000


# --- all are deleted during an import -------------------------------------------------------------


def test_a_deletion_stops_an_import(here: Archive, lines: list[bytes]) -> None:
    importing = import_lines(here, lines)
    assert next(importing).outcome == ADDED
    deleting = threading.Thread(target=erase_everything, args=(DataPaths(here.folder), here))
    deleting.start()
    while not here.lock.is_deleting_all:
        time.sleep(0.001)
    with pytest.raises(FolderEmptiedError):
        next(importing)
    deleting.join()
    assert here.names() == []


def test_nothing_is_imported_while_all_is_deleted(here: Archive, lines: list[bytes]) -> None:
    with here.lock.deleting_all(), pytest.raises(FolderEmptiedError, match="when that has ended"):
        list(import_lines(here, lines))
    assert here.names() == []


def test_an_import_waits_for_no_deletion_of_another_companion_without_end(here: Archive) -> None:
    with (
        Archive(here.folder).lock.deleting_all(),
        pytest.raises(FolderBusyError, match="import these when that has ended"),
        here.lock.adding_games(wait_s=0.1),
    ):
        pass


def test_two_imports_at_once_add_each_game_once(here: Archive, lines: list[bytes]) -> None:
    """They begin together, as two companions, and each has games that the other one has, too."""
    first = import_lines(here, lines)
    assert next(first).outcome == ADDED
    with ThreadPoolExecutor() as threads:
        second = threads.submit(list, import_lines(Archive(here.folder), lines))
        assert [one.outcome for one in first] == [ADDED] * (len(lines) - 1)
        assert [one.outcome for one in second.result(timeout=20)] == [KNOWN] * len(lines)
    assert len(here.names()) == len(lines)


def test_a_name_that_is_taken_at_the_same_moment_overwrites_no_game(
    here: Archive, lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def take_name(folder: Path, name: str) -> Path:
        path = new_journal_path(folder, name)
        if path.name == "old.journal":
            path.write_text("begun at this moment")
        return path

    monkeypatch.setattr("companion.archive.folder.new_journal_path", take_name)
    assert outcomes(here, lines[2]) == [(1, ADDED, "old-2")]
    assert (here.folder / "old.journal").read_text() == "begun at this moment"


def test_a_deletion_waits_for_no_import_of_another_companion_without_end(here: Archive) -> None:
    with (
        Archive(here.folder).lock.adding_games(),
        pytest.raises(FolderBusyError, match="when that has ended"),
        here.lock.deleting_all(wait_s=0.1),
    ):
        pass


def test_nothing_is_deleted_while_another_companion_imports(
    here: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(here.lock, "deleting_all", partial(here.lock.deleting_all, wait_s=0.1))
    with (
        Archive(here.folder).lock.adding_games(),
        pytest.raises(FolderBusyError, match="when that has ended"),
    ):
        erase_everything(DataPaths(here.folder), here)


def test_a_database_of_a_companion_in_place_of_an_export_is_named_as_such(here: Archive) -> None:
    for path in (GOLDEN / "version-1.journal", here.folder / INDEX):
        with path.open("rb") as database:
            (one,) = import_lines(here, lines_of(database))
        assert present(one.rejection).code == "journal" and here.names() == []


def test_games_can_be_imported_once_all_were_deleted(here: Archive, lines: list[bytes]) -> None:
    outcomes(here, lines[2])
    erase_everything(DataPaths(here.folder), here)
    assert outcomes(here, lines[2]) == [(1, ADDED, "old")]


# --- the command line -------------------------------------------------------------------------------------


def test_games_go_from_one_folder_to_another(past: Path, tmp_path: Path) -> None:
    file, there = tmp_path / "all.jsonl", tmp_path / "there"
    assert_exits(run("games", "export", file, "--folder", past), 0)
    assert file.read_text(encoding="utf-8").count("\n") == 3
    result = run("games", "import", file, "--folder", there)
    assert result.exit_code == 0 and "3 games added, 0 already here" in result.stdout
    listed = [
        json.loads(line) for line in run("games", "list", "--json", "--folder", there).stdout.splitlines()
    ]
    assert {one["name"]: one["over"] for one in listed}["2026-05-01"] is True
    assert "Zoé" in run("games", "list", "--folder", there).stdout
    for path in there.glob("*.journal"):
        *_, (entry, state) = replay(RULES, read_records(path))
        assert state.state_hash() == entry.state_hash


def test_an_export_replaces_no_file(past: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    file.write_text("mine")
    assert_exits(run("games", "export", file, "--folder", past), 1, "already", "choose a new name")
    assert file.read_text() == "mine"


@pytest.mark.parametrize("place", ["none/all.jsonl", "old.txt/all.jsonl"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_where_nothing_can_be_written_an_export_names_the_cure(
    past: Path, tmp_path: Path, place: str, language: str
) -> None:
    (tmp_path / "old.txt").write_text("mine")
    result = run("games", "export", tmp_path / place, "--folder", past, "--language", language)
    assert_exits(
        result, 1, str(tmp_path / place), {"en": "choose a file", "fr": "choisissez un fichier"}[language]
    )
    assert "Errno" not in result.output


def test_an_export_that_ends_half_way_leaves_no_file(
    past: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(name: str, lines: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("companion.archive.transfer.line_of", full)
    result = run("games", "export", tmp_path / "all.jsonl", "--folder", past)
    assert_exits(result, 1, "cannot be written (No space left on device)")
    assert list(tmp_path.iterdir()) == []


def test_a_dash_exports_to_standard_output_and_nothing_but_games(
    past: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("games", "export", "-", "--folder", past)
    assert result.exit_code == 0 and not (tmp_path / "-").exists()
    assert len([json.loads(line) for line in result.stdout.splitlines()]) == 3


def test_what_is_no_file_is_not_imported(tmp_path: Path) -> None:
    assert_exits(run("games", "import", "/dev/zero", "--folder", tmp_path), 1, "/dev/zero is not a file")


def test_an_import_of_no_games_is_reported_in_a_few_lines(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ida,\n" * 1000)
    result = run("games", "import", file, "--folder", tmp_path / "there")
    assert result.exit_code == 1 and len(result.stderr.splitlines()) == MAX_REFUSED + 2
    assert "980 further lines were not read" in result.stderr


def test_games_that_are_not_listed_are_counted_and_shown_with_all(past: Path, tmp_path: Path) -> None:
    shutil.copy(past / "2026-05-01.journal", tmp_path / "a.journal")
    shutil.copy(past / "2026-05-01.journal", tmp_path / "b.journal")
    listed = run("games", "list", "--folder", tmp_path)
    assert [line.split()[0] for line in listed.stdout.splitlines()] == ["a"]
    assert "1 game is not listed" in listed.stderr and "--all" in listed.stderr
    with_all = run("games", "list", "--all", "--folder", tmp_path)
    assert [line.split()[0] for line in with_all.stdout.splitlines()] == ["a", "b"]
    assert "the same as a" in with_all.stdout and with_all.stderr == ""


def test_a_journal_that_cannot_be_read_is_listed_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "my game.journal").write_text("this is no database")
    output = run("games", "list", "--folder", tmp_path).stderr
    assert "my game cannot be read" in output and f"delete --folder {tmp_path} 'my game' removes it" in output


def test_a_game_that_is_being_played_is_not_offered_for_removal(past: Path, tmp_path: Path) -> None:
    shutil.copy(past / "2026-05-01.journal", tmp_path / "a.journal")
    with closing(Journal(tmp_path / "a.journal")):
        output = run("games", "list", "--folder", tmp_path).stderr
    assert "another companion is using it" in output and "games delete" not in output


def test_a_name_like_an_option_is_listed_with_words_that_remove_it(tmp_path: Path) -> None:
    (tmp_path / "-x.journal").write_text("this is no database")
    assert "-- -x removes it" in run("games", "list", "--folder", tmp_path).stderr


@pytest.mark.parametrize("words", [["list"], ["export", "all.jsonl"], ["delete", "a"]])
def test_no_folder_is_made_where_games_are_looked_for(tmp_path: Path, words: list[str]) -> None:
    result = run("games", *words, "--folder", tmp_path / "none")
    assert_exits(result, 1, f"there is no folder {tmp_path / 'none'}", "check the name")
    assert not (tmp_path / "none").exists()


def test_games_are_imported_into_a_new_folder_but_not_into_several(past: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    assert_exits(run("games", "export", file, "--folder", past), 0)
    result = run("games", "import", file, "--folder", tmp_path / "none" / "there")
    assert_exits(result, 1, f"there is no folder {tmp_path / 'none'}")


@pytest.mark.parametrize(("answer", "left"), [("n\n", ["a", "b"]), ("y\n", ["b"])])
def test_a_game_is_deleted_after_one_question(
    past: Path, tmp_path: Path, answer: str, left: list[str]
) -> None:
    games, env = tmp_path / "games", {"TABLE_COMPANION_DATA": str(tmp_path)}
    games.mkdir()
    for name in ("a", "b"):
        shutil.copy(past / "2026-05-01.journal", games / f"{name}.journal")
    result = CliRunner().invoke(main, ["games", "delete", "a"], env=env, input=answer)
    assert "Zoé" in result.output and "is deleted for good" in result.output
    assert sorted(path.stem for path in games.glob("*.journal")) == left


def test_a_game_that_is_not_there_or_is_played_is_not_deleted(past: Path, tmp_path: Path) -> None:
    shutil.copy(past / "old.journal", tmp_path / "old.journal")
    assert_exits(
        run("games", "delete", "none", "--yes", "--folder", tmp_path), 1, "no game none", "games list"
    )
    journal = Journal(tmp_path / "old.journal")
    assert_exits(run("games", "delete", "old", "--yes", "--folder", tmp_path), 1, "is playing", "old.journal")
    journal.close()
    assert (tmp_path / "old.journal").exists()


def test_an_import_names_the_line_that_it_leaves_out(lines: list[bytes], tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    file.write_bytes(lines[2] + b"{broken\n")
    result = run("games", "import", file, "--folder", tmp_path / "there")
    assert result.exit_code == 1 and "1 game added" in result.stdout
    assert "Line 2 was left out" in result.stderr and "Traceback" not in result.output


# --- lines that somebody has made up ----------------------------------------------------------------------

JUNK: tuple[Any, ...] = (None, True, -1, 10**9, 1.5, "", "x", "é" * 50, [], {}, [[]], {"a": []})


def garbled(game: dict[str, Any], rng: random.Random) -> bytes:
    """*game* with one value somewhere replaced, and its digest made anew."""
    within: Any = rng.choice(game["records"])
    while True:
        keys = list(within) if isinstance(within, dict) else list(range(len(within)))
        key = rng.choice(keys)
        if rng.random() < 0.5 and isinstance(within[key], dict | list) and within[key]:
            within = within[key]
            continue
        within[key] = rng.choice(JUNK)
        break
    with suppress(TypeError, AttributeError, KeyError):  # then there is nothing to make a digest of
        stored = ((r["at"], r["kind"], body_text(r["body"])) for r in game["records"])
        game["digest"] = chained(stored)[-1].digest
    return json.dumps(game).encode()


def play_on(path: Path) -> None:
    """Opens the journal as ``play`` does, and taps what a page offers there."""
    journal = Journal(path)
    try:
        session = TableSession(RULES, journal)
        for tap in (session.undo, session.redo, session.confirm, session.next_alternative):
            with suppress(CommandRejectedError):
                tap()
        session.snapshot()
    finally:
        journal.close()


def test_whatever_is_garbled_is_refused_in_words_or_can_be_shown(lines: list[bytes], here: Archive) -> None:
    rng, refused = random.Random(1), 0
    client = create_app(Table().session, archive=here).test_client()
    for number in range(300):
        game = json.loads(rng.choice(lines[1:]))
        for one in import_lines(here, [garbled(game, rng)]):
            refused += one.outcome == REFUSED
            if one.outcome == ADDED:
                play_on(here.path(str(one.name)))
                for path in (
                    f"/games/{one.name}",
                    f"/games/{one.name}/replay/1",
                    f"/games/{one.name}/game.csv",
                ):
                    assert client.get(path).status_code == 200, (number, path)
    assert refused > 100
    assert client.get("/games").status_code == 200
