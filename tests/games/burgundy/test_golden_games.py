"""Whole games that were played once must go the same way again (see golden_games.py for how to renew them)."""

from __future__ import annotations

import pytest

from tests.support.golden_games import GOLDEN, SETUPS, moves_of, transcript


@pytest.mark.parametrize("name", SETUPS)
def test_a_golden_game_scores_as_it_did(name: str) -> None:
    golden = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert list(transcript(SETUPS[name], moves_of(golden))) == golden.splitlines()


@pytest.mark.parametrize("name", SETUPS)
def test_a_golden_game_goes_to_its_end(name: str) -> None:
    golden = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert "# after E5: " in golden
