"""Which moves are legal: :func:`legal_moves` lists every decision of the current player exactly once.

Chance events (set-up goods, a phase's tiles, rolls) are reported, not chosen, and so never listed.
:mod:`.validation` gives the reason why a move is illegal.
"""

from __future__ import annotations

from itertools import chain

from .moves import Move
from .state import SETUP, TURN, GameState


def legal_moves(game: GameState) -> list[Move]:
    """Returns every legal decision, each once."""
    ruleset = game.ruleset
    if game.stage != TURN:
        return list(chain.from_iterable(d.choices(game) for d in ruleset.decisions_at.get(game.stage, ())))
    if game.pending:
        by_effect = (
            decision.by_effect(game, pending)
            for pending in game.hooks.open_effects(game)
            for decision in ruleset.decisions_of_effect[pending.effect]
        )
        return list(chain(*by_effect, *(d.choices(game) for d in ruleset.interrupting)))
    by_die = (d.by_die(game, die) for die in sorted(set(game.player.dice)) for d in ruleset.paid_by_die)
    return list(chain(*by_die, *(d.choices(game) for d in ruleset.decisions_at[TURN])))


def to_move(game: GameState) -> str | None:
    """Returns the colour of the current player; None while the game waits for something else."""
    deciding = game.stage != SETUP and game.stage in game.ruleset.decisions_at
    return game.seat.colour if deciding else None
