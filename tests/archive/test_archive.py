"""What games leave behind: records, the archive of a folder, standings and exports."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import re
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from companion.archive import (
    ON_TABLE,
    Archive,
    GameRecord,
    listing,
    new_journal_path,
    player_records,
    record_of,
    rivalries,
)
from companion.archive.exports import BG_STATS, as_csv, as_json, bg_stats_link
from companion.archive.standings import AUTOMA
from companion.archive.transfer import exported_lines
from companion.games.burgundy.plugin import burgundy
from companion.journal import Journal
from companion.players.bots import greedy_bot
from companion.session import CommandRejectedError, TableSession
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from companion.virtual.demo import demo_setup
from tests.support.other_games import only_other_games
from tests.support.present import present
from tests.support.solo import next_move

RULES = burgundy()
FIRST_TURN = 9
"""Moves up to the end of the first turn of the game of seed 1."""


def play(path: Path, seed: int, *, names: dict[str, str], moves: int | None = None, **setup: Any) -> Any:
    """Plays a game into the journal *path*, at most *moves* moves of it; returns the true state."""
    players = setup.pop("players", 2)
    described = {**demo_setup(players, seed, **setup), "names": names}
    journal = Journal(path)
    session = TableSession(RULES, journal, described)
    state: Any = RULES.new(described)
    rng, bot = random.Random(seed), greedy_bot(seed)
    made = 0
    while not RULES.is_over(state) and made != moves:
        move = next_move(state, rng, bot)
        RULES.apply(state, move)
        session.tap(str(move))
        made += 1
    journal.close()
    return state


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two finished games and one that was left."""
    path = tmp_path_factory.mktemp("games")
    play(path / "one.journal", 1, names={"red": "Anna", "blue": "Yves"})
    play(path / "two.journal", 2, names={"red": "Anna"}, chateauma="hard")
    play(path / "three.journal", 3, names={"red": "Yves", "blue": "Anna"}, moves=40)
    return path


def games(folder: Path) -> dict[str, GameRecord]:
    return {one.name: one.record for one in Archive(folder).games() if one.record}


def test_a_record_adds_up_to_the_final_score(tmp_path: Path) -> None:
    state = play(tmp_path / "a.journal", 4, names={})
    journal = Journal(tmp_path / "a.journal")
    record = record_of(RULES, journal.records())
    journal.close()
    assert record.scores == {p.colour: p.score for p in state.players}
    assert record.ranking == tuple(RULES.ranking(state)) and record.over


def test_a_game_that_is_no_longer_installed_is_named_and_listed_again_when_it_is(tmp_path: Path) -> None:
    play(tmp_path / "a.journal", 4, names={}, moves=40)
    with closing(Archive(tmp_path)) as archive:
        indexed = archive.games()
        with only_other_games():
            (left,) = archive.games()
        assert left.record is None and left.error_is_temporary
        assert "there is no game 'burgundy'" in present(left.error)
        assert archive.games() == indexed and present(indexed[0].record).game == "burgundy"


def test_dice_and_workers_are_counted_as_they_were_rolled_and_spent(folder: Path) -> None:
    """25 rounds with two dice each; a count that a person can make from the notation."""
    journal = Journal(folder / "one.journal")
    moves = [move for r in journal.records() if r.kind == "moves" for move in r.body["moves"]]
    journal.close()
    record = games(folder)["one"]
    assert {colour: sum(rolled) for colour, rolled in record.dice.items()} == {
        "red": 50,
        "blue": 50,
        "white": 25,
    }
    spent = sum(int(number) for number in re.findall(r" workers ([0-9]+)$", "\n".join(moves), re.MULTILINE))
    assert sum(counts["workers_spent"] for counts in record.tallies.values()) == spent > 0


def test_a_record_survives_being_written_down(folder: Path) -> None:
    for record in games(folder).values():
        assert GameRecord.from_json(json.loads(json.dumps(record.to_json()))) == record


def test_the_archive_lists_all_games_of_the_folder_the_latest_first(folder: Path) -> None:
    listed = Archive(folder).games()
    assert [one.name for one in listed] == ["three", "two", "one"]
    assert [one.record.over for one in listed if one.record] == [False, True, True]


def test_a_journal_is_read_anew_only_when_it_has_changed(folder: Path, monkeypatch: Any) -> None:
    archive = Archive(folder)
    archive.games()
    again = Archive(folder)
    monkeypatch.setattr(RULES, "play", lambda *_: pytest.fail("it was replayed"))
    assert len(again.games()) == 3


def test_a_file_that_is_no_journal_is_named_and_hides_no_game(tmp_path: Path) -> None:
    play(tmp_path / "good.journal", 5, names={}, moves=3)
    (tmp_path / "bad.journal").write_text("this is no database")
    found = {one.name: one for one in Archive(tmp_path).games()}
    assert found["good"].record is not None
    assert found["bad"].record is None and "bad.journal" in (found["bad"].error or "")


def test_a_journal_in_which_no_game_was_begun_is_no_game(tmp_path: Path) -> None:
    """Somebody looked at who plays, and left."""
    Journal(tmp_path / "empty.journal").close()
    assert Archive(tmp_path).games() == []


def test_pauses_and_a_clock_that_is_set_are_no_play(tmp_path: Path) -> None:
    play(tmp_path / "a.journal", 5, names={}, moves=6)
    journal = Journal(tmp_path / "a.journal")
    records = journal.records()
    journal.close()
    times = ["00:00", "00:20", "03:00", "03:30", "01:00"]
    at = [f"2026-05-01T{time}:00.000+00:00" for time in (*times, *["01:10"] * len(records))]
    timed = [replace(record, at=at[i]) for i, record in enumerate(records)]
    assert record_of(RULES, timed).minutes == 20 + 30 + 10


def test_a_damaged_memory_costs_time_and_nothing_else(tmp_path: Path) -> None:
    play(tmp_path / "good.journal", 5, names={}, moves=3)
    archive = Archive(tmp_path)
    archive.games()
    archive.close()
    index = tmp_path / "archive.sqlite"
    content = index.read_bytes()
    index.write_bytes(content[:100] + b"x" * (len(content) - 100))
    assert [one.name for one in Archive(tmp_path).games()] == ["good"]


def test_the_game_that_is_being_played_is_not_listed(folder: Path) -> None:
    archive = Archive(folder)
    assert [one.name for one in archive.games(excluding=folder / "two.journal")] == ["three", "one"]


@pytest.mark.parametrize("name", ["missing", "../one", "archive.sqlite"])
def test_no_other_file_is_taken_for_a_game(folder: Path, name: str) -> None:
    with pytest.raises(LookupError):
        Archive(folder).game(name)


def listed(folder: Path, playing: Journal | None = None) -> tuple[set[str], dict[str, str | None]]:
    """The names of the games that are listed, and of those that are not what they are the same as."""
    found = listing(Archive(folder), playing)
    return {one.name for one in found.games}, {one.game.name: one.duplicate_of for one in found.omitted}


def test_every_game_that_was_played_is_listed(folder: Path) -> None:
    assert listed(folder) == ({"one", "two", "three"}, {})


@pytest.mark.parametrize("moves", [0, 4, 6])
def test_a_game_without_a_turn_is_not_listed(tmp_path: Path, moves: int) -> None:
    """Set up and rolled at most: two players' castles and goods, the tiles, the dice."""
    play(tmp_path / "a.journal", 1, names={}, moves=moves)
    assert listed(tmp_path) == (set(), {"a": None})
    play(tmp_path / "b.journal", 1, names={}, moves=FIRST_TURN)
    assert listed(tmp_path)[0] == {"b"}


def test_a_game_whose_only_turn_was_undone_is_not_listed(tmp_path: Path) -> None:
    play(tmp_path / "a.journal", 1, names={}, moves=FIRST_TURN)
    assert listed(tmp_path)[0] == {"a"}
    with closing(Journal(tmp_path / "a.journal")) as journal:
        TableSession(RULES, journal).undo()
    assert listed(tmp_path) == (set(), {"a": None})


def test_a_game_that_is_there_twice_is_listed_once_as_far_as_it_has_gone(tmp_path: Path) -> None:
    play(tmp_path / "b.journal", 1, names={}, moves=30)
    for name in ("a", "c"):
        shutil.copy(tmp_path / "b.journal", tmp_path / f"{name}.journal")
    assert listed(tmp_path) == ({"a"}, {"b": "a", "c": "a"})
    with closing(Journal(tmp_path / "c.journal")) as journal:
        TableSession(RULES, journal).rename_player("red", "Ida")
    assert listed(tmp_path) == ({"c"}, {"a": "c", "b": "c"})


def test_two_games_that_have_parted_are_both_listed(tmp_path: Path) -> None:
    play(tmp_path / "a.journal", 1, names={}, moves=30)
    shutil.copy(tmp_path / "a.journal", tmp_path / "b.journal")
    for name in ("a", "b"):
        with closing(Journal(tmp_path / f"{name}.journal")) as journal:
            TableSession(RULES, journal).rename_player("red", name)
    assert listed(tmp_path) == ({"a", "b"}, {})


def test_a_copy_of_the_game_on_the_table_is_not_listed(tmp_path: Path) -> None:
    play(tmp_path / "a.journal", 1, names={}, moves=30)
    shutil.copy(tmp_path / "a.journal", tmp_path / "b.journal")
    with closing(Journal(tmp_path / "b.journal")) as journal:
        TableSession(RULES, journal).rename_player("red", "Ida")
        assert listed(tmp_path, journal) == (set(), {"a": ON_TABLE})


def test_a_journal_that_cannot_be_read_is_listed(tmp_path: Path) -> None:
    (tmp_path / "torn.journal").write_bytes(b"x")
    assert listed(tmp_path) == ({"torn"}, {})


def test_a_game_of_a_time_that_no_clock_shows_ends_no_list(tmp_path: Path) -> None:
    """Its file's time does not fit into the index, either."""
    path = tmp_path / "late.journal"
    with closing(Journal(path, clock=lambda: datetime(2263, 1, 1, tzinfo=UTC))) as journal:
        TableSession(RULES, journal, demo_setup(2, 1))
    os.utime(path, (9_300_000_000, 9_300_000_000))
    (late,) = Archive(tmp_path).games()
    assert late.error is not None and "no time of a game" in late.error


def test_a_file_that_is_all_ending_is_no_game(tmp_path: Path) -> None:
    play(tmp_path / "a.journal", 1, names={}, moves=30)
    shutil.copy(tmp_path / "a.journal", tmp_path / ".journal")
    archive = Archive(tmp_path)
    assert archive.names() == ["a"] and len(list(exported_lines(archive))) == 1
    with pytest.raises(LookupError):
        archive.game("")


def test_a_set_up_that_is_none_ends_no_list(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "a.journal")) as journal:
        journal.append("setup", {"players": [{"colour": "red", "duchy": "se-99"}]})
    (one,) = Archive(tmp_path).games()
    assert one.error is not None and "'edition'" in one.error


def test_players_have_a_record_over_finished_games(folder: Path) -> None:
    one, two = games(folder)["one"], games(folder)["two"]
    records = {record.player: record for record in player_records(games(folder).values())}
    assert {who: record.games for who, record in records.items()} == {"Anna": 2, "Yves": 1, AUTOMA: 1}
    assert records["Anna"].best == max(one.scores["red"], two.scores["red"])
    assert sum(record.wins for record in records.values()) == 2


def test_rivals_are_counted_each_against_each(folder: Path) -> None:
    one = games(folder)["one"]
    met = {(r.one, r.other): r for r in rivalries(games(folder).values())}
    assert set(met) == {("Anna", "Yves"), (AUTOMA, "Anna")}
    assert met["Anna", "Yves"].one_ahead == (one.ranking[0] == "red")


def test_people_without_a_name_have_no_record(folder: Path) -> None:
    record = games(folder)["one"]
    nameless = replace(record, seats=tuple(replace(seat, name=None) for seat in record.seats))
    assert player_records([nameless]) == []


def table_of(record: GameRecord, translator: Translator) -> list[list[str]]:
    delimiter = {"en": ",", "fr": ";"}[translator.language]
    return list(csv.reader(io.StringIO(as_csv(record, RULES, translator)), delimiter=delimiter))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_spreadsheet_has_a_column_for_each_player_that_adds_up(folder: Path, language: str) -> None:
    record, translator = games(folder)["two"], Translator(language, strict=True)
    rows = table_of(record, translator)
    total = next(row for row in rows if row[0] == translator("page.total"))
    above = rows[1 : rows.index(total)]
    assert [sum(int(row[i]) for row in above) for i in (1, 2)] == [int(cell) for cell in total[1:]]
    assert set(rows[0][1:]) == {"Anna", translator("page.chateauma")}


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "=A;B", '=A"B', "\t=1", "＝1+1", "＠A1"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_is_a_formula_in_a_spreadsheet(folder: Path, language: str, name: str) -> None:
    record = games(folder)["two"]
    seats = tuple(replace(seat, name=name) if seat.name else seat for seat in record.seats)
    assert f"'{name}" in table_of(replace(record, seats=seats), Translator(language))[0]


def test_no_reason_is_a_formula_in_a_spreadsheet(folder: Path) -> None:
    correction = {"word": "adjust", "player": "=1+1", "differences": [("silver", 1)], "reason": "lost"}
    record = replace(games(folder)["two"], corrections=(correction,))
    assert table_of(record, Translator("en"))[-1][1].startswith("'=1+1")


def test_points_below_nothing_stay_numbers_in_a_spreadsheet(folder: Path) -> None:
    record = games(folder)["one"]
    sheet = {colour: {**points, "adjusted": -3} for colour, points in record.sheet.items()}
    assert ["-3", "-3"] in [row[1:] for row in table_of(replace(record, sheet=sheet), Translator("en"))]


def test_json_holds_the_complete_record(folder: Path) -> None:
    record = games(folder)["two"]
    assert GameRecord.from_json(json.loads(as_json(record))) == record


def test_a_play_for_bg_stats_has_its_format(folder: Path) -> None:
    record = games(folder)["two"]
    link = bg_stats_link(record, Translator("en", strict=True))
    assert link.startswith(BG_STATS)
    play = json.loads(unquote(link.removeprefix(BG_STATS)))
    by_rank = sorted(play["players"], key=lambda player: player["rank"])
    assert [player["winner"] for player in by_rank] == [True, False]
    assert [int(player["score"]) for player in by_rank] == [record.scores[c] for c in record.ranking]
    assert play["playDate"] == record.began[:19].replace("T", " ")
    assert play["game"]["bggId"] == 363622


def test_a_player_without_a_name_has_another_id_in_each_play_of_bg_stats(folder: Path) -> None:
    """Red is not always played by the same person; a person with a name is."""
    one = games(folder)["one"]
    nameless = replace(one, seats=tuple(replace(seat, name=None) for seat in one.seats))
    later = replace(nameless, began="2026-05-09T18:00:00.000+00:00")
    ids = [
        {player["sourcePlayerId"] for player in json.loads(unquote(link.removeprefix(BG_STATS)))["players"]}
        for link in (bg_stats_link(record, Translator("en")) for record in (one, nameless, later))
    ]
    assert ids[0] == {"Anna", "Yves"} and not ids[1] & ids[2] and len(ids[1]) == 2


# --- what players are called ------------------------------------------------------------------------------


@pytest.fixture
def session() -> TableSession:
    setup = {**demo_setup(3, 1, chateauma="easy"), "names": {"red": "Anna"}}
    return TableSession(RULES, Journal(":memory:"), setup)


def called(session: TableSession, colour: str, language: str = "en") -> str:
    return Translator(language, view=session.snapshot()["view"]).player(colour)


def test_a_player_is_called_by_name_and_others_by_their_colour(session: TableSession) -> None:
    assert (called(session, "red"), called(session, "blue")) == ("Anna", "Blue")


def test_a_name_can_be_changed_at_any_time_and_stays(session: TableSession) -> None:
    session.rename_player("red", "  Anne   Lise ")
    assert called(session, "red") == "Anne Lise"
    assert called(TableSession(RULES, session.journal), "red") == "Anne Lise"
    session.rename_player("red", "")
    assert called(session, "red") == "Red"


@pytest.mark.parametrize(
    ("colour", "name", "code"),
    [
        ("pink", "Ida", "no_such_player"),
        ("green", "Ida", "no_such_player"),  # the Châteauma
        ("blue", "x" * 21, "name_too_long"),
        ("blue", "Ann\ud800", "half_character"),
        ("blue", "Anna", "name_taken"),
        ("blue", "ANNA", "name_taken"),
    ],
)
def test_a_name_that_cannot_be_is_refused(session: TableSession, colour: str, name: str, code: str) -> None:
    with pytest.raises(CommandRejectedError) as refused:
        session.rename_player(colour, name)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Anna", "tour d’Anna"), ("Yves", "tour d’Yves"), ("Yann", "tour de Yann"), ("Bob", "tour de Bob")],
)
def test_french_elides_before_a_name_that_begins_with_a_vowel(name: str, expected: str) -> None:
    translator = Translator("fr", view={"names": {"red": name}}, strict=True)
    assert expected in translator("reason.not_your_turn", player="red")


def test_a_game_with_a_folder_in_its_way_is_readable_again_without_it(tmp_path: Path) -> None:
    TableSession(RULES, Journal(tmp_path / "game.journal"), demo_setup(2, 1)).journal.close()
    in_the_way = tmp_path / "game.journal-journal"
    in_the_way.mkdir()
    with closing(Archive(tmp_path)) as archive:
        (blocked,) = archive.games()
        assert blocked.error_is_temporary and f"{in_the_way} is no file" in present(blocked.error)
        in_the_way.rmdir()
        (readable,) = archive.games()
        assert readable.record is not None


@pytest.mark.parametrize("ending", [".album", "-journal", "-wal", ".album-journal"])
def test_a_new_game_takes_no_name_with_something_beside_it(ending: str, tmp_path: Path) -> None:
    (tmp_path / f"game.journal{ending}").mkdir()
    assert new_journal_path(tmp_path, "game").name == "game-2.journal"


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_the_games_are_listed_without_an_index_that_cannot_be_used(
    make: Callable[[Path], None], tmp_path: Path
) -> None:
    TableSession(RULES, Journal(tmp_path / "game.journal"), demo_setup(2, 1)).journal.close()
    make(tmp_path / "archive.sqlite-journal")
    with closing(Archive(tmp_path)) as archive:
        assert [one.error for one in archive.games()] == [None]
