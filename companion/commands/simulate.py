"""``companion simulate``: bot games without a camera."""

from __future__ import annotations

import json
import random
import statistics
import time

import click

from ..bots import BOTS, play_out
from ..demo import demo_setup
from ..shelf import burgundy


@click.command()
@click.option("--players", type=click.IntRange(2, 4), default=4, show_default=True)
@click.option("--games", type=click.IntRange(1), default=20, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same games.")
@click.option("--bot", type=click.Choice(sorted(BOTS)), default="random", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def simulate(players: int, games: int, seed: int, bot: str, as_json: bool) -> None:
    """Play bot games and print decisions per second and mean scores."""
    rules = burgundy()
    scores: list[list[int]] = []
    decisions = 0
    started = time.perf_counter()
    for number in range(games):
        setup = demo_setup(players, seed + number)
        state = rules.new(setup)
        decisions += play_out(rules, state, BOTS[bot](seed + number), random.Random(seed + number))
        scores.append([sum(points.values()) for points in rules.score_sheet(state).values()])
    seconds = time.perf_counter() - started
    result = {
        "players": players,
        "games": games,
        "seed": seed,
        "bot": bot,
        "decisions": decisions,
        "seconds": round(seconds, 3),
        "decisions_per_second": round(decisions / seconds, 1),
        "mean_score": round(statistics.mean(score for game in scores for score in game), 1),
        "mean_score_by_seat": [round(statistics.mean(seat), 1) for seat in zip(*scores, strict=True)],
    }
    if as_json:
        click.echo(json.dumps(result))
    else:
        click.echo(
            f"{games} games of {players} {bot} players: {decisions} decisions in {seconds:.1f} s, "
            f"{result['decisions_per_second']} per second; mean score {result['mean_score']}, "
            f"by seat {result['mean_score_by_seat']}"
        )
