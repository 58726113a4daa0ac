"""What people set up before a game (S226-250) and before each phase (S262-271): step by step, as plain data.

Each step has a name, ``step``, for which every language has a sentence, and the values for its placeholders.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .edition import PHASES, ROUNDS
from .phases import START_GOODS, START_SILVER
from .state import FILL, SETUP, GameState, Player

Step = dict[str, Any]

TWO_PLAYERS = 2
"""Number of players with a side of the main board of their own (S226)."""


def steps(game: GameState) -> list[Step]:
    """Returns what to set up now; nothing while a phase is being played."""
    if game.stage == SETUP:
        return list(_before_game(game))
    return list(_before_phase(game)) if game.stage == FILL else []


def _before_game(game: GameState) -> Iterator[Step]:
    order = [seat.colour for seat in game.seats]
    yield {"step": "board_two" if game.played_as == TWO_PLAYERS else "board_more"}
    yield {"step": "supply"}
    yield {"step": "goods", "count": ROUNDS, "first_phase": PHASES[0], "last_phase": PHASES[-1]}
    yield {"step": "bonus"}
    yield from game.hooks.steps_before_game(game)
    for place, seat in enumerate(game.seats, 1):
        yield from game.hooks.start_steps(seat, place)
    yield {"step": "order", "players": order, "player": order[0]}


def player_start_steps(player: Player, place: int) -> Iterator[Step]:
    """Yields what a person gets who is *place*-th in the order: castle, goods, silver and workers."""
    yield {
        "step": "player",
        "player": player.colour,
        "duchy": player.duchy.name,
        "dealt": START_GOODS,
        "silver": START_SILVER,
        "workers": place,
    }


def _before_phase(game: GameState) -> Iterator[Step]:
    if game.phase:
        yield {"step": "clear"}
    yield {"step": "depots", "count": sum(map(len, game.depots))}
    yield {"step": "black", "count": len(game.black)}
    yield {"step": "round_goods", "phase": game.phase_letter, "count": ROUNDS}
    yield from game.hooks.steps_before_phase(game)
