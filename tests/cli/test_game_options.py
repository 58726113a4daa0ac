"""--game and --modules: which game is played, and with which of its modules."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from companion.cli.main import main


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


def test_the_kinds_of_games_are_listed_with_their_modules() -> None:
    lines = run("games", "kinds").stdout.splitlines()
    assert lines[0].split(maxsplit=1) == ["burgundy", "The Castles of Burgundy"]
    assert [line.split()[0] for line in lines[1:]] == ["chateauma", "linked_castles"]


def test_the_kinds_of_games_are_listed_as_json() -> None:
    (line,) = run("games", "kinds", "--json").stdout.splitlines()
    kind = json.loads(line)
    assert kind["game"] == "burgundy"
    named = {module["id"]: module["is_named"] for module in kind["modules"]}
    assert named == {"chateauma": False, "linked_castles": True}


def test_games_are_simulated_with_the_modules_that_are_named() -> None:
    options = ("--game", "burgundy", "--modules", "linked_castles", "--players", 3, "--games", 3, "--json")
    result = json.loads(run("simulate", *options).stdout)
    assert (result["game"], result["modules"], result["players"]) == ("burgundy", ["linked_castles"], 3)


def test_modules_change_the_game_that_is_simulated() -> None:
    with_module = json.loads(run("simulate", "--modules", "linked_castles", "--games", 3, "--json").stdout)
    without = json.loads(run("simulate", "--games", 3, "--json").stdout)
    assert "modules" not in without and with_module["decisions"] != without["decisions"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--game", "chess"), "there is no game 'chess': choose burgundy"),
        (("--modules", "inns"), "there is no module 'inns'"),
        (("--modules", "chateauma"), "there is no module 'chateauma'"),
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
