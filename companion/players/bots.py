"""Bots: simple players that choose among the legal moves, and games between them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from companion.games import capabilities
from companion.games.api import Move, Rules

from .search import plans

Bot = Callable[[Rules, Any], Move]
"""Returns a legal move, given the rules and a state that waits for a decision."""


def random_bot(seed: int) -> Bot:
    """Returns a bot that chooses uniformly among the legal moves."""
    rng = random.Random(seed)

    def choose(rules: Rules, state: Any) -> Move:
        return rng.choice(rules.legal_moves(state))

    return choose


def lively_bot(seed: int) -> Bot:
    """Returns a bot that first chooses a kind of move, then one of them, each at random.

    So it does what is seldom possible far more often than one that chooses among all moves alike.
    """
    rng = random.Random(seed)

    def choose(rules: Rules, state: Any) -> Move:
        kinds: dict[type, list[Move]] = {}
        for move in rules.legal_moves(state):
            kinds.setdefault(type(move), []).append(move)
        return rng.choice(kinds[rng.choice(list(kinds))])

    return choose


def greedy_bot(seed: int) -> Bot:
    """Returns a bot that looks one move ahead, and chooses the best position by the rules' evaluation function.

    Ties are broken at random.
    """
    rng = random.Random(seed)

    def choose(rules: Rules, state: Any) -> Move:
        player = rules.to_move(state)
        moves = rules.legal_moves(state)
        if player is None or len(moves) == 1:
            return rng.choice(moves)
        return max(moves, key=lambda move: (_value_after(rules, state, move, player), rng.random()))

    return choose


def _value_after(rules: Rules, state: Any, move: Move, player: str) -> float:
    """Returns the evaluation after *move*; a move that ends the turn leaves it unchanged."""
    if rules.ends_turn(move):
        return capabilities.evaluated(rules).evaluate(state, player)
    after = state.copy()
    rules.apply(after, move)
    return capabilities.evaluated(rules).evaluate(after, player)


def planner_bot(seed: int) -> Bot:
    """Returns a bot that plans the rest of its turn, and chooses the best position by the rules' evaluation function.

    Ties are broken at random.
    """
    rng = random.Random(seed)

    def choose(rules: Rules, state: Any) -> Move:
        moves = rules.legal_moves(state)
        found = plans(rules, state) if len(moves) > 1 else []
        if not found:
            return rng.choice(moves)
        return rng.choice([plan for plan in found if plan.value == found[0].value]).moves[0]

    return choose


BOTS: dict[str, Callable[[int], Bot]] = {
    "random": random_bot,
    "lively": lively_bot,
    "greedy": greedy_bot,
    "planner": planner_bot,
}


def decisions(rules: Rules, state: Any, bot: Bot, rng: random.Random) -> Iterator[Move]:
    """Plays *state* to the end of its game, with chance events from *rng*; yields each decision once it is made."""
    chance = capabilities.chance(rules)
    while not rules.is_over(state):
        event = chance.sample_chance(state, rng)
        if event is not None:
            rules.apply(state, event)
            continue
        move = bot(rules, state)
        rules.apply(state, move)
        yield move


def play_out(rules: Rules, state: Any, bot: Bot, rng: random.Random) -> int:
    """Plays *state* to the end of its game; returns the number of decisions."""
    return sum(1 for _ in decisions(rules, state, bot, rng))
