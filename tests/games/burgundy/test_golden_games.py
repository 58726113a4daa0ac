"""Whole games that were played once must go the same way again (see golden_games.py for how to renew them)."""

from __future__ import annotations

import pytest

from companion.games.burgundy.plugin import burgundy
from tests.support.golden_games import SETUPS, moves_of, transcript
from tests.support.paths import GOLDEN


@pytest.mark.parametrize("name", SETUPS)
def test_a_golden_game_scores_as_it_did(name: str) -> None:
    golden = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert list(transcript(SETUPS[name], moves_of(golden))) == golden.splitlines()


@pytest.mark.parametrize("name", SETUPS)
def test_a_golden_game_goes_to_its_end(name: str) -> None:
    golden = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    rules = burgundy()
    game = rules.new(SETUPS[name])
    for move in moves_of(golden):
        assert not rules.is_over(game)
        rules.play(game, move)
    assert rules.is_over(game)
