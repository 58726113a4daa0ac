"""Which game a start opens: the requested one or an existing one; no file in the folder prevents the start."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from companion.archive import Archive
from companion.cli.games.burgundy.play import PlayedBurgundy
from companion.cli.main import main
from companion.doctor import Machine
from companion.doctor.storage import disk, games
from companion.games.burgundy.rules.setup_validation import PLAYER_COLOURS
from companion.games.registry import GAME, RULES_VERSION
from companion.journal import Journal, JournalError, Record, read_records, setup_of
from companion.journal.disk_errors import UnusableError
from companion.journal.files import LARGEST_BYTES, is_journal, journals_in
from companion.journal.reading import read_lines
from companion.players.errors import SetupError
from companion.runtime.game_runner import latest_of
from companion.runtime.game_sequence import GameRequest, GameSequence, OtherGameError
from companion.runtime.resume import (
    EDITION,
    MODULES,
    OPPONENT,
    PLAYERS,
    RULE,
    TABLE,
    RequestedGame,
    unfinished,
)
from companion.runtime.resume import GAME as GAME_NAMED
from companion.session import TableSession
from companion.session.next_game import NextGame
from companion.storage.notices import StorageNotice
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.runtime.test_game_runner import Companion
from tests.support.other_games import more_games
from tests.support.tables import RULES, Table

DAY = "2026-11-29"


def setup_for(*pairs: str, edition: str = "special", **more: Any) -> dict[str, Any]:
    players = [dict(zip(("colour", "duchy"), pair.split(":"), strict=True)) for pair in pairs]
    return {"edition": edition, "players": players, **more}


def named_players(players: str, edition: str = "special") -> list[dict[str, Any]]:
    """Returns the players whom ``--players`` names."""
    seated = PlayedBurgundy(edition, {}, None).named(players)["players"]
    assert isinstance(seated, list)
    return seated


RED_BLUE = setup_for("red:se-1", "blue:se-7")
GREEN_BLACK = setup_for("green:se-3", "black:se-4")


class Start:
    """Starts a companion in one folder of games, without a page; each game ends at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.played: list[str] = []
        """The games that were opened, by name."""
        self.setups: list[Mapping[str, Any]] = []
        self.notices: list[list[StorageNotice]] = []
        self.headlines: list[str] = []
        self.output: list[str] = []
        self.next_games: list[Callable[[TableSession], NextGame | None]] = []
        """Requests for a next game, one for each game."""
        self.chosen = GREEN_BLACK
        """The setup that people choose on the page."""
        self.is_given_up = False
        """Whether the companion is ended instead."""
        self.backups: list[Path] = []

    def play(self, path: Path | None = None, *, unattended: bool = False, **request: Any) -> Start:
        with closing(Archive(self.folder)) as archive:
            sequence = GameSequence(
                SimpleNamespace(
                    play=self._play,
                    remark=self.output.append,
                    data_paths=SimpleNamespace(backups=self.backups),
                ),  # type: ignore[arg-type]
                archive,
                SimpleNamespace(seats=self._seats, with_print=lambda setup, *more: setup),  # type: ignore[arg-type]
                Translator("en"),
                day=DAY,
                on_table=None,
                edition="special",
                variant={},
                is_unattended=unattended,
            )
            path = path or unfinished(archive, DAY, time.time())
            sequence.play(GameRequest(path, **{"is_start": True, **request}))
        return self

    def _seats(self, *about: Any, **more: Any) -> Mapping[str, Any]:
        if self.is_given_up:
            raise KeyboardInterrupt
        return self.chosen

    def _play(
        self, session: TableSession, games: Archive, notices: list[StorageNotice], headline: str
    ) -> NextGame | None:
        self.played.append(Path(session.journal.path).stem)
        about = (GAME, RULES_VERSION)  # which every journal names
        self.setups.append({name: value for name, value in session.setup.items() if name not in about})
        self.notices.append(list(notices))
        self.headlines.append(headline)
        return self.next_games.pop(0)(session) if self.next_games else None

    @property
    def codes(self) -> list[str]:
        """Returns the codes of the latest game's notices."""
        return [notice.code for notice in self.notices[-1]]


@pytest.fixture
def start(tmp_path: Path) -> Start:
    (tmp_path / "games").mkdir()
    return Start(tmp_path / "games")


def written(path: Path, *records: tuple[str, Mapping[str, Any]]) -> Path:
    """Returns the path of a journal with these records, valid or not."""
    journal = Journal(path)
    journal.append_all(records)
    journal.close()
    return path


@pytest.mark.parametrize("named", [None, "mistyped.journal"])
def test_a_start_that_is_given_up_before_anybody_plays_leaves_no_game_to_continue(
    start: Start, named: str | None
) -> None:
    start.is_given_up = True
    with pytest.raises(KeyboardInterrupt):
        start.play(start.folder / named if named else None)
    assert journals_in(start.folder) == []


# --- a set-up is checked as a whole before it is written ---


@pytest.mark.parametrize(
    ("players", "why"),
    [
        ("red:se-99,blue:se-7", "se-1 to se-30"),
        ("red:se-1,red:se-2", "share a colour"),
        ("red:se-1", "not for 1"),
        ("red:se-1,blue:se-2,green:se-3,black:se-4,yellow:se-5", "not for 5"),
        ("purple:se-1,blue:se-7", "nobody has 'purple' pieces"),
        ("white:se-1,blue:se-7", "nobody has 'white' pieces"),
        ("red:2011-1,blue:se-7", "belongs to the 2011 edition"),
    ],
)
def test_players_with_whom_no_game_can_begin_are_refused_and_nothing_is_written(
    tmp_path: Path, players: str, why: str
) -> None:
    home = {"TABLE_COMPANION_DATA": str(tmp_path)}
    result = CliRunner().invoke(main, ["play", "--players", players, "--port", "0"], env=home)
    assert result.exit_code == 1 and why in result.stderr and len(result.stderr.splitlines()) == 1
    assert journals_in(tmp_path / "games") == []


def test_boards_of_the_special_edition_are_refused_in_a_game_of_2011(tmp_path: Path) -> None:
    given = ["play", "--edition", "2011", "--players", "red:se-1,blue:2011-2"]
    result = CliRunner().invoke(main, given, env={"TABLE_COMPANION_DATA": str(tmp_path)})
    assert result.exit_code == 1 and "2011-1 to 2011-9" in result.stderr


def test_a_session_writes_no_set_up_with_which_no_game_can_begin(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "game.journal")
    for setup in (
        setup_for("red:se-99", "blue:se-7"),
        setup_for("red:se-1", "blue:2011-1"),
        {**RED_BLUE, "players": [{**seat, "bot": "greedy"} for seat in RED_BLUE["players"]]},
        {**RED_BLUE, "players": [{**RED_BLUE["players"][0], "bot": {}}, RED_BLUE["players"][1]]},
        {"edition": "special"},
        {**RED_BLUE, "edition": []},
    ):
        with pytest.raises(SetupError):
            TableSession(RULES, journal, setup)
    assert journal.records() == []


@pytest.mark.parametrize("colour", PLAYER_COLOURS)
def test_every_colour_of_the_page_can_play(colour: str) -> None:
    RULES.check_setup(setup_for(f"{colour}:se-1", f"{'red' if colour != 'red' else 'blue'}:se-7"))


def test_colours_and_duchies_may_be_written_with_capitals_and_blanks() -> None:
    assert named_players("Red:SE-1, blue : se-7") == RED_BLUE["players"]


# --- a journal that cannot be played ---


def test_a_journal_with_an_unplayable_setup_is_quarantined_and_a_new_game_begins(start: Start) -> None:
    path = written(start.folder / f"{DAY}.journal", ("setup", setup_for("red:se-99", "blue:se-7")))
    before = path.read_bytes()
    start.play(path, setup=RED_BLUE)
    assert start.played == [DAY] and start.setups == [RED_BLUE] and start.codes == ["unplayable"]
    assert (start.folder / f"{DAY}.journal.damaged").read_bytes() == before
    assert len(start.output) == 2 and all("se-99" in line for line in start.output)


@pytest.mark.parametrize(
    "setup",
    [
        {**RED_BLUE, "players": [{**seat, "bot": "x"} for seat in RED_BLUE["players"][:1]]},
        {**RED_BLUE, "players": [{**RED_BLUE["players"][0], "bot": {}}, RED_BLUE["players"][1]]},
        {"players": []},
        {"players": 7, "edition": []},
    ],
)
def test_no_odd_set_up_stops_a_start(start: Start, setup: Mapping[str, Any]) -> None:
    path = written(start.folder / f"{DAY}.journal", ("setup", setup))
    assert start.play(path, setup=RED_BLUE).setups == [RED_BLUE]


def test_a_file_with_another_suffix_is_not_quarantined(start: Start) -> None:
    path = written(start.folder / "letter.sqlite", ("setup", setup_for("red:se-99", "blue:se-7")))
    with pytest.raises(JournalError, match="cannot be played"):
        start.play(path, is_chosen=True)
    assert path.exists()


def test_a_turn_that_is_set_aside_is_reported_even_if_the_start_is_refused(start: Start) -> None:
    """Else the next start, for which nothing is wrong any more, would say nothing of it."""
    bad = {"by": "tap", "moves": ["end"], "hash": "0"}
    path = written(start.folder / f"{DAY}.journal", ("setup", RED_BLUE), ("moves", bad))
    with pytest.raises(OtherGameError):
        start.play(path, named=RequestedGame(players=GREEN_BLACK), setup=GREEN_BLACK)
    assert len(start.output) == 1 and "set aside" in start.output[0]


def test_a_game_that_does_not_replay_stays_as_it_is_and_a_new_one_begins(start: Start) -> None:
    bad = {"by": "tap", "moves": ["end"], "hash": "0"}
    path = written(start.folder / f"{DAY}.journal", ("setup", RED_BLUE), ("moves", bad), ("moves", bad))
    before = path.read_bytes()
    assert start.play().played == [f"{DAY}-2"] and start.codes == ["left_unread"]
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "entry",
    [
        {"options": ["x"]},
        {"options": [{}]},
        {"by": "adjusted"},
        {"player": "purple"},
        {"player": {}},
        {"dice": [{}]},
    ],
)
def test_no_odd_unit_stops_a_start(start: Start, entry: Mapping[str, Any]) -> None:
    """Each would break the page, not the replay; it is an earlier entry, as the last one would be quarantined."""
    table = Table().set_up().play(2)
    records = table.session.journal.records()
    changed_seq = next(record.seq for record in records if record.body.get("player"))
    entries = [(r.kind, {**r.body, **entry} if r.seq == changed_seq else r.body) for r in records]
    written(start.folder / f"{DAY}.journal", *entries)
    assert start.play().played == [f"{DAY}-2"] and start.codes == ["left_unread"]


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("undo", {"units": [{}]}),
        ("redo", {"units": 7}),
        ("aside", {"units": 7, "reason": "x"}),
        ("settled", {"unit": [{}]}),
        ("names", {"names": [99]}),
    ],
)
def test_no_odd_record_stops_a_start(start: Start, kind: str, body: Mapping[str, Any]) -> None:
    records = [("setup", RED_BLUE), (kind, body)]
    written(start.folder / f"{DAY}.journal", *records)
    assert start.play().played == [f"{DAY}-2"] and start.codes == ["left_unread"]


def test_a_game_of_a_newer_version_does_not_stop_a_start(start: Start) -> None:
    path = written(start.folder / f"{DAY}.journal", ("setup", RED_BLUE))
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 9")
    assert start.play().played == [f"{DAY}-2"] and start.codes == ["left_unread"]


def test_the_doctor_reports_a_game_that_cannot_be_played(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    written(folder / f"{DAY}.journal", ("setup", setup_for("red:se-99", "blue:se-7")))
    found = games(Machine(data=tmp_path))
    assert (found.state, found.code) == ("warning", "games_unplayable")
    for language in LANGUAGES:
        assert f"{DAY}.journal" in found.sentence(Translator(language, strict=True)) and found.cure(
            Translator(language)
        )


def test_the_doctor_reports_a_latest_game_that_cannot_be_continued(tmp_path: Path) -> None:
    """Its bytes are intact, but its content cannot be played; the start quarantines the file."""
    folder = tmp_path / "games"
    folder.mkdir()
    entry = {"by": "tap", "player": "red", "moves": ["adjust red score+1 because x"], "hash": "0"}
    written(folder / f"{DAY}.journal", ("setup", RED_BLUE), ("moves", entry))
    found = games(Machine(data=tmp_path))
    assert (found.state, found.code) == ("fault", "games_damaged")
    for language in LANGUAGES:
        assert f"{DAY}.journal" in found.sentence(Translator(language, strict=True)) and found.cure(
            Translator(language)
        )


def test_the_list_names_a_game_that_cannot_be_played(tmp_path: Path) -> None:
    written(tmp_path / f"{DAY}.journal", ("setup", setup_for("red:se-99", "blue:se-7")))
    result = CliRunner().invoke(main, ["games", "list", "--folder", str(tmp_path)])
    assert result.stderr.startswith(f"{DAY} cannot be read: this game cannot be set up")
    assert len(result.stderr.replace(str(tmp_path), "")) < 200


# --- which game is continued ---


def test_another_group_is_refused_with_both_cures(start: Start) -> None:
    path = written(start.folder / f"{DAY}.journal", ("setup", RED_BLUE))
    with pytest.raises(OtherGameError, match=r"Red and Blue.*--players.*--new.*leave it out"):
        start.play(named=RequestedGame(players=GREEN_BLACK), setup=GREEN_BLACK)
    assert setup_of(read_records(path)) == RED_BLUE and journals_in(start.folder) == [path]


def test_the_same_players_continue_with_a_notice(start: Start) -> None:
    written(start.folder / f"{DAY}.journal", ("setup", {**RED_BLUE, "names": {"red": "Anna"}}))
    start.play(named=RequestedGame(players=RED_BLUE), setup=RED_BLUE)
    assert start.played == [DAY] and start.codes == ["goes_on"]
    assert start.headlines == [f"Continuing {DAY}: Anna and Blue, phase A, round 1."]


AUTOMA = {"colour": "black", "level": "hard"}


@pytest.mark.parametrize(
    ("named", "options"),
    [
        (RequestedGame(), []),
        (RequestedGame(game="burgundy"), []),
        (RequestedGame(game="matches"), [GAME_NAMED]),
        (RequestedGame(players=RED_BLUE), []),
        (RequestedGame(players=setup_for("blue:se-7", "red:se-1")), [PLAYERS]),
        (RequestedGame(players=setup_for("red:se-1", "blue:se-8")), [PLAYERS]),
        (RequestedGame(players=setup_for("red:se-1", "blue:se-7", "green:se-2")), [PLAYERS]),
        (RequestedGame(on_table=setup_for("green:se-2", "blue:se-7", "red:se-1")), []),
        (RequestedGame(on_table=setup_for("green:se-2", "blue:se-7")), [TABLE]),
        (RequestedGame(edition="special"), []),
        (RequestedGame(edition="2011"), [EDITION]),
        (RequestedGame(players=setup_for("red:2011-1", "blue:2011-7", edition="2011")), [PLAYERS]),
        (RequestedGame(rules={"tie_break": "most_empty"}), [RULE]),
        (RequestedGame(parts={"chateauma": AUTOMA}), ["--chateauma"]),
        (RequestedGame(opponents={"blue": "greedy"}), [OPPONENT]),
        (RequestedGame(modules=["linked_castles"]), [MODULES]),
    ],
)
def test_the_options_that_differ_from_a_game_are_reported(named: RequestedGame, options: list[str]) -> None:
    assert named.differences(RED_BLUE, {"tie_break": "fewest_empty"}) == options


def test_the_requested_game_is_continued() -> None:
    setup = {
        **RED_BLUE,
        "players": [RED_BLUE["players"][0], {**RED_BLUE["players"][1], "bot": "greedy"}],
        "chateauma": {**AUTOMA, "pieces": "table"},
        "rules": {"tie_break": "most_empty"},
    }
    named = RequestedGame(
        players=RED_BLUE,
        edition="special",
        rules={"tie_break": "most_empty"},
        parts={"chateauma": AUTOMA},
        opponents={"blue": "greedy"},
    )
    assert named.differences(setup, setup["rules"]) == []


@pytest.mark.parametrize(
    ("setup", "usual"),
    [
        (RED_BLUE, {"tie_break": "fewest_empty", "castle_links": "off"}),
        (setup_for("red:2011-1", "blue:2011-2", edition="2011"), {"castle_links": "on"}),
    ],
)
def test_a_game_by_the_usual_rules_is_continued_when_these_are_named(
    start: Start, setup: dict[str, Any], usual: dict[str, str]
) -> None:
    start.play(setup=setup)
    start.play(start.folder / f"{DAY}.journal", named=RequestedGame(rules=usual))
    assert start.played == [DAY, DAY]


def test_a_finished_game_is_not_continued(start: Start) -> None:
    path = start.folder / f"{DAY}.journal"
    table = Table(path).set_up().play(1000)
    assert RULES.is_over(table.session.state)
    table.session.journal.close()
    assert start.play(setup=RED_BLUE).played == [f"{DAY}-2"]


def test_a_finished_game_is_not_said_to_be_in_a_round(start: Start) -> None:
    path = start.folder / f"{DAY}.journal"
    Table(path).set_up().play(1000).session.journal.close()
    with pytest.raises(OtherGameError, match="a game that is finished") as refused:
        start.play(path, is_chosen=True, named=RequestedGame(players=GREEN_BLACK))
    assert "phase" not in str(refused.value)


def test_a_finished_game_that_is_chosen_is_opened(start: Start) -> None:
    path = start.folder / f"{DAY}.journal"
    Table(path).set_up().play(1000).session.journal.close()
    start.play(path, is_chosen=True)
    assert start.played == [DAY] and "is finished" in start.headlines[0] and start.codes == []


def test_a_game_of_another_kind_is_continued_by_its_own_rules(start: Start) -> None:
    seats = [{"colour": "red"}, {"colour": "blue"}]
    with more_games():
        written(start.folder / f"{DAY}.journal", ("setup", {"game": "matches", "players": seats}))
        start.play(setup=RED_BLUE)
    assert start.played == [DAY] and start.headlines == [f"Continuing {DAY}: Red and Blue."]


def test_a_game_of_another_kind_is_not_continued_if_one_is_named(start: Start) -> None:
    seats = [{"colour": "red"}, {"colour": "blue"}]
    with more_games():
        written(start.folder / f"{DAY}.journal", ("setup", {"game": "matches", "players": seats}))
        with pytest.raises(OtherGameError, match="--game describes a different game"):
            start.play(named=RequestedGame(game="burgundy"), setup=RED_BLUE)


def test_a_game_that_is_no_longer_installed_stays_as_it_is_and_a_new_one_begins(start: Start) -> None:
    path = written(start.folder / f"{DAY}.journal", ("setup", {"game": "matches", "players": []}))
    before = path.read_bytes()
    assert start.play(setup=RED_BLUE).played == [f"{DAY}-2"] and start.codes == ["left_unread"]
    assert path.read_bytes() == before


# --- started by the system ---


def test_unattended_a_game_is_continued_against_the_saved_options_with_a_notice(start: Start) -> None:
    written(start.folder / f"{DAY}.journal", ("setup", RED_BLUE))
    start.play(named=RequestedGame(players=GREEN_BLACK), setup=GREEN_BLACK, unattended=True)
    assert start.played == [DAY] and start.codes == ["named_otherwise"]


def test_unattended_a_game_without_its_boards_on_the_table_is_left_for_a_new_one(start: Start) -> None:
    written(start.folder / f"{DAY}.journal", ("setup", RED_BLUE))
    start.play(named=RequestedGame(on_table=GREEN_BLACK), setup=GREEN_BLACK, unattended=True)
    assert (
        start.played == [f"{DAY}-2"] and start.setups == [GREEN_BLACK] and start.codes == ["left_for_table"]
    )


def test_unattended_people_choose_players_if_no_game_can_begin_with_the_saved_ones(start: Start) -> None:
    start.play(setup=setup_for("red:se-99", "blue:se-7"), unattended=True)
    assert start.setups == [GREEN_BLACK] and start.codes == ["bad_options"]


# --- game after game ---


def test_a_game_that_cannot_be_opened_leads_back_to_the_one_before(start: Start) -> None:
    written(start.folder / "first.journal", ("setup", RED_BLUE))
    other = Journal(written(start.folder / "other.journal", ("setup", GREEN_BLACK)))
    start.next_games = [lambda session: NextGame("other")]
    start.play(start.folder / "first.journal")
    other.close()
    assert start.played == ["first", "first"] and start.codes == ["not_left"]
    (notice,) = start.notices[-1]
    in_french = Translator("fr", strict=True)("storage_notices.not_left", **notice.data)
    assert "(un autre programme utilise le fichier" in in_french
    assert "another companion is using it" in start.output[-1]


@pytest.mark.parametrize("unattended", [True, False])
def test_a_game_with_a_folder_in_its_way_is_left_for_a_new_one(start: Start, unattended: bool) -> None:
    written(start.folder / f"{DAY}.journal", ("setup", RED_BLUE))
    (start.folder / f"{DAY}.journal-journal").mkdir()
    start.play(start.folder / f"{DAY}.journal", unattended=unattended)
    assert start.played == [f"{DAY}-2"] and start.codes == ["left_unread"]
    assert "is no file): move that away" in start.output[1]


def test_a_new_game_that_cannot_be_saved_leads_back_to_the_previous_one(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, lines: object) -> None:
        raise UnusableError(str(path), "cannot be made", "full", OSError("database or disk is full"))

    written(start.folder / "first.journal", ("setup", RED_BLUE))
    start.next_games = [
        lambda session: monkeypatch.setattr("companion.journal.database.create", full) or NextGame()
    ]
    start.play(start.folder / "first.journal")
    assert start.played == ["first", "first"] and start.codes == ["not_left"]


@pytest.mark.parametrize("is_in_an_empty_file", [False, True])
def test_people_choose_again_if_the_disk_fails_after_they_have_chosen(
    start: Start, monkeypatch: pytest.MonkeyPatch, is_in_an_empty_file: bool
) -> None:
    path = start.folder / "first.journal"
    if is_in_an_empty_file:
        Journal(path).close()
    write, tries = Journal.append, count()

    def full_at_first(journal: Journal, kind: str, body: Mapping[str, Any]) -> Record:
        if not next(tries):
            raise UnusableError(journal.path, "could not be written", "full", OSError("disk is full"))
        return write(journal, kind, body)

    monkeypatch.setattr(Journal, "append", full_at_first)
    start.play(path)
    assert start.played == ["first"] and start.setups == [GREEN_BLACK]
    assert "the disk is full" in start.output[0]


def test_unsaved_records_are_reported_at_the_end(start: Start) -> None:
    def lose(session: TableSession) -> None:
        start.folder.rename(start.folder.with_name("unplugged"))
        session.journal.allow_unsaved = True
        session.rename_player("red", "Zoé")

    start.next_games = [lose]
    written(start.folder / "first.journal", ("setup", RED_BLUE))
    start.play(start.folder / "first.journal")
    assert "1 entry could not be saved in" in start.output[-1]


def test_a_missing_folder_is_reported_at_the_end_even_without_unsaved_records(start: Start) -> None:
    def unplug(session: TableSession) -> None:
        start.folder.rename(start.folder.with_name("gone"))

    start.next_games = [unplug]
    written(start.folder / "first.journal", ("setup", RED_BLUE))
    start.play(start.folder / "first.journal")
    assert "1 entry could not be saved in" in start.output[-1]


# --- other files in the games folder ---


def make_other_files(folder: Path) -> list[str]:
    """Creates files named like games that are none; returns their names."""
    (folder / "dangling.journal").symlink_to(folder / "nowhere")
    os.mkfifo(folder / "pipe.journal")
    (folder / "folder.journal").mkdir()
    (folder / f"._{DAY}.journal").write_bytes(bytes(4096))
    (folder / ".journal").write_bytes(b"x")
    with (folder / "huge.journal").open("wb") as file:
        file.truncate(LARGEST_BYTES + 1)  # a hole: it takes no room
    with open(os.fsencode(folder) + b"/caf\xe9.journal", "wb") as file:
        file.write(b"x")
    return [path.name for path in folder.iterdir()]


def test_nothing_odd_in_the_folder_is_a_journal(tmp_path: Path) -> None:
    make_other_files(tmp_path)
    path = written(tmp_path / "game.journal", ("setup", RED_BLUE))
    (tmp_path / "link.journal").symlink_to(path)
    assert journals_in(tmp_path) == [path, tmp_path / "link.journal"]
    assert not is_journal(tmp_path / "no\0name.journal")


def test_nothing_odd_in_the_folder_stops_a_start_or_a_list(start: Start) -> None:
    names = make_other_files(start.folder)
    assert latest_of(start.folder, DAY, time.time()) is None
    assert start.play(setup=RED_BLUE).played == [DAY]
    result = CliRunner().invoke(main, ["games", "list", "--all", "--folder", str(start.folder)])
    assert result.exit_code == 0 and DAY in result.stdout
    assert set(names) <= set(os.listdir(start.folder))


@pytest.mark.parametrize("name", ["pipe", "folder", "huge", "dangling"])
def test_a_path_that_is_no_file_is_rejected_without_reading_it(tmp_path: Path, name: str) -> None:
    make_other_files(tmp_path)
    with pytest.raises(JournalError):
        read_lines(tmp_path / f"{name}.journal")
    if name != "dangling":
        with pytest.raises(JournalError, match="name another file"):
            Journal(tmp_path / f"{name}.journal")


def test_the_doctor_takes_nothing_odd_for_a_game(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    make_other_files(tmp_path / "games")
    assert games(Machine(data=tmp_path)).code == "no_games"


def test_a_new_game_never_takes_an_existing_name(start: Start) -> None:
    (start.folder / f"{DAY}.journal").symlink_to(start.folder / "nowhere")
    assert start.play(setup=RED_BLUE).played == [f"{DAY}-2"]


def test_a_thousand_games_of_a_day_are_not_the_last(start: Start) -> None:
    for number in range(1, 1004):
        (start.folder / (f"{DAY}-{number}.journal" if number > 1 else f"{DAY}.journal")).symlink_to("nowhere")
    assert start.play(setup=RED_BLUE).played == [f"{DAY}-1004"]


@pytest.mark.parametrize(
    "at", ["0001-01-01T00:00:00", "2263-01-01T00:00:00+00:00", "9999-12-31T23:59:59-12:00", "x"]
)
def test_no_odd_time_in_a_game_stops_a_start(start: Start, at: str) -> None:
    path = written(start.folder / "old.journal", ("setup", RED_BLUE))
    with sqlite3.connect(path) as db:
        db.execute("DROP TRIGGER record_is_not_changed")
        db.execute("UPDATE record SET at = ?", (at,))
    os.utime(path, (9_300_000_000, 9_300_000_000))
    with closing(Archive(start.folder)) as archive:
        archive.games()
    assert start.play(setup=RED_BLUE).played == [DAY]


# --- the index ---


def damage_encoding(index: Path) -> None:
    index.unlink()
    with sqlite3.connect(index) as db:
        db.execute("PRAGMA encoding = 'UTF-16'")
        db.executescript(
            "CREATE TABLE game (name, size, changed, record, error, digest); PRAGMA user_version = 3;"
            "INSERT INTO game SELECT 'game', 0, 0, CAST(x'00d8' AS TEXT), CAST(x'ffff' AS TEXT), 'x';"
        )


def damage_depth(index: Path) -> None:
    with sqlite3.connect(index) as db:
        db.execute("UPDATE game SET record = ?", ("[" * 200_000,))


def damage_types(index: Path) -> None:
    with sqlite3.connect(index) as db:
        db.execute("""UPDATE game SET record = replace(record, '"began": "', '"began": 7, "was": "')""")


def damage_digit(index: Path) -> None:
    with sqlite3.connect(index) as db:
        db.execute("""UPDATE game SET record = replace(record, '"minutes": 0', '"minutes": 9')""")


def damage_text(index: Path) -> None:
    with sqlite3.connect(index) as db:
        db.execute("UPDATE game SET record = x'ff00', error = CAST(x'ff' AS TEXT)")


def damage_file(index: Path) -> None:
    index.write_bytes(b"\xff" * 5000)


def damage_pipe(index: Path) -> None:
    index.unlink()
    os.mkfifo(index)


@pytest.mark.parametrize(
    "damage",
    [damage_encoding, damage_depth, damage_types, damage_digit, damage_text, damage_file, damage_pipe],
)
def test_a_damaged_index_costs_time_and_nothing_else(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    written(tmp_path / "game.journal", ("setup", RED_BLUE))
    with closing(Archive(tmp_path)) as archive:
        before = archive.games()
    damage(tmp_path / "archive.sqlite")
    with closing(Archive(tmp_path)) as archive:
        assert archive.games() == before and before[0].record is not None


def test_a_game_locked_by_another_program_is_opened_once_it_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.journal.reading.READ_S", 0.1)
    journal = Journal(written(tmp_path / "game.journal", ("setup", RED_BLUE)))
    with closing(Archive(tmp_path)) as archive:
        assert archive.games()[0].error is not None
        journal.close()
        assert archive.games()[0].record is not None


# --- a program that reads the game ---

HOLD = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN")
db.execute("SELECT count(*) FROM record").fetchone()
print("held", flush=True)
time.sleep(float(sys.argv[2]))
"""


def held(path: Path, seconds: float) -> subprocess.Popen[str]:
    """Runs another program that reads the journal for that time, as a viewer or a backup does."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path), str(seconds)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process


def test_a_program_that_reads_the_game_is_waited_for(tmp_path: Path) -> None:
    path = written(tmp_path / "game.journal", ("setup", RED_BLUE))
    with held(path, 1.0):
        journal = Journal(path, wait_s=30.0)
    assert len(journal.records()) == 1
    journal.close()


def test_a_program_that_holds_the_file_is_reported(tmp_path: Path) -> None:
    path = written(tmp_path / "game.journal", ("setup", RED_BLUE))
    with held(path, 60.0) as process:
        with pytest.raises(UnusableError, match="perhaps a viewer or a backup") as error:
            Journal(path, wait_s=0.1)
        process.kill()
    assert error.value.cause == "busy"


# --- what is named twice, or is no text ---


def test_players_and_a_table_file_are_not_named_at_once(tmp_path: Path) -> None:
    anchors = [[0, 0], [90, 0], [90, 90], [0, 90]]
    boards = [{"player": c, "duchy": "se-1", "anchors": anchors} for c in ("red", "blue")]
    table = tmp_path / "table.json"
    table.write_text(json.dumps({"image_size": [640, 480], "boards": boards}))
    given = ["play", "--table", str(table), "--players", "green:se-3,black:se-4"]
    result = CliRunner().invoke(main, given, env={"TABLE_COMPANION_DATA": str(tmp_path)})
    assert result.exit_code == 1 and "leave --players out" in result.stderr


def test_a_name_that_is_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="its name is not text"):
        Journal(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.journal"))


def test_a_damaged_game_is_reported_where_the_companion_was_started(start: Start) -> None:
    """Somebody who is asked who plays, and stops there, never sees the page of a game."""
    path = start.folder / f"{DAY}.journal"
    path.write_bytes(bytes(5000))
    start.play(path, setup=RED_BLUE)
    assert len(start.output) == 1 and f"{path.name}.damaged" in start.output[0]
    assert [notice.code for notice in start.notices[0]] == ["repaired_unknown"]


# --- the folder that is no folder ---


@pytest.mark.parametrize(
    "words", [["games", "list"], ["games", "export", "out.jsonl"], ["play", "--port", "0"]]
)
def test_a_data_folder_that_is_a_file_is_named_with_the_cure(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "file").touch()
    result = CliRunner().invoke(main, words, env={"TABLE_COMPANION_DATA": str(tmp_path / "file")})
    assert result.exit_code == 1
    assert "nothing can be written to" in result.stderr and "make it a writable folder" in result.stderr
    assert "Errno" not in result.stderr


@pytest.mark.parametrize("broken_link", [False, True])
@pytest.mark.parametrize("words", [["games", "list"], ["play", "--port", "0"]])
def test_what_lies_in_place_of_the_folder_of_games_is_named(
    tmp_path: Path, words: list[str], broken_link: bool
) -> None:
    games = tmp_path / "games"
    games.symlink_to("nowhere") if broken_link else games.touch()
    result = CliRunner().invoke(main, words, env={"TABLE_COMPANION_DATA": str(tmp_path)})
    assert result.exit_code == 1 and f"{games} is no folder" in result.stderr
    assert disk(Machine(data=tmp_path)).code == "disk_unwritable"


def test_on_a_full_disk_the_cure_is_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*about: object, **more: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(tmp_path))

    monkeypatch.setattr("companion.cli.play.signing_key", full)
    given = ["play", "--players", "red:se-1,blue:se-7"]
    result = CliRunner().invoke(main, given, env={"TABLE_COMPANION_DATA": str(tmp_path)})
    assert result.exit_code == 1 and "free some space on that disk" in result.stderr


def test_the_doctor_reports_a_data_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert disk(Machine(data=tmp_path / "file")).code == "disk_unwritable"


def test_no_folder_is_made_for_a_journal(tmp_path: Path) -> None:
    given = [
        "play",
        "--journal",
        str(tmp_path / "none" / "x.journal"),
        "--players",
        "red:se-1,blue:se-7",
    ]
    result = CliRunner().invoke(main, given, env={"TABLE_COMPANION_DATA": str(tmp_path)})
    assert result.exit_code == 1 and "create it, or name another file" in result.stderr
    assert not (tmp_path / "none").exists()


def test_a_folder_is_no_journal_and_nothing_is_written_beside_it(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    given = ["play", "--journal", str(tmp_path / "folder"), "--players", "red:se-1,blue:se-7"]
    result = CliRunner().invoke(main, given, env={"TABLE_COMPANION_DATA": str(tmp_path / "data")})
    assert result.exit_code == 1 and "folder is a folder: name the journal's file" in result.stderr
    assert os.listdir(tmp_path) == ["folder"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--panel", "none.toml"], "none.toml: the panel file cannot be read"),
        (["--host", "198.51.100.1"], "cannot be served"),
    ],
)
@pytest.mark.parametrize("new", [[], ["--new"]])
def test_no_game_is_begun_that_cannot_be_played_here(
    tmp_path: Path, words: list[str], why: str, new: list[str]
) -> None:
    given = ["play", "--players", "red:se-1,blue:se-7", "--port", "0", *words, *new]
    result = CliRunner().invoke(main, given, env={"TABLE_COMPANION_DATA": str(tmp_path)})
    assert result.exit_code == 1 and why in result.stderr
    assert not journals_in(tmp_path / "games")


def test_the_virtual_camera_is_no_camera_to_play_with(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        main, ["play", "--camera", "virtual"], env={"TABLE_COMPANION_DATA": str(tmp_path)}
    )
    assert result.exit_code == 1 and "./run demo" in result.stderr


@pytest.mark.parametrize("nothing", ["", "  "])
def test_an_empty_backup_option_is_not_the_working_directory(tmp_path: Path, nothing: str) -> None:
    given = ["play", "--backup", nothing, "--players", "red:se-1,blue:se-7"]
    result = CliRunner().invoke(main, given, env={"TABLE_COMPANION_DATA": str(tmp_path)})
    assert result.exit_code == 2 and "--backup is given without a value" in result.stderr
    assert not (tmp_path / "settings.json").exists()


def test_the_games_folder_is_rejected_for_backups(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    given = ["play", "--backup", str(tmp_path / "games")]
    result = CliRunner().invoke(main, given, env={"TABLE_COMPANION_DATA": str(tmp_path)})
    assert result.exit_code == 1 and "name another one for backups" in result.stderr


def test_a_duchy_is_named_no_more_often_than_one_box_holds_it() -> None:
    with pytest.raises(ValueError, match="a box contains duchy 2011-2 only 1 time"):
        named_players("red:2011-2,blue:2011-2", "2011")
    assert named_players("red:se-1,blue:se-1") == setup_for("red:se-1", "blue:se-1")["players"]


# --- the whole way ---


def test_a_typo_does_not_break_the_day(tmp_path: Path) -> None:
    """What an older version has left of a typo: the page is there all the same, and says what became of it."""
    folder = tmp_path / "table-companion" / "games"
    folder.mkdir(parents=True)
    day = time.strftime("%Y-%m-%d")
    written(folder / f"{day}.journal", ("setup", setup_for("red:se-99", "blue:se-7")))
    companion = Companion(tmp_path)
    try:
        companion.begin(*({"kind": "person", "name": "", **seat} for seat in RED_BLUE["players"]))
        assert "cannot be played, so a new one begins" in companion.page('id="state"')
    finally:
        output = companion.end()
    assert f"{day}.journal.damaged" in output and f"A new game, {day}: Red and Blue." in output


def test_an_unattended_start_for_other_players_continues_the_game_with_a_notice(tmp_path: Path) -> None:
    folder = tmp_path / "table-companion" / "games"
    folder.mkdir(parents=True)
    written(folder / f"{time.strftime('%Y-%m-%d')}.journal", ("setup", RED_BLUE))
    companion = Companion(
        tmp_path, "--players", "green:se-3,black:se-4", "--new", NOTIFY_SOCKET=str(tmp_path / "socket")
    )
    try:
        assert "but Red and Blue continue" in companion.page('id="state"')
    finally:
        output = companion.end()
    assert (
        "--new only works when you start the companion yourself" in output and len(journals_in(folder)) == 1
    )


def test_a_folder_in_the_place_of_the_key_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLE_COMPANION_DATA", str(tmp_path))
    (tmp_path / "page.key").mkdir()
    result = CliRunner().invoke(main, ["play"])
    assert result.exit_code == 1 and f"{tmp_path / 'page.key'} is a folder" in result.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--players", "nonsense"], "--players"),
        (["--table", "none.json", "--camera", "usb:0"], "--table, --camera"),
        (["--camera", "usb:0"], "a camera needs a table file"),
        (["--panel", "none.toml", "--gallery", "none.npz"], "--panel"),
        (["--journal", "none/x.journal"], "--journal"),
        (["--opponent", "blue:greedy"], "--opponent"),
    ],
)
def test_an_unattended_start_ignores_unusable_options_with_a_notice(
    tmp_path: Path, words: list[str], sentence: str
) -> None:
    folder = tmp_path / "table-companion" / "games"
    folder.mkdir(parents=True)
    written(folder / f"{time.strftime('%Y-%m-%d')}.journal", ("setup", RED_BLUE))
    companion = Companion(tmp_path, *words, NOTIFY_SOCKET=str(tmp_path / "socket"))
    try:
        page = companion.page('id="state"')
        assert "The companion has started without" in page and sentence in page
    finally:
        companion.end()


def test_an_unattended_start_without_the_pictures_it_is_to_read_plays_by_taps(tmp_path: Path) -> None:
    anchors = [[0, 0], [90, 0], [90, 90], [0, 90]]
    boards = [
        {"player": seat["colour"], "duchy": seat["duchy"], "anchors": anchors} for seat in RED_BLUE["players"]
    ]
    table = tmp_path / "table.json"
    table.write_text(json.dumps({"image_size": [640, 480], "boards": boards}))
    words = ("--table", str(table), "--camera", str(tmp_path / "stick"))
    companion = Companion(tmp_path, *words, NOTIFY_SOCKET=str(tmp_path / "socket"))
    try:
        assert f"no folder, picture or video {tmp_path / 'stick'}" in companion.page('id="state"')
    finally:
        companion.end()


def test_a_pin_that_cannot_be_read_is_never_left_out(tmp_path: Path) -> None:
    env = {"TABLE_COMPANION_DATA": str(tmp_path), "NOTIFY_SOCKET": str(tmp_path / "socket")}
    result = CliRunner().invoke(main, ["play", "--pin-file", str(tmp_path / "none")], env=env)
    assert result.exit_code == 1 and "the PIN cannot be read" in result.stderr


def test_unusable_settings_are_quarantined_at_the_start_with_a_notice(tmp_path: Path) -> None:
    folder = tmp_path / "table-companion" / "games"
    folder.mkdir(parents=True)
    written(folder / f"{time.strftime('%Y-%m-%d')}.journal", ("setup", RED_BLUE))
    (folder.parent / "settings.json").write_text('{"backup": [')
    companion = Companion(tmp_path)
    try:
        assert "Your choices about pictures and backups" in companion.page('id="state"')
    finally:
        output = companion.end()
    assert "settings.json.damaged" in "".join(companion.startup_output) + output
    assert (folder.parent / "settings.json.damaged").read_text() == '{"backup": ['
