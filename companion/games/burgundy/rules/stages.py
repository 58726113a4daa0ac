"""Where the game stands, in the terms of all games."""

from __future__ import annotations

from companion.games.stage import Stage

from .edition import PHASES, ROUNDS
from .legality import to_move
from .state import OVER, SETUP, GameState


def stage(game: GameState) -> Stage:
    """Returns the stage; its rounds are counted through all phases."""
    return Stage(
        game.stage,
        actors=_actors(game),
        is_chance=game.stage in game.ruleset.chance_at,
        order=[game.seats[index].colour for index in game.order()] or [seat.colour for seat in game.seats],
        acted=[seat.colour for index, seat in enumerate(game.seats) if game.acted >> index & 1],
        round=None if game.stage in (SETUP, OVER) else game.phase * ROUNDS + min(game.round, ROUNDS - 1) + 1,
        rounds=len(PHASES) * ROUNDS,
        usual=game.hooks.usual_move(game),
    )


def _actors(game: GameState) -> list[str]:
    """Returns who decides now: before the first phase, everybody who is not set up (S241)."""
    if game.stage == SETUP:
        return [seat.colour for seat in game.seats if not game.hooks.is_set_up(seat)]
    player = to_move(game)
    return [] if player is None else [player]
