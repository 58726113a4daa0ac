"""How strong the coach's search is against the greedy bot, and how long people wait for an answer."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any

from companion.games import capabilities
from companion.games.api import Rules
from companion.games.registry import default_plugin
from companion.players.bots import BOTS, Bot, decisions
from companion.players.coach import suggestions

PLAYERS = 2
AIM_WINS, AIM_ANSWER_S = 0.70, 2.0
ANSWERED_EVERY = 7
"""Turns from one position about which the coach is asked to the next: they come from all phases of a game."""


@dataclass(frozen=True)
class CoachFigures:
    """Games of the planner, which plays what the coach's search finds, against the greedy bot."""

    games: int
    wins: int
    """Ties count by the tie-break of the rules."""
    leads: Sequence[int]
    """Points by which the planner was ahead, by game."""
    answers_s: Sequence[float]
    """Processor time of each answer of the coach."""

    @property
    def share(self) -> float:
        return self.wins / self.games

    @property
    def share_error(self) -> float:
        """Standard error of the share, after Agresti and Coull (1998), which is not 0 if all games are won."""
        games, share = self.games + 4, (self.wins + 2) / (self.games + 4)
        return math.sqrt(share * (1 - share) / games)

    @property
    def lead(self) -> float:
        return statistics.fmean(self.leads)

    @property
    def lead_error(self) -> float:
        """Standard error of the mean lead, in points."""
        return statistics.stdev(self.leads) / math.sqrt(self.games) if self.games > 1 else 0.0

    @property
    def slowest_s(self) -> float:
        """Time within which 95 % of the answers came."""
        return sorted(self.answers_s)[math.ceil(0.95 * len(self.answers_s)) - 1]


def measure(games: int, answers: int, modules: Sequence[str] = ()) -> CoachFigures:
    """Plays *games* two-player games, in pairs with the same luck and changed seats, and asks *answers* times."""
    wins, leads = 0, []
    for game in range(games):
        won, lead = _play(game, modules)
        wins += won
        leads.append(lead)
    return CoachFigures(
        games, wins, leads, [_seconds(*position) for position in _positions(answers, modules)]
    )


def _play(game: int, modules: Sequence[str]) -> tuple[bool, int]:
    """Returns whether the planner won, and by how many points."""
    seed = game // 2
    rules, state = _new_game(seed, modules)
    colours = rules.stage(state).order
    ours = colours[game % 2]
    bots: dict[str | None, Bot] = {
        colour: BOTS["planner" if colour == ours else "greedy"](seed) for colour in colours
    }
    by_chance = BOTS["random"](seed)  # what several decide at once, such as where castles start

    def play(rules: Rules, state: Any) -> Any:
        return bots.get(rules.to_move(state), by_chance)(rules, state)

    for _ in decisions(rules, state, play, random.Random(seed)):
        pass
    points = {colour: sum(sheet.values()) for colour, sheet in rules.score_sheet(state).items()}
    return rules.ranking(state)[0] == ours, points[ours] - max(
        points[colour] for colour in colours if colour != ours
    )


def _new_game(seed: int, modules: Sequence[str]) -> tuple[Rules, Any]:
    game = default_plugin()
    rules = game.rules()
    return rules, rules.new(game.new_setup(PLAYERS, seed, modules))


def _positions(count: int, modules: Sequence[str]) -> list[tuple[Rules, Any]]:
    """Returns positions at the beginning of turns, from all phases of games between greedy bots."""
    found: list[tuple[Rules, Any]] = []
    seed, turns = 0, 0
    while len(found) < count:
        rules, state = _new_game(seed, modules)
        greedy, rng, begins = BOTS["greedy"](seed), random.Random(seed), True
        while not rules.is_over(state) and len(found) < count:
            event = capabilities.chance(rules).sample_chance(state, rng)
            if event is None and begins and rules.to_move(state) is not None:
                turns += 1
                if turns % ANSWERED_EVERY == 0:
                    found.append((rules, state.copy()))
            move = greedy(rules, state) if event is None else event
            begins = event is not None or rules.ends_turn(move)
            rules.apply(state, move)
        seed += 1
    return found


def _seconds(rules: Rules, state: Any) -> float:
    started = process_time()
    suggestions(rules, state)
    return process_time() - started
