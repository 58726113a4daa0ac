"""Entering: moves by taps, for a turn that no eye has read or that is to be put right."""

from __future__ import annotations

from typing import Any

from companion.games.api import Move
from companion.referee import Explanation

from .context import Desk
from .errors import RefusedError


def tap(desk: Desk, text: str) -> None:
    """Enters one move by its notation; a turn is recorded when the move that ends it is entered.

    :raises RefusedError: when the text is no move, or the move is not legal.
    """
    move, state, turn = desk.parsed(text), desk.drafted_state, desk.turn
    if reason := desk.rules.why_not(state, move):
        raise RefusedError(reason.code, **reason.data)
    turn.draft.append(move)
    turn.retracted.clear()
    _record_when_over(desk, state, move)


def _record_when_over(desk: Desk, state: Any, move: Move) -> None:
    """Records what has been entered when *move*, made in *state*, was the last of it."""
    turn = desk.turn
    if desk.rules.to_move(state) is not None and not desk.rules.ends_turn(move):
        return
    try:
        if turn.draft_of is not None:
            desk.amend(turn.draft_of, turn.draft)
        else:
            desk.commit(Explanation(tuple(turn.draft), 1.0), "tap")
    except RefusedError:
        turn.draft.pop()  # the same tap ends the turn once it can be recorded
        raise


def enter_again(desk: Desk, seq: int) -> None:
    """Begins to enter the unit *seq* anew.

    :raises RefusedError: when there is no such unit, or it is no turn.
    """
    desk.check_can_be_entered(seq)
    desk.turn.draft, desk.turn.retracted, desk.turn.draft_of = [], [], seq
    desk.judge()


def take_back(desk: Desk, *, whole: bool) -> None:
    """Takes back the last move entered, or all of them if *whole*; with none left, nothing is entered any more."""
    turn = desk.turn
    ends = whole or not turn.draft
    for _ in range(len(turn.draft) if whole else min(1, len(turn.draft))):
        turn.retracted.append(turn.draft.pop())
    if ends and turn.draft_of is not None:
        # What was entered for an earlier turn is nothing for this one.
        turn.draft_of, turn.retracted = None, []
    desk.judge()


def enter_retracted(desk: Desk) -> None:
    """Enters the move again that was taken back last."""
    state, move = desk.drafted_state, desk.turn.retracted.pop()
    desk.turn.draft.append(move)
    _record_when_over(desk, state, move)
