"""--game and --modules: which game is played, and with which of its modules."""

from __future__ import annotations

import json
from itertools import takewhile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli.groups import found
from companion.cli.main import main
from tests.support.other_games import more_games


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


def test_the_kinds_of_games_are_listed_with_their_modules() -> None:
    lines = run("games", "kinds").stdout.splitlines()
    at = next(i for i, line in enumerate(lines) if line.split()[0] == "burgundy")
    assert lines[at].split(maxsplit=1) == ["burgundy", "The Castles of Burgundy"]
    modules = [line.split()[0] for line in takewhile(lambda line: line.startswith("  "), lines[at + 1 :])]
    assert {"chateauma", "linked_castles"} <= {*modules}


def test_the_kinds_of_games_are_listed_as_json() -> None:
    kinds = [json.loads(line) for line in run("games", "kinds", "--json").stdout.splitlines()]
    (modules,) = (kind["modules"] for kind in kinds if kind["game"] == "burgundy")
    named = {module["id"]: module["is_named"] for module in modules}
    assert (named["chateauma"], named["linked_castles"]) == (False, True)


@pytest.mark.parametrize(
    ("language", "inns"),
    [
        ("en", "inns; only in the Special Edition; not with the Châteauma"),
        ("fr", "auberges; seulement dans l’Édition Spéciale; pas avec le Châteauma"),
    ],
)
def test_the_list_says_what_goes_with_what(language: str, inns: str) -> None:
    lines = run("games", "kinds", "--language", language).stdout.splitlines()
    described = dict(line.split(maxsplit=1) for line in lines if line.startswith("  "))
    assert described["inns"] == inns
    assert ";" not in described["linked_castles"]  # in both editions


OF_SPECIAL_EDITION = ("extra_tiles", "white_castles", "inns", "border_posts", "trade_routes", "shields")


@pytest.mark.parametrize("module", OF_SPECIAL_EDITION)
@pytest.mark.parametrize("seats", [("--players", "red:2011-1,blue:2011-2"), ()], ids=["named", "asked"])
def test_the_2011_edition_refuses_modules_of_the_special_one_in_a_sentence(
    tmp_path: Path, module: str, seats: tuple[str, ...]
) -> None:
    words = ("--edition", "2011", "--modules", module, "--journal", tmp_path / "game.journal", "--port", 0)
    result = run("play", *words, *seats)
    assert result.exit_code == 1
    assert result.stderr.strip() == f"companion: edition '2011' has no module {module}; leave it out"


def test_games_are_simulated_with_the_modules_that_are_named() -> None:
    options = ("--game", "burgundy", "--modules", "linked_castles", "--players", 3, "--games", 3, "--json")
    result = json.loads(run("simulate", *options).stdout)
    assert (result["game"], result["modules"], result["players"]) == ("burgundy", ["linked_castles"], 3)


def test_modules_change_the_game_that_is_simulated() -> None:
    with_module = json.loads(run("simulate", "--modules", "linked_castles", "--games", 3, "--json").stdout)
    without = json.loads(run("simulate", "--games", 3, "--json").stdout)
    assert "modules" not in without and with_module["decisions"] != without["decisions"]


@pytest.mark.parametrize("options", [(), ("--chateauma", "easy")])
def test_what_is_made_up_about_unknown_print_is_said(options: tuple[str, ...]) -> None:
    result = run("simulate", "--modules", "trade_routes", "--games", 1, "--players", 2, *options)
    assert result.exit_code == 0
    assert "6 of the 12 trade route tiles are made up" in result.stdout


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--game", "chess"), "there is no game 'chess': choose burgundy"),
        (("--modules", "vineyards"), "there is no module 'vineyards'; './run games kinds' lists them"),
        (("--modules", ","), "no module is named"),
        (("--modules", "inns", "--modules", "shields,inns"), "inns is named twice"),
        (("--modules", "chateauma"), "chateauma is chosen by an option of its own"),
        (("--modules", "linked_castles,linked_castles"), "named twice"),
    ],
)
@pytest.mark.parametrize("command", ["simulate", "demo", "play"])
def test_what_is_no_game_or_module_is_refused_with_the_cure(
    command: str, options: tuple[str, ...], why: str
) -> None:
    result = run(command, *options)
    assert result.exit_code != 0
    assert why in result.stderr and "./run games kinds" in result.stderr


@pytest.mark.parametrize(
    ("words", "intended"),
    [
        (("simulate", "--modules", "inn"), "inns"),
        (("demo", "--modules", "Extra-Tiles"), "extra_tiles"),
        (("play", "--modules", "trade route"), "trade_routes"),
        (("play", "--rule", "castle_link=on"), "castle_links"),
        (("screens", "--only", "layot"), "layout"),
    ],
)
def test_a_mistyped_name_is_answered_with_the_one_that_was_meant(
    words: tuple[str, ...], intended: str
) -> None:
    result = run(*words)
    assert result.exit_code == 2 and f"did you mean '{intended}'?" in result.stderr


def test_modules_may_be_named_in_several_options() -> None:
    options = ("--modules", "inns", "--modules", "shields", "--players", 2, "--games", 1, "--json")
    assert json.loads(run("simulate", *options).stdout)["modules"] == ["inns", "shields"]


# --- the options of one game ---


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("play", "--edition"),
        ("play", "--rule"),
        ("demo", "--pieces"),
        ("simulate", "--assume"),
        ("rules", "--edition"),
    ],
)
def test_the_help_shows_the_options_of_a_game_in_a_section_of_their_own(command: str, option: str) -> None:
    common, _, own = run(command, "--help").stdout.partition("Options of The Castles of Burgundy:")
    assert option in own and option not in common
    assert "--game" in common


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("simulate", "--chateauma", "easy"), "--chateauma"),
        (("demo", "--pieces", "table"), "--pieces"),
        (("play", "--edition=2011"), "--edition"),
        (("rules", "--edition", "2011"), "--edition"),
    ],
)
def test_an_option_of_another_game_is_refused_by_name(words: tuple[str, ...], option: str) -> None:
    with more_games():
        result = run(*words, "--game", "matches")
    assert result.exit_code == 2
    assert f"{option} is an option of The Castles of Burgundy, not of Matches" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_an_option_of_no_game_is_no_option() -> None:
    result = run("simulate", "--chateauna", "easy")
    assert result.exit_code == 2 and "no such option" in result.stderr and "--chateauma" in result.stderr


def test_the_game_may_be_named_after_its_options() -> None:
    named_last = json.loads(
        run("simulate", "--chateauma", "easy", "--games", 1, "--json", "--game", "burgundy").stdout
    )
    assert named_last["chateauma"]["level"] == "easy"


# --- a game that adds nothing to the commands ---


def test_a_game_without_options_of_its_own_is_simulated_with_the_seats_it_proposes() -> None:
    with more_games():
        result = json.loads(
            run("simulate", "--game", "matches", "--players", 2, "--games", 3, "--json").stdout
        )
    assert (result["game"], result["seats"], result["decisions"] > 0) == ("matches", ["red", "blue"], True)


def test_a_game_that_cannot_be_played_by_so_many_says_so() -> None:
    with more_games():
        result = run("simulate", "--game", "matches", "--players", 3)
    assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1


def test_a_game_without_a_virtual_table_has_no_demo() -> None:
    with more_games():
        result = run("demo", "--game", "matches", "--players", 2)
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "companion: Matches has no virtual table: ./run simulate --game matches lets bots play it"
    ]


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "has no table rules"), ("fr", "n’a pas de règles de table")]
)
def test_a_game_that_leaves_nothing_open_has_no_table_rules(language: str, sentence: str) -> None:
    with more_games():
        assert sentence in run("rules", "--game", "matches", "--language", language).stdout


def test_players_of_a_game_without_boards_are_colours_only() -> None:
    with more_games():
        result = run("play", "--game", "matches", "--players", "red:se-1,blue:se-2")
    assert result.exit_code == 1 and "name colours, as in red,blue" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_game_without_boards_cannot_be_watched_by_a_camera(tmp_path: Path) -> None:
    table = tmp_path / "table.json"
    table.write_text(json.dumps({"image_size": [640, 480], "boards": []}))
    with more_games():
        result = run("play", "--game", "matches", "--table", table)
    assert result.exit_code == 1 and "Matches is played without a camera" in result.stderr


# --- the commands of one game ---


def test_the_commands_of_a_game_are_found_in_its_folder() -> None:
    assert found("bench")["chateauma"] == "companion.cli.games.burgundy.bench_chateauma"
    assert found("bench")["rules"] == "companion.cli.bench_rules"
