"""Whole games that were played once must go the same way again (see golden_games.py for how to renew them)."""

from __future__ import annotations

import pytest

from companion.games.burgundy.modules.chateauma import LEVELS
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules.table_rules import OPTIONS
from tests.support.golden_games import SETUPS, moves_of, transcript
from tests.support.paths import GOLDEN


def golden(name: str) -> str:
    return (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SETUPS)
def test_a_golden_game_scores_as_it_did(name: str) -> None:
    written = golden(name)
    assert list(transcript(SETUPS[name], moves_of(written))) == written.splitlines()


@pytest.mark.parametrize("name", SETUPS)
def test_a_golden_game_goes_to_its_end(name: str) -> None:
    """Its last move ends the game, and none before it does."""
    rules = burgundy()
    game = rules.new(SETUPS[name])
    over = []
    for move in moves_of(golden(name)):
        rules.play(game, move)
        over.append(rules.is_over(game))
    assert over == [False] * (len(over) - 1) + [True]


def test_every_transcript_is_replayed() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(SETUPS)


def test_every_number_of_players_is_played_with_and_without_the_chateauma() -> None:
    played = {(len(setup["players"]), "chateauma" in setup) for setup in SETUPS.values()}
    assert played == {(2, False), (3, False), (4, False), (1, True), (2, True), (3, True)}


def test_both_editions_are_played_by_two_to_four() -> None:
    played = {
        (setup["edition"], len(setup["players"])) for setup in SETUPS.values() if "chateauma" not in setup
    }
    assert played == {(edition, count) for edition in ("special", "2011") for count in (2, 3, 4)}


def test_every_level_and_modifier_of_the_chateauma_is_played() -> None:
    automas = [setup["chateauma"] for setup in SETUPS.values() if "chateauma" in setup]
    assert {automa["level"] for automa in automas} == set(LEVELS)
    assert {modifier for automa in automas for modifier in automa["modifiers"]} == set("ABCD")


def test_every_table_rule_is_played_its_unusual_way() -> None:
    played = {choice for setup in SETUPS.values() for choice in setup.get("rules", {}).items()}
    assert {(name, value) for name, (_, *others) in OPTIONS.items() for value in others} <= played
