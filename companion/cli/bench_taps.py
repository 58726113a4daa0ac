"""``companion bench taps``: how often people tap on the page in a game that no camera watches."""

from __future__ import annotations

import json
from typing import Any

import click

from calibration.counting import counted
from companion.devtools.benchmarks.taps import DICE, LAYOUT, MOVES, SEATS, TapFigures, measure

from .game_command import modules_option

TURNS, SHORT_TURNS = 30, 4
AIMS = {"taps_per_turn": 4.0, "taps_per_turn_rolled": 2.0, "taps_setup_2": 20, "taps_setup_4": 30}
TITLES = {
    "taps_per_turn": "taps per turn, with the dice",
    "dice_per_turn": "  for the dice",
    "moves_per_turn": "  for the moves",
    "taps_per_turn_rolled": "taps per turn if the page rolls",
    "taps_per_layout": "taps per later layout of a phase",
    **{
        f"taps_setup_{seats}": f"taps from the setup form to the first roll, {seats} players"
        for seats in SEATS
    },
}


@click.command("taps")
@click.option(
    "--players", type=click.IntRange(2, 4), default=2, show_default=True, help="Who play the turns."
)
@modules_option
@click.option(
    "--turns",
    type=click.IntRange(1),
    help=f"Turns to play.  [default: {TURNS}; {SHORT_TURNS} with --short]",
)
@click.option("--short", is_flag=True, help="Play a few turns only.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench_taps(players: int, modules: tuple[str, ...], turns: int | None, short: bool, as_json: bool) -> None:
    """Count the taps of a game without a camera, entered on the real page in chromium.

    The moves are those of greedy bots, each entered by the fewest taps that a person would need; dice, dealt goods and
    tiles are entered by hand. It takes about two seconds a turn.
    """
    result = to_json(measure(players, turns or (SHORT_TURNS if short else TURNS), modules))
    click.echo(json.dumps(result) if as_json else to_text(result))


def to_json(figures: TapFigures) -> dict[str, Any]:
    """Returns all figures; None for a layout if there was none."""
    game = figures.game
    per_layout = game.per_layout
    return {
        "players": game.players,
        "turns": game.turns,
        "taps_per_turn": round(game.per_turn, 2),
        "taps_per_turn_rolled": round(game.per_turn_rolled, 2),
        "dice_per_turn": round(game.taps[DICE] / game.turns, 2),
        "moves_per_turn": round(game.taps[MOVES] / game.turns, 2),
        "taps_per_layout": None if per_layout is None else round(per_layout, 1),
        "taps_of_layouts": game.taps[LAYOUT],
        **{f"taps_setup_{seats}": taps for seats, taps in figures.setups.items()},
    }


def to_text(result: dict[str, Any]) -> str:
    """Returns one line for each figure, with its target."""
    width = max(map(len, TITLES.values()))
    lines = [f"{counted(result['turns'], 'turn')} of {counted(result['players'], 'player')}"]
    for name, title in TITLES.items():
        value = "-" if result[name] is None else f"{result[name]:g}"
        target = f"  target: {AIMS[name]:g} or less" if name in AIMS else ""
        lines.append(f"{title:<{width}}  {value:>5}{target}")
    return "\n".join(lines)
