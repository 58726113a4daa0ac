"""Positions of games with modules of the box, to be filled as those of :mod:`tests.support.positions`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.burgundy.rules import Burgundy, GameState, Move
from companion.games.burgundy.rules.decisions import StartCastle, StartGoods
from companion.games.burgundy.rules.state import ROLL
from tests.support.modules import setup_of
from tests.support.positions import (
    RULES,
    USUAL,
    clear_board,
    dealt,
    finish_round,
    rolled,
    start_space,
    take_all,
)


def module_setup(
    modules: Sequence[str],
    *,
    players: int = 2,
    duchy: str = "se-1",
    rules: Mapping[str, str] = USUAL,
    castle: int | None = None,
    box: Burgundy = RULES,
    **more: Any,
) -> GameState:
    """Returns a game with *modules* that waits for its first tiles, as :func:`.positions.set_up` does.

    *more* are their parts of the set-up, *box* has the modules.
    """
    game = box.new(setup_of(duchy, players, modules=list(modules), rules=dict(rules), **more))
    for player in game.players:
        box.play(game, StartCastle(player.colour, start_space(player, castle)))
        box.play(game, StartGoods(player.colour, (1, 2, 3)))
    return game


def module_turn(
    modules: Sequence[str],
    dice: tuple[int, int] = (1, 2),
    *,
    white: int = 1,
    box: Burgundy = RULES,
    **options: Any,
) -> GameState:
    """Returns red's first turn of a game with *modules*, as :func:`.positions.on_turn` does."""
    game = module_setup(modules, box=box, **options)
    while game.stage != ROLL:
        box.play(game, dealt(game, box=box))
    box.play(game, rolled(game, dice, white=white))
    clear_board(game)
    take_all(game.player)
    return game


def next_round(game: GameState, *dice: tuple[int, int], white: int = 1) -> list[Move]:
    """Ends the round and, if the phase is over, deals the next one; then rolls. Returns the chance events."""
    finish_round(game)
    events = []
    while game.stage != ROLL:
        events.append(dealt(game))
        RULES.play(game, events[-1])
    RULES.play(game, rolled(game, *dice, white=white))
    return events
