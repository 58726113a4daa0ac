"""Options of ``companion simulate``: games with the Châteauma."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import click

from companion.cli.game_command import GamePart
from companion.cli.simulated_game import SimulatedGame
from companion.games.burgundy.modules.chateauma.assumed_print import (
    AssumptionError,
    answers,
    assumed,
    assumed_symbols,
)
from companion.games.burgundy.modules.chateauma.extension import symbols_of
from companion.games.burgundy.plugin import (
    PLUGIN,
    burgundy,
    chateauma_module,
    print_assumptions,
    with_assumed_print,
)
from companion.games.burgundy.rules.setup_validation import PLAYER_COLOURS

from .options import assume_option, assumptions_of, level_option, modifiers_option

EDITION = "special"


class SimulatedBurgundy(SimulatedGame):
    """Represents games for which print that nobody has seen is assumed."""

    def setup(self, players: int, seed: int, modules: Sequence[str]) -> Mapping[str, Any]:
        return with_assumed_print(super().setup(players, seed, modules), seed)

    def describe(self, result: Mapping[str, Any]) -> str:
        return "".join(f"\n{sentence}" for sentence in print_assumptions(result))


class WithChateauma(SimulatedBurgundy):
    """Represents games in which the Châteauma, whose *seat* this is but for its colour, is the last of the players."""

    usual_bot = "greedy"
    usual_players = 2

    def __init__(self, seat: Mapping[str, Any]) -> None:
        super().__init__(PLUGIN)
        self._seat = seat

    def setup(self, players: int, seed: int, modules: Sequence[str]) -> Mapping[str, Any]:
        people = self.game.new_setup(players - 1, seed, modules)
        return with_assumed_print({**people, **self.figures(players, modules)}, seed)

    def figures(self, players: int, modules: Sequence[str]) -> dict[str, Any]:
        symbols = symbols_of(burgundy().modules[name] for name in modules)
        assumptions = answers(assumed_symbols(symbols))
        return {"chateauma": {"colour": PLAYER_COLOURS[players - 1], **self._seat, **assumptions}}

    def describe(self, result: Mapping[str, Any]) -> str:
        seat = result["chateauma"]
        assumptions = {
            name: seat[name] for name in ("cards", "inventory_order", "marks", "symbols") if name in seat
        }
        return (
            f" ({', '.join(result['seats'])}); {seat['colour']} is the Châteauma, {seat['level']}, modifiers "
            f"{''.join(seat['modifiers']) or 'none'}\nAssumed about its unknown print: {json.dumps(assumptions)}"
            f"{super().describe(result)}"
        )


def simulated(level: str | None, modifiers: str, assume: Sequence[str]) -> SimulatedGame:
    """Returns the games that the options describe."""
    if level is None:
        if modifiers or assume:
            raise click.UsageError("--modifiers and --assume work only with --chateauma")
        return SimulatedBurgundy(PLUGIN)
    printed = chateauma_module().prints[EDITION]
    try:
        found = answers(assumed(printed, modifiers, assumptions_of(assume)))
    except AssumptionError as error:
        raise click.UsageError(str(error)) from error
    return WithChateauma({"level": level, "modifiers": list(modifiers), **found})


PART = GamePart(
    (
        level_option(
            "level",
            "Make the Châteauma one of the players, at this level; then two greedy players are the default.",
        ),
        modifiers_option("", "Its difficulty modifiers, such as ABD."),
        assume_option(),
    ),
    simulated,
)
