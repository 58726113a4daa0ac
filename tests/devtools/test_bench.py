"""``companion bench``: figures beside their references, and games that must end well."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli import bench_rules
from companion.cli.main import main
from companion.devtools.benchmarks import rules as benchmark
from companion.devtools.benchmarks.rules import bytes_each, play_batches, speed
from companion.devtools.benchmarks.timing import alternate, median_us
from companion.games.burgundy.plugin import PLUGIN, burgundy
from companion.games.burgundy.rules import GameState
from companion.games.registry import GamePlugin

TINY = {"games": 6, "slices": 3, "slice_s": 0.02}
"""As little as still measures everything: one game of each kind."""


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["bench", "rules", "--short", *words])


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_rules, "SHORT", TINY)
    monkeypatch.setattr(benchmark, "CHESS_STATES", 20)
    monkeypatch.setattr(benchmark, "MEMORY_COPIES", 1)


@pytest.fixture
def with_chess(tiny: None) -> None:
    pytest.importorskip("chess", reason="the package chess is not installed: pip install chess")


class PatchedRules:
    """Represents the rules with one method replaced."""

    def __init__(self, **replaced: Any) -> None:
        self._replaced = replaced

    def __getattr__(self, name: str) -> Any:
        return self._replaced.get(name) or getattr(burgundy(), name)


def with_rules(rules: Any) -> GamePlugin:
    return replace(PLUGIN, rules=lambda: rules)


@pytest.mark.usefixtures("with_chess")
def test_every_figure_stands_beside_its_reference_in_json() -> None:
    result = run("--json")
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert set(figures) == {"python", "chess", "speed", "state", "chess_state", "games", "failures"}
    for part in ("state", "chess_state"):
        assert set(figures[part]) == {"copy_us", "hash_us", "bytes"}
        assert min(figures[part].values()) > 0
    measured = figures["speed"]
    assert measured["decisions_per_second"] > 0 and measured["chess_moves_per_second"] > 0
    assert measured["lowest"] <= measured["ratio"] <= measured["highest"]
    assert measured["aim"] == 1 and measured["slices"] == TINY["slices"]


@pytest.mark.usefixtures("with_chess")
def test_the_figures_are_printed_in_aligned_columns() -> None:
    lines = run().stdout.splitlines()
    assert len(lines) == 6
    end = lines[0].index("rules") + len("rules")
    assert all(line[end - 1].isalnum() and line[end] == " " for line in lines)
    assert "6 of 6" in lines[-1]


@pytest.mark.usefixtures("with_chess")
def test_the_number_of_games_can_be_asked_for() -> None:
    assert sum(batch["games"] for batch in json.loads(run("--json", "--games", "2").stdout)["games"]) == 2


@pytest.mark.usefixtures("with_chess")
def test_a_game_that_goes_wrong_is_named_and_ends_the_command_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    crooked = PatchedRules(score_sheet=lambda state: {player.colour: {} for player in state.players})
    monkeypatch.setattr(benchmark, "default_plugin", lambda: with_rules(crooked))
    result = run("--json", "--games", "1")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["failures"] == 1
    assert "special, 2 players, seed 1" in result.stderr and "the score sheet says 0" in result.stderr


@pytest.mark.usefixtures("tiny")
def test_a_missing_chess_package_is_reported_with_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("chess", "chess.polyglot"):
        monkeypatch.setitem(sys.modules, module, None)
    result = run()
    assert result.exit_code == 1 and result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert "./run bench rules" in result.stderr and "pip install" in result.stderr


def test_games_are_spread_over_both_editions_and_every_number_of_players() -> None:
    batches = list(play_batches(PLUGIN, 7))
    assert [(batch.edition, batch.players, batch.games) for batch in batches] == [
        ("special", 2, 2),
        ("special", 3, 1),
        ("special", 4, 1),
        ("2011", 2, 1),
        ("2011", 3, 1),
        ("2011", 4, 1),
    ]
    assert all(batch.decisions > 50 * batch.games and not batch.failures for batch in batches)


def test_an_error_in_one_game_does_not_keep_the_others_from_being_played() -> None:
    def broken(setup: Any) -> Any:
        if len(setup["players"]) == 3:
            raise KeyError("depot")
        return burgundy().new(setup)

    batches = list(play_batches(with_rules(PatchedRules(new=broken)), 6))
    assert [len(batch.failures) for batch in batches] == [0, 1, 0, 0, 1, 0]
    assert batches[1].failures == ("special, 3 players, seed 1: KeyError: 'depot'",)


def test_a_piece_that_a_move_loses_is_found_in_complete_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GameState, "return_to_box", lambda game, *discarded: None)
    found = [failure for batch in play_batches(PLUGIN, 3) for failure in batch.failures]
    assert len(found) == 3 and all("appear or disappear" in failure for failure in found)


def test_the_speed_is_the_median_of_neighbouring_slices() -> None:
    measured = speed([(30.0, 10.0), (20.0, 20.0), (10.0, 5.0)])
    assert (measured.ratio, measured.lowest, measured.highest) == (2.0, 1.0, 3.0)
    assert (measured.decisions_per_second, measured.chess_moves_per_second) == (20.0, 10.0)


@pytest.mark.parametrize(("ours", "met"), [(99.0, False), (100.0, True)])
def test_the_aim_is_no_fewer_decisions_than_chess_makes_moves(ours: float, met: bool) -> None:
    assert speed([(ours, 100.0)]).aim_met is met


def test_two_workloads_are_measured_in_turns() -> None:
    steps: list[str] = []

    def work(name: str) -> Any:
        while True:
            steps.append(name)
            yield

    rates = alternate(work("a"), work("b"), slices=2, slice_s=0.001)
    turns = [name for i, name in enumerate(steps) if i == 0 or name != steps[i - 1]]
    assert turns == ["a", "b", "a", "b"]
    assert all(rate > 0 for pair in rates for rate in pair)


def test_every_item_is_timed_once() -> None:
    seen: list[int] = []
    assert median_us(seen.append, [3, 1, 2]) > 0
    assert seen == [3, 1, 2]


def test_memory_that_copies_share_is_not_counted() -> None:
    big = bytes(1_000_000)
    assert bytes_each(lambda item: [item], [big] * 10) < 1_000
    assert bytes_each(bytearray, [big] * 10) > 1_000_000
