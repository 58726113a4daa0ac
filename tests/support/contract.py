"""What every game must do, whatever its rules: the cases that the contract test runs, and random play through them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.games import capabilities
from companion.games.api import Move, Rules, State

MOST_MOVES = 5_000
"""More than any game has; a game that is not over by then never ends."""


@dataclass(frozen=True)
class Case:
    """A game to be played through."""

    name: str
    rules: Rules
    setup: dict[str, Any]
    components: Callable[[Any], Counter[str]]
    """Returns how many there are of everything that can neither appear nor disappear, wherever it is."""
    labels: frozenset[str] = frozenset()
    """Everything that a camera may read on this table; empty if it reads nothing."""


def positions(case: Case, seed: int) -> Iterator[tuple[State, Move]]:
    """Yields the positions of a random game, each with the move that is made from it when the next one is asked for."""
    rules, rng = case.rules, random.Random(seed)
    state = rules.new(case.setup)
    for _ in range(MOST_MOVES):
        if rules.is_over(state):
            return
        move = capabilities.chance(rules).sample_chance(state, rng)
        if move is None:
            move = rng.choice(rules.legal_moves(state))
        yield state, move
        rules.apply(state, move)
    raise AssertionError(f"{case.name} is not over after {MOST_MOVES} moves")


def decisions(case: Case, state: Any) -> list[Move]:
    """Returns what may happen next: every legal decision, or the chance events that only people can report."""
    reports = capabilities.chance(case.rules).unobserved_chance_moves(state)
    return [*case.rules.legal_moves(state), *reports]


def replayed(case: Case, texts: list[str]) -> State:
    """Returns the position after moves in notation, each checked."""
    state: State = case.rules.new(case.setup)
    for text in texts:
        case.rules.play(state, case.rules.parse_move(text))
    return state
