"""The pages about past games: list, result, replay, exports."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient
from markupsafe import escape
from werkzeug.http import parse_options_header

from companion.archive import Archive
from companion.journal import Journal
from companion.journal.database import write_lines
from companion.journal.record import chained
from companion.privacy.erasure import DataPaths
from companion.privacy.picture_retention import PictureRetention
from companion.session import TableSession
from companion.storage.picture_store import PictureStore
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.archive.test_archive import RULES, play
from tests.support.pages import create_app
from tests.support.tables import Table
from web.chart import HEIGHT, LABEL_GAP, MAX_GRID_LINES, chart


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """Returns a page with two past games, one against the Châteauma; a third game is on the table."""
    folder: Path = tmp_path_factory.mktemp("games")
    play(folder / "past.journal", 1, names={"red": "Anna", "blue": "<b>Yves</b>"})
    play(folder / "automa.journal", 2, names={"red": "Anna"}, chateauma="hard")
    play(folder / "current.journal", 3, names={"red": "Ida"}, moves=30)
    journal = Journal(folder / "current.journal")
    app = create_app(TableSession(RULES, journal), archive=Archive(folder))
    app.testing = True
    yield app.test_client()
    journal.close()


def text(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer.get_data(as_text=True)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "path", ["/games", "/games/past", "/games/automa", "/games/now", "/games/automa/replay/9"]
)
def test_every_page_has_all_texts_in_every_language(client: FlaskClient, path: str, language: str) -> None:
    """A missing text would raise."""
    assert f'<html lang="{language}">' in text(client, f"{path}?lang={language}")


def test_the_list_names_past_games_and_the_one_on_the_table(client: FlaskClient) -> None:
    shown = text(client, "/games")
    assert all(f'href="/games/{name}"' in shown for name in ("now", "past", "automa"))
    assert 'href="/games/current"' not in shown and "Ida" in shown


def test_names_are_shown_as_text(client: FlaskClient) -> None:
    for path in ("/games", "/games/past", "/games/past/game.svg"):
        assert "<b>Yves</b>" not in text(client, path) and str(escape("<b>Yves</b>")) in text(client, path)


@pytest.mark.parametrize("record", [("names", "{}"), ("setup", '{"players": 7}'), ("setup", "{}")])
def test_a_game_that_cannot_be_read_has_no_steps(tmp_path: Path, record: tuple[str, str]) -> None:
    write_lines(tmp_path / "odd.journal", chained([("2026-11-30T20:00:00.000+00:00", *record)]))
    app = create_app(Table().session, archive=Archive(tmp_path))
    app.testing = True
    assert app.test_client().get("/games/odd/replay/0").status_code == 404


@pytest.mark.parametrize(
    "path", ["/games/none", "/games/none/game.csv", "/games/..%2fpast", "/games/past/replay/9999"]
)
def test_a_missing_game_is_not_found(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_the_result_shows_every_total_and_the_rolls(client: FlaskClient) -> None:
    record = json.loads(text(client, "/games/past/game.json"))
    shown = text(client, "/games/past")
    for colour, score in record["scores"].items():
        assert f"<td>{score}</td>" in shown
        assert all(f"<td>{count}<svg" in shown for count in record["dice"][colour])


@pytest.mark.parametrize(
    ("language", "named"), [("en", "inns · border posts"), ("fr", "auberges · postes frontaliers")]
)
def test_the_result_names_the_expansions_that_were_played_with(
    tmp_path: Path, language: str, named: str
) -> None:
    path = tmp_path / "wide.journal"
    players = [{"colour": "red", "duchy": "se-23"}, {"colour": "blue", "duchy": "se-24"}]
    setup = {"edition": "special", "players": players, "modules": ["inns", "border_posts"]}
    journal = Journal(path)
    TableSession(RULES, journal, setup)
    journal.close()
    table = Table()
    client = create_app(table.session, archive=Archive(tmp_path)).test_client()
    assert named in text(client, f"/games/wide?lang={language}")


def test_a_game_can_be_stepped_through_to_its_end(client: FlaskClient) -> None:
    record = json.loads(text(client, "/games/automa/game.json"))
    first = text(client, "/games/automa/replay/0")
    steps = int(first.split("0 / ")[1].split("<")[0])
    last = text(client, f"/games/automa/replay/{steps}")
    assert 'rel="prev"' not in first and 'rel="next"' in first
    assert 'rel="next"' not in last and 'rel="prev"' in last
    assert all(
        re.search(f'<strong class="points[^>]*>{score}</strong>', last) for score in record["scores"].values()
    )


def test_a_replay_offers_nothing_that_would_change_the_game(client: FlaskClient) -> None:
    shown = text(client, "/games/past/replay/20")
    assert "data-do" not in shown and "data-open" not in shown


def test_the_spreadsheet_opens_with_its_accents(client: FlaskClient) -> None:
    answer = client.get("/games/automa/game.csv?lang=fr")
    assert answer.data.startswith(b"\xef\xbb\xbf") and "attachment" in answer.headers["Content-Disposition"]
    rows = list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig")), delimiter=";"))
    assert Translator("fr")("page.chateauma") in rows[0]


NAMES = {
    "été 1": "%C3%A9t%C3%A9%201",
    "2026年": "2026%E5%B9%B4",
    "50%?#": "50%25%3F%23",
    'a"b': "a%22b",
    "now": "~now",
    "~now": "~~now",
}


@pytest.fixture(scope="module")
def oddly_named(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    folder: Path = tmp_path_factory.mktemp("games")
    for seed, name in enumerate(NAMES):
        play(folder / f"{name}.journal", seed, names={"red": f"Ida {seed}"}, moves=9 + seed)
    return create_app(Table().session, archive=Archive(folder)).test_client()


@pytest.mark.parametrize(("name", "address"), NAMES.items())
def test_a_game_with_any_file_name_is_found_and_downloaded(
    oddly_named: FlaskClient, name: str, address: str
) -> None:
    seed = list(NAMES).index(name)
    assert f'href="/games/{address}"' in text(oddly_named, "/games")
    result = text(oddly_named, f"/games/{address}")
    assert f"Ida {seed}" in result and f'href="/games/{address}/replay/0"' in result
    assert f"Ida {seed}" in text(oddly_named, f"/games/{address}/replay/0")
    for ending in ("csv", "json"):
        answer = oddly_named.get(f"/games/{address}/game.{ending}?lang=en")
        _, options = parse_options_header(answer.headers["Content-Disposition"])
        assert options["filename"].endswith(f".{ending}") and f"Ida {seed}" in options["filename"]
        answer.headers["Content-Disposition"].encode("ascii")


def test_the_game_on_the_table_is_found_by_its_file_too(client: FlaskClient) -> None:
    assert "Ida" in text(client, "/games/current") and "Ida" in text(client, "/games/current/replay/1")


def test_empty_and_duplicate_games_are_listed_on_request(tmp_path: Path) -> None:
    play(tmp_path / "past.journal", 1, names={"red": "Anna"})
    play(tmp_path / "unplayed.journal", 2, names={"red": "Ida"}, moves=3)
    shutil.copy(tmp_path / "past.journal", tmp_path / "again.journal")
    client = create_app(Table().session, archive=Archive(tmp_path)).test_client()
    shown, all_ = text(client, "/games?lang=en"), text(client, "/games?all&lang=en")
    assert [name for name in ("again", "past", "unplayed") if f"/games/{name}" in shown] == ["again"]
    assert "2 games are not listed" in shown and "2 games are not listed" not in all_
    assert "no turn was played" in all_ and "the same as again" in all_
    assert re.search(r"Anna</span></th><td>1</td>", shown)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_result_drawing_needs_no_other_files(client: FlaskClient, language: str) -> None:
    """It is well-formed, contains every score, and refers to no other file."""
    drawn = text(client, f"/games/automa/game.svg?lang={language}")
    scores = json.loads(text(client, "/games/automa/game.json"))["scores"]
    texts = ["".join(element.itertext()) for element in ElementTree.fromstring(drawn).iter() if element.text]
    assert {str(score) for score in scores.values()} <= set(texts)
    assert all(at.startswith("#") for at in re.findall(r'href="([^"]*)"', drawn)) and "url(" not in drawn


def test_the_result_drawing_lists_every_source_of_points(client: FlaskClient) -> None:
    sheet = json.loads(text(client, "/games/past/game.json"))["sheet"]
    drawn, t = text(client, "/games/past/game.svg?lang=en"), Translator("en", "burgundy")
    assert all(f">{t(f'source.{source}')}</text>" in drawn for points in sheet.values() for source in points)


def test_the_result_drawing_shows_the_board_of_every_player(client: FlaskClient) -> None:
    drawn = text(client, "/games/past/game.svg?lang=en")
    assert drawn.count("<polygon") == 2 * 37 and drawn.index(">Anna</text>") < drawn.rindex(">Anna</text>")


def test_exported_files_are_called_after_day_and_players(client: FlaskClient) -> None:
    for path in ("game.csv", "game.json"):
        answer = client.get(f"/games/past/{path}?lang=en")
        _, options = parse_options_header(answer.headers["Content-Disposition"])
        assert re.match(r"\d{4}-\d\d-\d\d \d\d\.\d\d .*Anna", options["filename"])
        assert not set('<>/"') & set(options["filename"])


# --- players over all evenings -----------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_statistics_name_players_and_their_sources(client: FlaskClient, language: str) -> None:
    shown = text(client, f"/players?lang={language}")
    assert "Anna" in shown and "&lt;b&gt;Yves&lt;/b&gt;" in shown and "Ida" not in shown  # hers is not over
    assert Translator(language, "burgundy")("source.livestock") in shown


def test_the_list_of_games_leads_to_the_statistics(client: FlaskClient) -> None:
    assert 'href="/players"' in text(client, "/games")


def test_without_names_the_statistics_explain_how_to_name_players(tmp_path: Path) -> None:
    app = create_app(Table().session, archive=Archive(tmp_path))
    assert Translator("en")("archive.nobody_named") in text(app.test_client(), "/players?lang=en")


# --- the chart --------------------------------------------------------------------------------------------


def heights(timeline: dict[str, Any]) -> dict[str, list[float]]:
    drawn = chart(timeline, "ABCDE", 5)
    return {line.colour: [float(p.split(",")[1]) for p in line.points.split()] for line in drawn.lines}


def test_a_line_starts_at_zero_and_rises_with_the_points() -> None:
    """The axis points down."""
    drawn = heights({"red": [0, 5, 5, 20], "blue": [10, 10, 10, 10]})
    assert len(drawn["red"]) == 5 and drawn["red"][0] == drawn["red"][1] == drawn["blue"][0]
    assert drawn["red"][4] < drawn["blue"][4] < drawn["red"][2] == drawn["red"][3]


def test_equal_final_scores_do_not_overlap() -> None:
    drawn = chart({colour: [50, 100] for colour in ("red", "blue", "green", "black")}, "ABCDE", 5)
    places = sorted(line.label_y for line in drawn.lines)
    assert all(below - above >= LABEL_GAP for above, below in pairwise(places))


@pytest.mark.parametrize("timeline", [{"red": [], "blue": []}, {"red": [0], "blue": [0]}])
def test_a_game_without_points_is_drawn(timeline: dict[str, list[int]]) -> None:
    assert all(0 < y < HEIGHT for ys in heights(timeline).values() for y in ys)


@pytest.mark.parametrize("score", [1, 99, 240, 999, 9_999_999_999, 10**400 + 7])
def test_the_grid_has_few_lines_for_any_score(score: int) -> None:
    """Old journals contain impossible scores, written by overrides without bounds."""
    drawn = chart({"red": [0, score], "blue": [0, 5]}, "ABCDE", 5)
    assert len(drawn.grid) <= MAX_GRID_LINES + 1 and drawn.grid[-1][1] <= score
    assert all(0 < y < HEIGHT for y, _ in drawn.grid)


def test_a_replay_links_to_the_beginning_of_each_phase(client: FlaskClient) -> None:
    shown = text(client, "/games/past/replay/9?lang=en")
    links = dict(re.findall(r'<a href="([0-9]+)" aria-label="Phase ([A-E])">', shown))
    assert list(links.values()) == list("ABCDE")
    for number, letter in links.items():
        assert f"Phase {letter} begins" in text(client, f"/games/past/replay/{number}?lang=en")


def test_a_replay_marks_the_places_that_a_step_has_changed(client: FlaskClient) -> None:
    beginning = text(client, "/games/past/replay/0?lang=en")
    phase_b = re.search(r'<a href="([0-9]+)" aria-label="Phase B">', beginning)
    assert phase_b is not None and 'class="spot fresh"' not in beginning
    assert (
        text(client, f"/games/past/replay/{phase_b[1]}").count('class="spot fresh"') > 6
    )  # the depots are filled


def test_the_slider_of_a_replay_has_a_mark_for_each_phase(client: FlaskClient) -> None:
    marks = text(client, "/games/past/replay/9").split('class="section-marks"')[1].split("</svg>")[0]
    assert re.findall(r">([A-E])</text>", marks) == list("ABCDE")


@pytest.mark.parametrize("path", ["/games", "/players", "/games/past", "/games/past/replay/1"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_about_games_explains_itself(client: FlaskClient, language: str, path: str) -> None:
    shown = text(client, f"{path}?lang={language}")
    assert re.search(r'<details class="page-help">.*?<p>[^<]+\.</p></details>', shown)


def test_a_replay_shows_what_last_changed_the_scores_of_the_others(client: FlaskClient) -> None:
    beginning, end = (text(client, f"/games/past/replay/{number}") for number in (1, 60))
    assert '<span class="change' not in beginning
    cards = re.findall(r'<li class="score .*?</li>', end, re.S)
    assert sorted(('"score to-move' in card, '<span class="change' in card) for card in cards) == [
        (False, True),
        (True, False),
    ]


def test_without_names_the_list_explains_how_to_name_players(tmp_path: Path) -> None:
    play(tmp_path / "past.journal", 1, names={})
    app = create_app(Table().session, archive=Archive(tmp_path))
    assert Translator("en")("archive.nobody_named") in text(app.test_client(), "/games?lang=en")


# --- deleting one by one ----------------------------------------------------------------------------------


@pytest.fixture
def untidy(tmp_path: Path) -> Iterator[FlaskClient]:
    """Returns a page with a finished game, its copy, and one that was left unfinished."""
    play(tmp_path / "past.journal", 1, names={"red": "Anna"})
    shutil.copy(tmp_path / "past.journal", tmp_path / "past-2.journal")
    play(tmp_path / "left.journal", 2, names={"red": "Ida"}, moves=40)
    picture_store = PictureStore(tmp_path / "now.journal.album")
    with (
        closing(picture_store),
        PictureRetention(DataPaths(tmp_path), picture_store, tmp_path / "settings.json") as pictures,
    ):
        app = create_app(Table().session, archive=Archive(tmp_path), pictures=pictures)
        app.testing = True
        yield app.test_client()


def test_the_list_offers_to_delete_unfinished_and_doubled_games(untidy: FlaskClient) -> None:
    shown = text(untidy, "/games?all&lang=en")
    assert re.findall(r'href="/games/([^/"]+)/delete(\?all)?"', shown) == [("left", ""), ("past-2", "?all")]


def test_deleting_a_doubled_game_says_which_one_stays_and_leads_back_to_the_whole_list(
    untidy: FlaskClient,
) -> None:
    shown = text(untidy, "/games/past-2/delete?all&lang=en")
    assert "this is the same as past, and that one stays" in shown and 'data-to="/games?all"' in shown
    assert "Nothing is lost" not in text(untidy, "/games/left/delete?lang=en")


def test_every_page_about_games_leads_back_to_the_game(untidy: FlaskClient) -> None:
    paths = ("/games", "/games/past", "/games/past/replay/3", "/games/past/delete", "/privacy", "/nowhere")
    for path in paths:
        shown = untidy.get(f"{path}?lang=en", headers={"Accept": "text/html"}).get_data(as_text=True)
        assert re.search(r'<a class="button[^"]*" href="/">.*Back to the game</a>', shown), path
