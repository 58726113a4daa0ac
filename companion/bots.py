"""Simple players: each chooses one of the legal moves."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from .game import Game, Move

Bot = Callable[[Game, Any], Move]
"""Given the rules and a state that waits for a decision, chooses a legal move."""


def random_bot(seed: int) -> Bot:
    """Chooses evenly among the legal moves."""
    luck = random.Random(seed)

    def choose(rules: Game, state: Any) -> Move:
        return luck.choice(rules.legal_moves(state))

    return choose


def greedy_bot(seed: int) -> Bot:
    """Chooses the move after which the position looks best, at random among equals; looks one move ahead."""
    luck = random.Random(seed)

    def choose(rules: Game, state: Any) -> Move:
        player = rules.to_move(state)
        moves = rules.legal_moves(state)
        if player is None or len(moves) == 1:
            return luck.choice(moves)
        return max(moves, key=lambda move: (_worth(rules, state, move, player), luck.random()))

    return choose


def _worth(rules: Game, state: Any, move: Move, player: str) -> float:
    """What the position is worth after *move*; ending the turn is worth what is there already."""
    if rules.ends_turn(move):
        return rules.evaluate(state, player)
    after = state.copy()
    rules.apply(after, move)
    return rules.evaluate(after, player)


BOTS: dict[str, Callable[[int], Bot]] = {"random": random_bot, "greedy": greedy_bot}
