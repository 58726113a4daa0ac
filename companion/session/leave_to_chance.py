"""What the companion rolls and draws for a table that wants it: fair, and recorded like everything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.api import Move
from companion.journal import DRAWN
from companion.referee import Explanation

from .context import SessionContext
from .errors import CommandRejectedError


def draw(context: SessionContext) -> None:
    """Records what chance brings next: a roll, or everything that is laid out and dealt before one.

    :raises CommandRejectedError: when nothing is awaited from chance, or a turn is being entered.
    """
    moves: list[Move] = []
    state, rng = context.state.copy(), context.history.rng()
    while not context.turn.drafting and (move := context.chance.sample_chance(state, rng)) is not None:
        context.rules.apply(state, move)
        moves.append(move)
        if context.dice.dice_of(move) or context.dice.expected_dice(state):
            break
    if not moves:
        raise CommandRejectedError("nothing_to_draw")
    context.commit(Explanation(tuple(moves), 1.0), DRAWN)


def enter_roll(context: SessionContext, values: Mapping[str, Sequence[int]]) -> None:
    """Records the awaited roll with these *values* by colour, as people have read it.

    :raises CommandRejectedError: when no such dice are awaited, or they cannot show that.
    """
    awaited = context.dice.expected_dice(context.state)
    if not awaited or {colour: len(shown) for colour, shown in values.items()} != dict(awaited):
        raise CommandRejectedError("no_such_roll")
    move = context.dice.roll_move(context.state, values)
    if context.turn.drafting or context.rules.validate(context.state, move):
        raise CommandRejectedError("no_such_roll")
    context.commit(Explanation((move,), 1.0), "tap")
