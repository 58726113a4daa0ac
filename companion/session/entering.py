"""Entering: moves by taps, for a turn that no eye has read or that is to be put right."""

from __future__ import annotations

from ..referee import Explanation
from .desk import Desk
from .refusal import RefusedError


def tap(desk: Desk, text: str) -> None:
    """Enters one move by its notation; a turn is recorded when the move that ends it is entered.

    :raises RefusedError: when the text is no move, or the move is not legal.
    """
    move, state, turn = desk.parsed(text), desk.drafted_state, desk.turn
    if reason := desk.rules.why_not(state, move):
        raise RefusedError(reason.code, **reason.data)
    turn.draft.append(move)
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

    :raises RefusedError: when there is no such unit.
    """
    if seq not in [unit.seq for unit in desk.history.units]:
        raise RefusedError("no_such_turn")
    desk.turn.draft, desk.turn.draft_of = [], seq
    desk.judge()


def take_back(desk: Desk, *, whole: bool) -> None:
    """Takes back the last move entered, or all of them if *whole*; with none left, nothing is entered any more."""
    turn = desk.turn
    if whole:
        turn.draft.clear()
    if whole or not turn.draft:
        turn.draft_of = None
    else:
        turn.draft.pop()
    desk.judge()
