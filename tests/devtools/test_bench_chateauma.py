"""``companion bench chateauma``: games that must end well, at every level and with every kind of modifiers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli.main import main
from companion.devtools.games.burgundy import chateauma as benchmark
from companion.games.burgundy.plugin import burgundy

GAMES = "24"
"""One of each kind."""


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["bench", "chateauma", "--games", GAMES, *words])


def test_every_kind_of_game_is_played_and_in_the_json() -> None:
    result = run("--json")
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert (figures["games"], figures["failures"], len(figures["kinds"])) == (24, 0, 24)
    assert {kind["level"] for kind in figures["kinds"]} == {"easy", "intermediate", "hard"}
    assert figures["levels_in_order"] and 0 < figures["decision_ms"]["median"] < figures["decision_ms"]["aim"]
    assert set(figures["assumed"]) == {"card:8", "inventory_order", "marks:A", "marks:B", "marks:D"}


def test_the_figures_are_printed_as_a_table() -> None:
    lines = run().stdout.splitlines()
    assert len(lines) == 1 + 24 + 4 and lines[0].split() == [
        "modifiers",
        "level",
        "games",
        "mean",
        "people",
        "wins",
    ]
    assert "24 of 24 games of greedy players without an error" in lines
    assert lines[-1].startswith("assumed about the unknown print")


def test_an_assumption_can_be_another() -> None:
    figures = json.loads(run("--json", "--assume", "card:8=castle,mine,livestock,ship").stdout)
    assert figures["assumed"]["card:8"] == "castle,mine,livestock,ship"
    assert run("--assume", "weather=good").exit_code == 2


def test_a_game_that_goes_wrong_is_named_and_ends_the_command_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def __getattr__(self, name: str) -> Any:
            return getattr(burgundy(), name)

        def new(self, setup: Any) -> Any:
            if setup["chateauma"]["level"] == "hard":
                raise RuntimeError("boom")
            return burgundy().new(setup)

    monkeypatch.setattr(benchmark, "burgundy", Broken)
    result = run("--json")
    assert result.exit_code == 1 and json.loads(result.stdout)["failures"] == 8
    assert "hard ABCD, 1 people, seed 0: RuntimeError: boom" in result.stderr
