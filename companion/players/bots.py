"""Simple players, each of whom chooses one of the legal moves, and games among them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from companion.games.api import Move, Rules

Bot = Callable[[Rules, Any], Move]
"""Given the rules and a state that waits for a decision, chooses a legal move."""


def random_bot(seed: int) -> Bot:
    """Chooses evenly among the legal moves."""
    rng = random.Random(seed)

    def choose(rules: Rules, state: Any) -> Move:
        return rng.choice(rules.legal_moves(state))

    return choose


def greedy_bot(seed: int) -> Bot:
    """Chooses the move after which the position looks best, at random among equals; looks one move ahead."""
    rng = random.Random(seed)

    def choose(rules: Rules, state: Any) -> Move:
        player = rules.to_move(state)
        moves = rules.legal_moves(state)
        if player is None or len(moves) == 1:
            return rng.choice(moves)
        return max(moves, key=lambda move: (_worth(rules, state, move, player), rng.random()))

    return choose


def _worth(rules: Rules, state: Any, move: Move, player: str) -> float:
    """What the position is worth after *move*; ending the turn is worth what is there already."""
    if rules.ends_turn(move):
        return rules.evaluate(state, player)
    after = state.copy()
    rules.apply(after, move)
    return rules.evaluate(after, player)


BOTS: dict[str, Callable[[int], Bot]] = {"random": random_bot, "greedy": greedy_bot}


def decisions(rules: Rules, state: Any, bot: Bot, rng: random.Random) -> Iterator[Move]:
    """Plays *state* on to the end of its game; *rng* deals what chance decides.

    Yields each decision once it is made.
    """
    while not rules.is_over(state):
        event = rules.sample_chance(state, rng)
        if event is not None:
            rules.apply(state, event)
            continue
        move = bot(rules, state)
        rules.apply(state, move)
        yield move


def play_out(rules: Rules, state: Any, bot: Bot, rng: random.Random) -> int:
    """Plays *state* on to the end of its game; returns how many decisions that took."""
    return sum(1 for _ in decisions(rules, state, bot, rng))
