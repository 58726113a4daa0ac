"""The coach: what else could have been played, and which turns have cost most.

It answers only when it is asked. What it says comes from :mod:`.search`; ``docs/coach.md`` tells how strong that is.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from companion.games import capabilities
from companion.games.api import Move, Rules

from .bots import greedy_bot
from .search import Plan, plans

SUGGESTED = 3
TRIED = 8
"""Plans that are played on under the same luck; the best one is nearly always among them."""
SAMPLES = 32
"""Times each plan is played on: the difference of two plans is then known to about a point."""
SEED = 1
LEAST_GAIN = 0.5
"""Points; smaller parts of a value are not worth a word."""
LEAST_COST = 2.0
"""Points; a turn that costs less is a matter of taste."""
LOOKED_AT = 4
"""Turns whose cost is examined more closely, the costliest by evaluation alone."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A way to play on, and what speaks for it."""

    moves: tuple[Move, ...]
    lead: float
    """By how much its player is expected to lead after one more turn, in points of the evaluation."""
    gains: Mapping[str, float]
    """What becomes better or worse by the moves, in points, by part of the evaluation."""


@dataclass(frozen=True, slots=True)
class CostlyTurn:
    """A turn that has been played, and a better one."""

    index: int
    """Number of the turn among those that were given."""
    cost: float
    """By how much the other turn would have been better, in points of the evaluation."""
    better: Suggestion


def can_coach(rules: Rules) -> bool:
    """Returns whether positions of this game can be evaluated."""
    return isinstance(rules, capabilities.Evaluated)


def suggestions(rules: Rules, state: Any, samples: int = SAMPLES) -> list[Suggestion]:
    """Returns up to three quite different ways to play the rest of the turn, the best first; none if nobody decides.

    It is the same for equal positions.
    """
    player, found = rules.to_move(state), plans(rules, state)
    if player is None or not found:
        return []
    tried = [*found[:TRIED], *(plan for plan in _different(found) if plan not in found[:TRIED])]
    leads = {plan.moves: _lead(rules, plan, player, samples) for plan in tried}
    best_first = sorted(tried, key=lambda plan: leads[plan.moves], reverse=True)
    return [
        Suggestion(plan.moves, leads[plan.moves], _gains(rules, state, plan, player))
        for plan in _different(best_first)
    ]


def costly_turns(
    rules: Rules, turns: Sequence[tuple[Any, Sequence[Move]]], samples: int = SAMPLES
) -> list[CostlyTurn]:
    """Returns those of *turns* that have cost their players most, the costliest first.

    Each is the position before it and the moves of the player in turn.
    """
    found = {
        index: (_played(rules, state, moves), best[0])
        for index, (state, moves) in enumerate(turns)
        if (best := plans(rules, state))
    }
    closer = sorted(found, key=lambda index: found[index][1].value - found[index][0].value, reverse=True)
    examined = [_cost(rules, index, turns[index][0], *found[index], samples) for index in closer[:LOOKED_AT]]
    costly = [turn for turn in examined if turn.cost >= LEAST_COST]
    return sorted(costly, key=lambda turn: turn.cost, reverse=True)[:SUGGESTED]


def _cost(rules: Rules, index: int, state: Any, played: Plan, better: Plan, samples: int) -> CostlyTurn:
    player = str(rules.to_move(state))
    ours, theirs = (_lead(rules, plan, player, samples) for plan in (better, played))
    return CostlyTurn(
        index, ours - theirs, Suggestion(better.moves, ours, _gains(rules, state, better, player))
    )


def _played(rules: Rules, state: Any, moves: Sequence[Move]) -> Plan:
    position, player = state.copy(), str(rules.to_move(state))
    for move in moves:
        if not rules.ends_turn(move):
            rules.apply(position, move)
    return Plan(tuple(moves), position, capabilities.evaluated(rules).evaluate(position, player))


def _lead(rules: Rules, plan: Plan, player: str, samples: int) -> float:
    return fmean(leads_after(rules, plan, player, range(SEED, SEED + samples)))


def leads_after(rules: Rules, plan: Plan, player: str, seeds: Sequence[int], turns: int = 1) -> list[float]:
    """Returns by how much *player* leads once they have had *turns* more turns after *plan*, once for each of *seeds*.

    All players go on like the greedy bot. A lead is the difference of the evaluations, in points, to the best of the
    others. Chance follows the seeds, so that plans can be compared under the same luck.
    """
    return [_lead_after(rules, plan, player, random.Random(seed), turns) for seed in seeds]


def _lead_after(rules: Rules, plan: Plan, player: str, rng: random.Random, turns: int) -> float:
    position, greedy = plan.position.copy(), greedy_bot(rng.getrandbits(32))
    to_end = turns + 1
    if rules.ends_turn(plan.moves[-1]):
        rules.apply(position, plan.moves[-1])
        to_end = turns
    chance = capabilities.chance(rules)
    while to_end and not rules.is_over(position):
        event = chance.sample_chance(position, rng)
        move = greedy(rules, position) if event is None else event
        to_end -= rules.ends_turn(move) and rules.to_move(position) == player
        rules.apply(position, move)
    return lead(rules, position, player)


def lead(rules: Rules, position: Any, player: str) -> float:
    """Returns by how much the position is better for *player* than for the best of the others, in points."""
    evaluate = capabilities.evaluated(rules).evaluate
    others = [colour for colour in rules.stage(position).order if colour != player]
    return evaluate(position, player) - max((evaluate(position, colour) for colour in others), default=0.0)


def _gains(rules: Rules, state: Any, plan: Plan, player: str) -> dict[str, float]:
    parts = capabilities.evaluated(rules).value_parts
    before, after = parts(state, player), parts(plan.position, player)
    gains = {name: after[name] - before[name] for name in after}
    return {name: gain for name, gain in gains.items() if abs(gain) >= LEAST_GAIN}


def _different(best_first: Iterable[Plan]) -> list[Plan]:
    """Returns the first plans of which none has more than half of its moves in common with a better one."""
    chosen: list[Plan] = []
    for plan in best_first:
        if all(_in_common(plan, other) <= 0.5 for other in chosen):
            chosen.append(plan)
        if len(chosen) == SUGGESTED:
            break
    return chosen


def _in_common(plan: Plan, other: Plan) -> float:
    """Returns the share of the longer plan's moves that are in both, except for the end of the turn."""
    ours, theirs = (Counter(map(str, one.moves[:-1])) for one in (plan, other))
    return (ours & theirs).total() / max(ours.total(), theirs.total(), 1)
