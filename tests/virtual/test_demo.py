"""The demo: complete games seen through drawn frames, explained, confirmed at the pins and recorded."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli.main import main
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules.state import ROLL
from companion.journal import Journal, replay
from companion.virtual.demo import DemoOptions, demo_setup, open_demo, play_fast
from companion.virtual.simulated_players import Comparison, compare
from hardware.virtual_table.games.burgundy.expansions import EXPANSIONS

pytestmark = pytest.mark.slow

Game = tuple[dict[str, Any], Path]
"""The report of a game, and its journal."""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """One game of a person and an opponent whom the companion plays, and its journal."""
    path = tmp_path_factory.mktemp("demo") / "demo.journal"
    words = ["demo", "--headless", "--json", "--players", "2", "--opponents", "1", "--seed", "7"]
    result = CliRunner().invoke(main, [*words, "--journal", str(path)], catch_exceptions=False)
    return json.loads(result.stdout), path


def test_a_complete_game_is_played(game: Game) -> None:
    report, _ = game
    assert (report["players"], report["turns"]) == (2, 50)


def test_the_journal_equals_the_hidden_true_game(game: Game) -> None:
    report, _ = game
    assert report["differences"] == []
    assert report["journal_equals_truth"] is True


def test_no_wrong_move_was_confirmed(game: Game) -> None:
    report, _ = game
    assert report["wrong"] == 0


def test_the_journal_replays_to_the_scores(game: Game) -> None:
    report, path = game
    rules = burgundy()
    *_, (_, state) = replay(rules, Journal(path).records())
    sheet = rules.score_sheet(state)
    assert {colour: sum(points.values()) for colour, points in sheet.items()} == report["scores"]
    assert rules.is_over(state)


def test_a_turn_takes_little_more_than_one_press(game: Game) -> None:
    """50 turns and the set-up are 51 presses when nothing is doubtful and nothing has to be corrected."""
    report, _ = game
    assert 51 <= report["presses"] <= 70


def test_a_phase_with_every_expansion_on_the_table_is_seen_right() -> None:
    """Up to the tiles of the second phase; ``./run demo --headless --modules`` plays such games to their end."""
    with open_demo(DemoOptions(demo_setup(2, 2, modules=EXPANSIONS), seed=2)) as demo:
        for what in play_fast(demo):
            if what == "turn" and (demo.session.state.phase, demo.session.state.stage) == (1, ROLL):
                break
        comparison = compare(demo.rules, demo.journal, demo.simulated)
        words = {move.word for entry in demo.session.entries() for move in entry.moves}
    assert comparison == Comparison(wrong=0, differences=())
    assert {"shields", "shield", "upkeep", "sell", "buy"} <= words


def test_a_journal_that_contains_a_game_is_refused_before_anything_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Journal(tmp_path / "game.journal")) as journal:
        journal.append("setup", demo_setup(2, 1))
    monkeypatch.setattr("hardware.virtual_table.enrolment_frames", lambda *_, **__: pytest.fail("drawn"))
    result = CliRunner().invoke(main, ["demo", "--headless", "--journal", str(tmp_path / "game.journal")])
    assert result.exit_code == 1 and "already contains a game: name a new file" in result.stderr
