"""``companion bench chateauma``: complete games with the Châteauma."""

from __future__ import annotations

import json
import statistics
import sys
from typing import Any

import click

from calibration.counting import counted
from companion.cli.errors import warn
from companion.devtools.games.burgundy.chateauma import AIM_MS, BOT, ChateaumaFigures, Kind, measure
from companion.games.burgundy.modules.chateauma import assumed_print as assumptions
from companion.games.burgundy.modules.chateauma.assumed_print import AssumptionError

LONG, SHORT = 2400, 72
"""Numbers of games; they take a few minutes, and a few seconds."""


@click.command("chateauma")
@click.option(
    "--games", type=click.IntRange(1), help=f"Games to play.  [default: {LONG}; {SHORT} with --short]"
)
@click.option("--short", is_flag=True, help="Play for a few seconds only.")
@click.option(
    "--assume",
    multiple=True,
    metavar="NAME=VALUE",
    help="Assume this about unknown details of its print; the result lists all assumptions.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench_chateauma(games: int | None, short: bool, assume: tuple[str, ...], as_json: bool) -> None:
    """Play games with the Châteauma at every level, with and without modifiers.

    The exit code is 1 if a game raised an error or its score sheet did not add up.
    """
    try:
        others = dict(text.partition("=")[::2] for text in assume)
        figures = measure(games or (SHORT if short else LONG), others)
    except AssumptionError as error:
        raise click.UsageError(str(error)) from error
    click.echo(json.dumps(to_json(figures)) if as_json else to_text(figures))
    for failure in figures.failures:
        warn(failure)
    sys.exit(1 if figures.failures else 0)


def to_json(figures: ChateaumaFigures) -> dict[str, Any]:
    """Returns all figures."""
    return {
        "bot": BOT,
        "assumed": dict(figures.assumptions),
        "games": sum(kind.games for kind in figures.kinds),
        "failures": len(figures.failures),
        "decision_ms": _decision(figures) | {"aim": AIM_MS},
        "levels_in_order": figures.levels_in_order,
        "kinds": [_kind(kind) for kind in figures.kinds if kind.games],
    }


def _decision(figures: ChateaumaFigures) -> dict[str, float]:
    """Returns the median, the 99.9th percentile, and the longest, during which the machine may have paused."""
    times = sorted(figures.decision_ms) or [0.0]
    found = {
        "median": statistics.median(times),
        "all_but_one_in_1000": times[len(times) * 999 // 1000],
        "longest": times[-1],
    }
    return {name: round(ms, 3) for name, ms in found.items()}


def _kind(kind: Kind) -> dict[str, Any]:
    return {
        "level": kind.level,
        "modifiers": kind.modifiers,
        "games": kind.games,
        "mean_score": round(kind.mean_score, 1),
        "mean_score_of_people": round(kind.mean_score_of_people, 1),
        "wins": kind.wins,
    }


def to_text(figures: ChateaumaFigures) -> str:
    """Returns a table: mean scores of the Châteauma and of the other players, by modifiers and level."""
    lines = [f"{'modifiers':<10}{'level':<14}{'games':>6}{'mean':>8}{'people':>8}{'wins':>7}"]
    for kind in (_kind(kind) for kind in figures.kinds if kind.games):
        lines.append(
            f"{kind['modifiers'] or '-':<10}{kind['level']:<14}{kind['games']:>6}{kind['mean_score']:>8}"
            f"{kind['mean_score_of_people']:>8}{kind['wins'] / kind['games']:>7.0%}"
        )
    result = to_json(figures)
    time = result["decision_ms"]
    lines += [
        f"{result['games'] - result['failures']} of {counted(result['games'], 'game')} of {BOT} players "
        "without an error",
        f"a turn of the Châteauma takes {time['median']} ms (median), all but one in 1000 at most "
        f"{time['all_but_one_in_1000']} ms, the longest {time['longest']} ms; target {AIM_MS:g} ms",
        f"each level scores more than the one before: {'yes' if result['levels_in_order'] else 'no'}",
        assumptions.describe(figures.assumptions),
    ]
    return "\n".join(lines)
