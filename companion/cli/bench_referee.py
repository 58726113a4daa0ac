"""``companion bench referee``: accuracy and speed of explaining turns, with and without misreadings."""

from __future__ import annotations

import json
import math
import os
import statistics
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

import click

from calibration.counting import counted
from companion.devtools.benchmarks.referee import GameFigures, RefereeFigures, measure
from companion.virtual.misreadings import TYPICAL_MISREADINGS

from .errors import warn
from .game_command import modules_option

GAMES, SHORT_GAMES = 200, 6
SLOW = 0.95
"""The percentile of the times that is reported beside the median."""
AIMS = {
    "clean": {"first": "97 %", "first_three": "99.8 %", "ms_95th": "150", "wrong": "0"},
    "noisy": {"presses_per_turn": "1.15", "questions_per_turn": "0.12", "ms_95th": "150", "wrong": "0"},
}
TITLES = {
    "games": "games",
    "turns": "turns",
    "first": "true turn is the likeliest",
    "first_three": "true turn is among the three likeliest",
    "presses_per_turn": "presses per turn",
    "questions_per_turn": "questions per turn",
    "questions_at_most": "questions in one turn, at most",
    "corrections_per_turn": "readings corrected per turn",
    "ms_median": "milliseconds per turn, median",
    "ms_95th": "milliseconds per turn, 95th percentile",
    "wrong": "wrong moves confirmed",
    "equal_to_truth": "games that end as they were played",
}


@click.command("referee")
@click.option(
    "--games",
    type=click.IntRange(1),
    help=f"Games of each kind.  [default: {GAMES}; {SHORT_GAMES} with --short]",
)
@modules_option
@click.option(
    "--unknown-print",
    is_flag=True,
    help="Play as if nobody had entered anything about the print that is asked in passing.",
)
@click.option("--short", is_flag=True, help="Play a few games only.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench_referee(
    games: int | None, modules: tuple[str, ...], unknown_print: bool, short: bool, as_json: bool
) -> None:
    """Measure how turns are explained, in bot games with 2, 3 and 4 players, without rendering pictures.

    Each game is played twice: as a perfect reader sees it, and with places and dice misread, hidden or unread.
    Times are processor time. The exit code is 1 if a game went wrong.
    """
    figures = measure(games or (SHORT_GAMES if short else GAMES), os.cpu_count() or 1, modules, unknown_print)
    result = to_json(figures)
    click.echo(json.dumps(result) if as_json else to_text(result))
    for failure in failures(figures):
        warn(failure)
    sys.exit(1 if failures(figures) else 0)


def to_json(figures: RefereeFigures) -> dict[str, Any]:
    return {
        "clean": _summed(figures.clean),
        "noisy": _summed(figures.noisy)
        | {
            "misread": TYPICAL_MISREADINGS.misread,
            "hidden": TYPICAL_MISREADINGS.hidden,
            "unread_dice": TYPICAL_MISREADINGS.unread,
        },
    }


def _summed(games: Sequence[GameFigures]) -> dict[str, Any]:
    turns = sum(game.turns for game in games)
    asked = sum((game.asked for game in games), Counter[int]())
    ms = sorted(time for game in games for time in game.ms)
    return {
        "games": len(games),
        "turns": turns,
        "first": round(sum(game.first for game in games) / len(ms), 4),
        "first_three": round(sum(game.first_three for game in games) / len(ms), 4),
        "presses_per_turn": round(sum(game.presses for game in games) / turns, 3),
        "questions_per_turn": round(sum(game.questions for game in games) / turns, 3),
        "questions_at_most": max(asked, default=0),
        "turns_by_questions": {str(count): asked[count] for count in sorted(asked)},
        "corrections_per_turn": round(sum(game.corrections for game in games) / turns, 3),
        "ms_median": round(statistics.median(ms), 1),
        "ms_95th": round(ms[math.ceil(SLOW * len(ms)) - 1], 1),
        "wrong": sum(game.wrong for game in games),
        "equal_to_truth": sum(not game.differences and not game.stuck for game in games),
    }


def to_text(result: dict[str, Any]) -> str:
    """Returns a table of both kinds of games, each figure with its aim."""
    rows: list[tuple[str, ...]] = [("", "without errors", "target", "with errors", "target")]
    for name, title in TITLES.items():
        cells = [
            cell
            for kind in ("clean", "noisy")
            for cell in (_cell(name, result[kind]), AIMS[kind].get(name, ""))
        ]
        rows.append((title, *cells))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    noisy = result["noisy"]
    lines = [
        f"{title:<{widths[0]}}  " + "  ".join(f"{c:>{w}}" for c, w in zip(cells, widths[1:], strict=True))
        for title, *cells in rows
    ]
    faults = (
        f"errors: {noisy['misread']:.0%} of the places misread, {noisy['hidden']:.0%} hidden, "
        f"{noisy['unread_dice']:.0%} of the dice unread, chosen at random for every frame"
    )
    return "\n".join([*(line.rstrip() for line in lines), faults])


def _cell(name: str, figures_of_kind: dict[str, Any]) -> str:
    value = figures_of_kind[name]
    if name in ("first", "first_three"):
        return f"{100 * value:.2f} %"
    return f"{value} of {figures_of_kind['games']}" if name == "equal_to_truth" else f"{value:g}"


def failures(figures: RefereeFigures) -> list[str]:
    """Returns one sentence for each game that went wrong."""
    return [
        f"game {game.seed} of {game.players} players {kind}: "
        + (
            game.stuck
            or f"{counted(game.wrong, 'wrong move')}, {', '.join(game.differences) or 'no'} differences"
        )
        for kind, games in (("read without errors", figures.clean), ("read with errors", figures.noisy))
        for game in games
        if game.stuck or game.wrong or game.differences
    ]
