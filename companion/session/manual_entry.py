"""Entering: moves by taps, for a turn that no eye has read or that is to be put right."""

from __future__ import annotations

from typing import Any

from companion.games.api import Move
from companion.referee import Explanation

from .context import SessionContext
from .errors import CommandRejectedError


def tap(context: SessionContext, text: str) -> None:
    """Enters one move by its notation; a turn is recorded when the move that ends it is entered.

    :raises CommandRejectedError: when the text is no move, or the move is not legal.
    """
    move, state, turn = context.parsed(text), context.drafted_state, context.turn
    if reason := context.rules.validate(state, move):
        raise CommandRejectedError(reason.code, **reason.data)
    turn.draft.append(move)
    turn.retracted.clear()
    _record_when_over(context, state, move)


def _record_when_over(context: SessionContext, state: Any, move: Move) -> None:
    """Records what has been entered when *move*, made in *state*, was the last of it."""
    turn = context.turn
    if context.rules.to_move(state) is not None and not context.rules.ends_turn(move):
        return
    try:
        if turn.draft_of is not None:
            context.amend(turn.draft_of, turn.draft)
        else:
            context.commit(Explanation(tuple(turn.draft), 1.0), "tap")
    except CommandRejectedError:
        turn.draft.pop()  # the same tap ends the turn once it can be recorded
        raise


def reenter(context: SessionContext, seq: int) -> None:
    """Begins to enter the unit *seq* anew.

    :raises CommandRejectedError: when there is no such unit, or it is no turn.
    """
    context.check_reenterable(seq)
    context.turn.draft, context.turn.retracted, context.turn.draft_of = [], [], seq
    context.update_verdict()


def retract(context: SessionContext, *, whole: bool) -> None:
    """Takes back the last move entered, or all of them if *whole*; with none left, nothing is entered any more."""
    turn = context.turn
    ends = whole or not turn.draft
    for _ in range(len(turn.draft) if whole else min(1, len(turn.draft))):
        turn.retracted.append(turn.draft.pop())
    if ends and turn.draft_of is not None:
        # What was entered for an earlier turn is nothing for this one.
        turn.draft_of, turn.retracted = None, []
    context.update_verdict()


def restore_retracted(context: SessionContext) -> None:
    """Enters the move again that was taken back last."""
    state, move = context.drafted_state, context.turn.retracted.pop()
    context.turn.draft.append(move)
    _record_when_over(context, state, move)
