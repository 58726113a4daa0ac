"""``companion bench rules``: the rules beside python-chess, and complete random games."""

from __future__ import annotations

import json
import platform
import sys
from dataclasses import asdict
from typing import Any

import click

from companion.devtools.benchmarks.rules import AIM, RulesFigures, measure
from companion.players.bots import BOTS

from .errors import warn
from .game_command import modules_option

LONG: dict[str, Any] = {"games": 600, "slices": 40, "slice_s": 0.25}
SHORT: dict[str, Any] = {"games": 60, "slices": 16, "slice_s": 0.125}
"""Extent of the measurement: complete games, and time slices for each side.

Many short slices are better: in three runs of equal length the median of 40 varied by under 1 %, that of 10 by 6 %.
"""


@click.command("rules")
@click.option(
    "--games",
    type=click.IntRange(1),
    help=f"Complete games to play.  [default: {LONG['games']}; {SHORT['games']} with --short]",
)
@click.option(
    "--bot", type=click.Choice(sorted(BOTS)), default="random", show_default=True, help="Bot that plays them."
)
@modules_option
@click.option("--short", is_flag=True, help="Measure for a few seconds only.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench_rules(games: int | None, bot: str, modules: tuple[str, ...], short: bool, as_json: bool) -> None:
    """Measure the speed of the rules compared with python-chess, and play complete games.

    The speed is that of a game with the --modules; the complete games have any that go together. The exit code is 1 if
    a game raised an error, lost or gained a piece, or its score sheet did not add up.
    """
    extent = SHORT if short else LONG
    figures = measure(**extent | ({"games": games} if games else {}), bot=bot, modules=modules)
    click.echo(json.dumps(to_json(figures)) if as_json else to_text(figures))
    for failure in figures.failures:
        warn(failure)
    sys.exit(1 if figures.failures else 0)


def to_json(figures: RulesFigures) -> dict[str, Any]:
    """Returns all figures; ``chess`` and ``chess_...`` are those of the reference."""
    speed = _plain(figures.speed) | {"aim": AIM, "aim_met": figures.speed.aim_met}
    games = [
        _plain(batch) | {"games_per_second": round(batch.games_per_second, 1)} for batch in figures.batches
    ]
    return {
        "python": platform.python_version(),
        "chess": figures.chess_version,
        "speed": speed,
        "state": _plain(figures.state),
        "chess_state": _plain(figures.chess_state),
        "games": games,
        "failures": len(figures.failures),
    }


def _plain(figures: Any) -> dict[str, Any]:
    """Returns a dataclass as a dictionary, rounded to three decimals."""
    return {name: round(v, 3) if isinstance(v, float) else v for name, v in asdict(figures).items()}


def to_text(figures: RulesFigures) -> str:
    """Returns a table: what was measured, our figure, that of python-chess, and a note."""
    speed, state, chess = figures.speed, figures.state, figures.chess_state
    verdict = "met" if speed.aim_met else "not met"
    played = sum(batch.games for batch in figures.batches)
    seconds = sum(batch.seconds for batch in figures.batches)
    rows = [
        ("", "rules", f"chess {figures.chess_version}", ""),
        (
            "random decisions per second",
            f"{speed.decisions_per_second:,.0f}",
            f"{speed.chess_moves_per_second:,.0f}",
            f"ratio {speed.ratio:.2f} (median of {speed.slices} slices, "
            f"{speed.lowest:.2f} to {speed.highest:.2f}); target {AIM:g} or more: {verdict}",
        ),
        ("copy of a state, µs", f"{state.copy_us:.1f}", f"{chess.copy_us:.1f}", "median; without history"),
        (
            "hash of a state, µs",
            f"{state.hash_us:.1f}",
            f"{chess.hash_us:.1f}",
            "median; SHA-256 of the whole state, beside a 64-bit Zobrist hash",
        ),
        (
            "memory of a state, bytes",
            f"{state.bytes:,.0f}",
            f"{chess.bytes:,.0f}",
            "mean; what all states share (tiles, boards, edition) is not counted",
        ),
        (
            "random games without an error",
            f"{played - len(figures.failures)} of {played}",
            "",
            f"{played / seconds:.0f} per second; any edition, players and modules; "
            "no piece is lost, and the score sheet adds up to the marker",
        ),
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        f"{what:<{widths[0]}}  {ours:>{widths[1]}}  {reference:>{widths[2]}}  {note}".rstrip()
        for what, ours, reference, note in rows
    )
