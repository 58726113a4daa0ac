"""``companion bench coach``: how strong the coach is against the greedy bot, and how fast it answers."""

from __future__ import annotations

import json
from typing import Any

import click

from companion.devtools.benchmarks.coach import AIM_ANSWER_S, AIM_WINS, CoachFigures, measure

from .game_command import modules_option

LONG: dict[str, int] = {"games": 1000, "answers": 100}
SHORT: dict[str, int] = {"games": 20, "answers": 4}


@click.command("coach")
@click.option(
    "--games",
    type=click.IntRange(1),
    help=f"Games against the greedy bot.  [default: {LONG['games']}; {SHORT['games']} with --short]",
)
@modules_option
@click.option("--short", is_flag=True, help="Measure for half a minute only.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench_coach(games: int | None, modules: tuple[str, ...], short: bool, as_json: bool) -> None:
    """Play games of the planner, a bot that plays what the coach's search finds, against the greedy bot.

    The planner does without the part of the search that plays on with sampled dice, which takes too long for a thousand
    games; the time of an answer includes it. It takes about a quarter of an hour.
    """
    extent = SHORT if short else LONG
    result = to_json(measure(**extent | ({"games": games} if games else {}), modules=modules))
    click.echo(json.dumps(result) if as_json else to_text(result))


def to_json(figures: CoachFigures) -> dict[str, Any]:
    """Returns all figures, each with its standard error."""
    return {
        "games": figures.games,
        "wins": figures.wins,
        "wins_share": round(figures.share, 3),
        "wins_share_error": round(figures.share_error, 3),
        "lead_points": round(figures.lead, 1),
        "lead_points_error": round(figures.lead_error, 1),
        "answers": len(figures.answers_s),
        "answer_s_95": round(figures.slowest_s, 2),
    }


def to_text(result: dict[str, Any]) -> str:
    """Returns one line for each figure, with its target."""
    return (
        f"{result['wins']} of {result['games']} games won against the greedy bot: "
        f"{result['wins_share']:.1%} ± {result['wins_share_error']:.1%}  target: {AIM_WINS:.0%} or more\n"
        f"{result['lead_points']:+.1f} ± {result['lead_points_error']:.1f} points ahead\n"
        f"95 % of {result['answers']} answers of the coach within {result['answer_s_95']:.2f} s"
        f"  target: {AIM_ANSWER_S:g} s or less"
    )
