"""Which moves are legal: :func:`legal_moves` lists every decision of the current player exactly once.

Chance events (set-up goods, a phase's tiles, rolls) are reported, not chosen, and so never listed.
:mod:`.validation` gives the reason why a move is illegal.
"""

from __future__ import annotations

from .decisions.payment import open_effects
from .moves import Move
from .state import SETUP, TURN, GameState


def legal_moves(game: GameState) -> list[Move]:
    """Returns every legal decision, each once."""
    ruleset, moves = game.ruleset, list[Move]()
    if game.pending:
        waiting = open_effects(game)
        for pending in waiting:
            for decision in ruleset.decisions_of_effect[pending.effect]:
                moves += decision.by_effect(game, pending)
        if len(waiting) > 1:  # several may pay for the same move
            moves = list(dict.fromkeys(moves))
        offered = ruleset.interrupting_at.get(game.stage, ())
    elif game.stage != TURN:
        offered = ruleset.decisions_at.get(game.stage, ())
    else:
        for die in sorted(set(game.player.dice)):
            for decision in ruleset.paid_by_die:
                moves += decision.by_die(game, die)
        offered = ruleset.decisions_at[TURN]
    for decision in offered:
        moves += decision.choices(game)
    return moves


def reports(game: GameState) -> list[Move]:
    """Returns the answers to what an effect asks people to look at; empty if none does."""
    ruleset = game.ruleset
    return [
        move
        for pending in open_effects(game)
        if ruleset.effects[pending.effect].is_report
        for decision in ruleset.decisions_of_effect[pending.effect]
        for move in decision.by_effect(game, pending)
    ]


def to_move(game: GameState) -> str | None:
    """Returns the colour of the current player; None while the game waits for something else."""
    deciding = game.stage != SETUP and game.stage in game.ruleset.decisions_at
    return game.seat.colour if deciding else None
