"""Bots: each plays complete games by the rules, and the same game from the same seed."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from companion.games.burgundy.rules import GameState
from companion.games.burgundy.rules.state import OVER
from companion.players.bots import BOTS, Bot
from tests.support.positions import RULES, new_game, on_turn, store


def played(bots: list[Bot], seed: int) -> GameState:
    """A finished two-player game; every move is checked."""
    rng, game = random.Random(seed), new_game()
    while game.stage != OVER:
        RULES.play(game, RULES.sample_chance(game, rng) or bots[game.turn](RULES, game))
    return game


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_plays_the_same_game_again_from_the_same_seed(name: str) -> None:
    first, second = (played([BOTS[name](3), BOTS[name](4)], seed=5) for _ in range(2))
    assert first.state_hash() == second.state_hash()


@pytest.mark.parametrize("seed", range(3))
def test_the_greedy_bot_beats_the_random_one(seed: int) -> None:
    red, blue = played([BOTS["random"](seed), BOTS["greedy"](seed)], seed).players
    assert blue.score > red.score + 20


def test_the_greedy_bot_takes_available_points() -> None:
    game = on_turn((3, 1))
    store(game, "building/watchtower")
    chosen = str(BOTS["greedy"](1)(RULES, game))
    assert chosen == "place building/watchtower 11 die 3"  # completes a city of one space, too


def test_a_bot_does_not_change_the_position() -> None:
    game = on_turn((3, 1))
    before = game.state_hash()
    BOTS["greedy"](1)(RULES, game)
    assert game.state_hash() == before


def test_the_lively_bot_chooses_among_kinds_of_moves_before_moves() -> None:
    game, bot = on_turn((3, 1)), BOTS["lively"](1)
    chosen = Counter(type(bot(RULES, game)).__name__ for _ in range(600))
    kinds = {type(move).__name__ for move in RULES.legal_moves(game)}
    assert chosen.keys() == kinds and min(chosen.values()) > 600 / len(kinds) / 2


@pytest.mark.parametrize("seed", range(3))
def test_the_planner_beats_the_greedy_bot(seed: int) -> None:
    red, blue = played([BOTS["greedy"](seed), BOTS["planner"](seed)], seed).players
    assert blue.score > red.score
