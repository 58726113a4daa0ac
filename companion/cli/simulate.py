"""``companion simulate``: plays games between bots, without a camera."""

from __future__ import annotations

import json
import random
import statistics
import time
from typing import Any

import click

from calibration.errors import CompanionError
from companion.games.burgundy.assumed_print import AssumptionError, answers, assumed
from companion.games.burgundy.modules.chateauma import LEVELS
from companion.games.burgundy.plugin import chateauma_module
from companion.games.registry import plugin
from companion.players.bots import BOTS, play_out
from companion.virtual.demo import COLOURS, demo_setup

from .options import game_option, modifiers_option, modules_option, seed_option

EDITION = "special"


@click.command()
@game_option
@modules_option
@click.option(
    "--players",
    type=click.IntRange(2, 4),
    default=None,
    help="Number of players, including the Châteauma.  [default: 4; 2 with --chateauma]",
)
@click.option("--games", type=click.IntRange(1), default=20, show_default=True)
@seed_option("The same seed plays the same games.")
@click.option(
    "--bot",
    type=click.Choice(sorted(BOTS)),
    default=None,
    help="The bot that plays for people.  [default: random; greedy with --chateauma]",
)
@click.option(
    "--chateauma", type=click.Choice(LEVELS), help="Make the Châteauma one of the players, at this level."
)
@modifiers_option("", "Its difficulty modifiers, such as ABD.")
@click.option(
    "--assume",
    multiple=True,
    metavar="NAME=VALUE",
    help="Assume this about unknown details of its print; the result lists all assumptions.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def simulate(
    game: str,
    modules: tuple[str, ...],
    players: int | None,
    games: int,
    seed: int,
    bot: str | None,
    chateauma: str | None,
    modifiers: str,
    assume: tuple[str, ...],
    as_json: bool,
) -> None:
    """Play games between bots; print decisions per second and mean scores."""
    players = players or (2 if chateauma else 4)
    bot = bot or ("greedy" if chateauma else "random")
    automa = _automa(COLOURS[players - 1], chateauma, modifiers, assume)
    people = players - len(automa)
    rules = plugin(game).rules()
    scores: list[list[int]] = []
    decisions = 0
    started = time.perf_counter()
    for number in range(games):
        setup = demo_setup(people, seed + number, EDITION, modules=modules) | automa
        try:
            state = rules.new(setup)
        except CompanionError as error:
            raise click.UsageError(str(error)) from error
        decisions += play_out(rules, state, BOTS[bot](seed + number), random.Random(seed + number))
        scores.append([sum(points.values()) for points in rules.score_sheet(state).values()])
    seconds = time.perf_counter() - started
    result = {
        "game": game,
        **({"modules": list(modules)} if modules else {}),
        "players": players,
        "games": games,
        "seed": seed,
        "bot": bot,
        **({"chateauma": automa["chateauma"]} if automa else {}),
        "seats": list(rules.score_sheet(state)),
        "decisions": decisions,
        "seconds": round(seconds, 3),
        "decisions_per_second": round(decisions / seconds, 1),
        "mean_score": round(statistics.mean(score for game in scores for score in game), 1),
        "mean_score_by_seat": [round(statistics.mean(seat), 1) for seat in zip(*scores, strict=True)],
    }
    click.echo(json.dumps(result) if as_json else _describe(result))


def _automa(colour: str, level: str | None, modifiers: str, assume: tuple[str, ...]) -> dict[str, Any]:
    """Returns the Châteauma's part of a set-up; empty if it does not play."""
    if level is None:
        if modifiers or assume:
            raise click.UsageError("--modifiers and --assume work only with --chateauma")
        return {}
    printed = chateauma_module().prints[EDITION]
    try:
        others = dict(text.partition("=")[::2] for text in assume)
        found = answers(assumed(printed, modifiers, others))
    except AssumptionError as error:
        raise click.UsageError(str(error)) from error
    seat = {"colour": colour, "level": level, "modifiers": list(modifiers), **found}
    return {"chateauma": seat}


def _describe(result: dict[str, Any]) -> str:
    text = (
        f"{result['games']} games of {result['players']} {result['bot']} players: {result['decisions']} "
        f"decisions in {result['seconds']:.1f} s, {result['decisions_per_second']} per second; mean score "
        f"{result['mean_score']}, by seat {result['mean_score_by_seat']}"
    )
    if "chateauma" not in result:
        return text
    seat = result["chateauma"]
    assumptions = json.dumps(
        {name: seat[name] for name in ("cards", "inventory_order", "marks") if name in seat}
    )
    return (
        f"{text} ({', '.join(result['seats'])}); {seat['colour']} is the Châteauma, {seat['level']}, modifiers "
        f"{''.join(seat['modifiers']) or 'none'}\nAssumed about its unknown print: {assumptions}"
    )
