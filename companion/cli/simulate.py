"""``companion simulate``: plays games between bots, without a camera."""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Mapping, Sequence
from typing import Any

import click

from calibration.counting import counted
from calibration.errors import CompanionError
from companion.games.registry import plugin
from companion.players.bots import BOTS, play_out

from .game_command import GameCommand, game_option, game_part, modules_option, players_option
from .options import seed_option
from .simulated_game import SimulatedGame


@click.command(cls=GameCommand)
@game_option
@modules_option
@players_option("Number of players.  [default: as many as can play]")
@click.option("--games", type=click.IntRange(1), default=20, show_default=True)
@seed_option("The same seed plays the same games.")
@click.option(
    "--bot",
    type=click.Choice(sorted(BOTS)),
    default=None,
    help="The bot that plays for people.  [default: random]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def simulate(
    game: str,
    own: Mapping[str, Any],
    modules: tuple[str, ...],
    players: int | None,
    games: int,
    seed: int,
    bot: str | None,
    as_json: bool,
) -> None:
    """Play games between bots; print decisions per second and mean scores."""
    part = game_part("simulate", game)
    simulated: SimulatedGame = SimulatedGame(plugin(game)) if part is None else part.create(**own)
    players = players or simulated.usual_players
    bot = bot or simulated.usual_bot
    started = time.perf_counter()
    played = [_play(simulated, players, number, modules, bot) for number in range(seed, seed + games)]
    seconds = time.perf_counter() - started
    decisions = sum(made for made, _ in played)
    scores = [list(points.values()) for _, points in played]
    result = {
        "game": game,
        **({"modules": list(modules)} if modules else {}),
        "players": players,
        "games": games,
        "seed": seed,
        "bot": bot,
        **simulated.figures(players, modules),
        "seats": list(played[-1][1]),
        "decisions": decisions,
        "seconds": round(seconds, 3),
        "decisions_per_second": round(decisions / seconds, 1),
        "mean_score": round(statistics.mean(score for game in scores for score in game), 1),
        "mean_score_by_seat": [round(statistics.mean(seat), 1) for seat in zip(*scores, strict=True)],
    }
    click.echo(json.dumps(result) if as_json else f"{_describe(result)}{simulated.describe(result)}")


def _play(
    simulated: SimulatedGame, players: int, seed: int, modules: Sequence[str], bot: str
) -> tuple[int, dict[str, int]]:
    """Plays a game to its end; returns the number of decisions, and the score of each seat."""
    rules = simulated.game.rules()
    try:
        state = rules.new(simulated.setup(players, seed, modules))
    except CompanionError as error:
        raise click.UsageError(str(error)) from error
    decisions = play_out(rules, state, BOTS[bot](seed), random.Random(seed))
    return decisions, {seat: sum(points.values()) for seat, points in rules.score_sheet(state).items()}


def _describe(result: Mapping[str, Any]) -> str:
    return (
        f"{counted(result['games'], 'game')} of {counted(result['players'], result['bot'] + ' player')}: "
        f"{counted(result['decisions'], 'decision')} in {result['seconds']:.1f} s, "
        f"{result['decisions_per_second']} per second; mean score {result['mean_score']}, "
        f"by seat {result['mean_score_by_seat']}"
    )
