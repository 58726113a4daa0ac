"""Complete games with the Châteauma: errors, its scores by level and modifiers, and how long its decisions take."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from time import perf_counter
from typing import Any

from companion.games import capabilities
from companion.games.api import Rules
from companion.games.burgundy.modules.chateauma import LEVELS
from companion.games.burgundy.modules.chateauma.assumed_print import answers, assumed
from companion.games.burgundy.plugin import burgundy, chateauma_module, random_setup
from companion.games.burgundy.rules.setup_validation import PLAYER_COLOURS
from companion.players.bots import BOTS

from .random_games import check_end

AIM_MS = 5.0
"""Longest time for a decision of the Châteauma (the project's own aim)."""
MODIFIERS = ("", "A", "B", "C", "D", "AB", "ABD", "ABCD")
"""Modifiers, alone and combined."""
PEOPLE = (1, 2, 3)
BOT = "greedy"
EDITION = "special"


@dataclass
class Kind:
    """Games of one level with the same modifiers, spread over one to three people."""

    level: str
    modifiers: str
    scores: list[int] = field(default_factory=list)
    people_scores: list[int] = field(default_factory=list)
    wins: int = 0
    """Of the Châteauma."""
    decision_ms: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    @property
    def games(self) -> int:
        return len(self.scores) + len(self.failures)

    @property
    def mean_score(self) -> float:
        return statistics.mean(self.scores or [0])

    @property
    def mean_score_of_people(self) -> float:
        return statistics.mean(self.people_scores or [0])


@dataclass(frozen=True)
class ChateaumaFigures:
    """All figures of ``companion bench chateauma``."""

    kinds: tuple[Kind, ...]
    assumptions: Mapping[str, str]
    """What the games assume about unknown details of the print."""

    @property
    def failures(self) -> list[str]:
        return [failure for kind in self.kinds for failure in kind.failures]

    @property
    def decision_ms(self) -> list[float]:
        """Milliseconds to work out each turn of the Châteauma."""
        return [ms for kind in self.kinds for ms in kind.decision_ms]

    @property
    def levels_in_order(self) -> bool:
        """Whether each level scores more than the one before, for all modifiers."""
        by_modifiers: dict[str, list[float]] = {}
        for kind in self.kinds:
            by_modifiers.setdefault(kind.modifiers, []).append(kind.mean_score)
        return all(scores == sorted(set(scores)) for scores in by_modifiers.values())


def measure(games: int, others: Mapping[str, str]) -> ChateaumaFigures:
    """Plays *games* games, spread over levels, modifiers and numbers of people.

    *others* are assumptions about the print that are not the usual ones
    (see :mod:`companion.games.burgundy.modules.chateauma.assumed_print`).

    :raises AssumptionError: when one is about something else, or cannot be read.
    """
    printed = chateauma_module().prints[EDITION]
    assumptions = assumed(printed, MODIFIERS[-1], others)
    kinds = [Kind(level, modifiers) for modifiers, level in product(MODIFIERS, LEVELS)]
    for number in range(games):
        _play(kinds[number % len(kinds)], number // len(kinds), answers(assumptions))
    return ChateaumaFigures(tuple(kinds), assumptions)


def _play(kind: Kind, seed: int, found: Mapping[str, Any]) -> None:
    """Plays one game, and notes if it fails."""
    people = PEOPLE[seed % len(PEOPLE)]
    automa = PLAYER_COLOURS[people]
    seat = {"colour": automa, "level": kind.level, "modifiers": list(kind.modifiers), **found}
    rules = burgundy()
    try:
        state: Any = rules.new(random_setup(people, seed, edition=EDITION) | {"chateauma": seat})
        kind.decision_ms += _turns(rules, state, seed)
        check_end(rules, state)
    except Exception as error:  # the benchmark counts every kind of failure of the rules
        game = f"{kind.level} {kind.modifiers or '-'}, {people} people, seed {seed}"
        kind.failures.append(f"{game}: {type(error).__name__}: {error}")
        return
    totals = {colour: sum(points.values()) for colour, points in rules.score_sheet(state).items()}
    kind.scores.append(totals.pop(automa))
    kind.people_scores += totals.values()
    kind.wins += rules.ranking(state)[0] == automa


def _turns(rules: Rules, state: Any, seed: int) -> Iterator[float]:
    """Plays a game to its end; yields how long each turn of the Châteauma took to work out, in milliseconds."""
    rng, bot = random.Random(seed), BOTS[BOT](seed)
    while not rules.is_over(state):
        started = perf_counter()
        if turn := capabilities.automatic(rules).automatic_turn(state):
            rules.apply(state, turn)
            yield (perf_counter() - started) * 1000
        else:
            rules.apply(state, capabilities.chance(rules).sample_chance(state, rng) or bot(rules, state))
