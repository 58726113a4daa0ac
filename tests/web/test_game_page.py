"""Each game draws its own page; where it has nothing of its own, the common page shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing

import pytest
from flask import Flask

from companion.games.registry import rules_of
from companion.journal import Journal
from companion.session import TableSession
from tests.support.other_games import more_games
from tests.support.pages import create_app
from tests.support.tables import Table, watching
from web.game_page import part_of
from web.setup_form import create_setup_form_app
from web.templating import TemplateBytecode, game_folders


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    with more_games():
        yield


def app_of(game: str) -> Flask:
    setup = {"game": game, "players": [{"colour": "red"}, {"colour": "blue"}]}
    app = create_app(TableSession(rules_of(setup), Journal(":memory:"), setup))
    app.testing = True
    return app


@pytest.mark.parametrize(
    ("game", "slot", "template"),
    [
        ("matches", "shared", "matches/shared.html"),
        ("matches", "progress", "slots/progress.html"),
        ("pebbles", "board", "slots/board.html"),
        ("burgundy", "board", "burgundy/board.html"),
    ],
)
def test_a_slot_is_filled_by_the_games_own_template_or_else_the_common_one(
    game: str, slot: str, template: str
) -> None:
    assert part_of(game).slot(slot) == template


def test_the_page_links_the_style_sheets_of_its_game_alone() -> None:
    page = app_of("matches").test_client().get("/").get_data(as_text=True)
    assert "/static/games/matches/style.css" in page and "/static/games/matches/wide.css" in page
    assert "/static/games/burgundy/" not in page and "matches/narrow.css" not in page


def test_the_static_files_of_all_games_are_served() -> None:
    client = app_of("matches").test_client()
    for path, status in (
        ("burgundy/icons.svg", 200),
        ("matches/style.css", 200),
        ("matches/icons.svg", 404),
        ("chess/style.css", 404),
        ("matches/../__init__.py", 404),
    ):
        with closing(client.get(f"/static/games/{path}")) as answer:
            assert answer.status_code == status


def test_sheets_of_one_game_are_not_on_the_page_of_another() -> None:
    table = Table()
    watching(table)
    burgundy = create_app(table.session).test_client()
    assert burgundy.get("/tiles").status_code == burgundy.get("/areas/red").status_code == 200
    matches = app_of("matches").test_client()
    assert matches.get("/tiles").status_code == matches.get("/areas/red").status_code == 404
    assert 'data-open="/tiles"' not in matches.get("/menu").get_data(as_text=True)


def test_templates_of_two_games_that_are_called_alike_are_cached_apart() -> None:
    environment, cache = app_of("matches").jinja_env, TemplateBytecode()
    keys = {
        cache.get_cache_key(environment.get_template(f"{game}/board.html").name or "")
        for game in ("burgundy", "matches")
    }
    assert {folder.name for folder in game_folders()} >= {"burgundy", "matches"} and len(keys) == 2


@pytest.mark.parametrize("path", ["/", "/menu", "/moves", "/rules", "/story", "/score/red", "/games/now"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_common_page_shows_a_game_without_a_part_of_its_own(path: str, language: str) -> None:
    """A missing text would raise."""
    assert app_of("pebbles").test_client().get(f"{path}?lang={language}").status_code == 200


@pytest.mark.parametrize("game", ["matches", "pebbles", "pips"])
def test_a_page_that_shows_all_parts_of_a_game_is_sent_none_again(game: str) -> None:
    client = app_of(game).test_client()
    shown = re.findall('data-parts="([^"]*)"', client.get("/table").get_data(as_text=True))[0]
    again = client.get("/table", query_string={"shown": shown}).get_data(as_text=True)
    assert len(re.findall("data-same=", again)) > 3
    assert set(re.findall(r'\sid="([^"]+)"(?! data-same)', again)) == {"state"}


def test_a_board_of_a_game_names_its_player_knowing_nothing_but_the_seat() -> None:
    page = app_of("matches").test_client().get("/?lang=en").get_data(as_text=True)
    board = re.findall('<article class="player[^>]*id="player-blue">.*?</article>', page, re.S)[0]
    assert 'data-open="/player/blue"' in board and "badge-blue" in board


def test_a_place_of_a_game_opens_on_the_table_and_not_in_a_replay() -> None:
    client = app_of("matches").test_client()
    assert 'data-open="/place/heap:1"' in client.get("/").get_data(as_text=True)
    replayed = client.get("/games/now/replay/0").get_data(as_text=True)
    assert 'class="heap"' in replayed and "/heap:1" not in replayed


def test_a_place_where_nothing_can_be_done_says_so() -> None:
    client = app_of("matches").test_client()
    for language, sentence in (("en", "Nothing can be done here now."), ("fr", "Il n’y a rien à faire ici")):
        answer = client.get(f"/place/heap:9?lang={language}")
        assert answer.status_code == 200 and sentence in answer.get_data(as_text=True)


def test_games_to_choose_from_are_called_as_in_the_language_of_the_page() -> None:
    client = create_setup_form_app(["burgundy", "matches"], lambda game, choice: None).test_client()
    for language, names in (
        ("en", ["The Castles of Burgundy", "Matches"]),
        ("fr", ["Les Châteaux de Bourgogne", "Allumettes"]),
    ):
        form = client.get(f"/?lang={language}").get_data(as_text=True)
        choice = re.findall('<select name="game".*?</select>', form)[0]
        assert re.findall("<option[^>]*>(.*?)</option>", choice) == names


def test_what_a_table_does_not_tell_is_said_until_the_first_entry_and_always_with_the_table_rules() -> None:
    setup = {"game": "matches", "players": [{"colour": "red"}, {"colour": "blue"}], "told": []}
    session = TableSession(rules_of(setup), Journal(":memory:"), setup)
    client = create_app(session).test_client()
    notice = "their points are not counted here"
    assert notice in client.get("/?lang=en").get_data(as_text=True)
    session.tap("bid red 1", "red")
    assert notice not in client.get("/?lang=en").get_data(as_text=True)
    assert notice in client.get("/rules?lang=en").get_data(as_text=True)
