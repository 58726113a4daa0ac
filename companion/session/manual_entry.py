"""Manual entry: moves by taps, for a turn that the camera did not read, or a correction of an earlier one."""

from __future__ import annotations

from typing import Any

from companion.games.api import Move
from companion.referee import Explanation

from . import beside_turn
from .context import SessionContext
from .errors import CommandRejectedError


def tap(context: SessionContext, text: str, viewer: str | None = None) -> None:
    """Enters one move by its notation; a turn is recorded when the move that ends it is entered.

    What a player does out of turn is recorded at once, and the turn goes on.

    *viewer* is the player on whose own page it is entered; None for the shared screen.

    :raises CommandRejectedError: when the text is no move, or the move is not legal, or not the viewer's to enter.
    """
    move, state, turn = context.parsed(text), context.drafted_state, context.turn
    if context.is_beside_turn(move):
        beside_turn.record_out_of_turn(context, move, viewer)
        return
    if not context.allowed_for(viewer)(move):
        if (owner := context.secrets.owner_of(move)) is not None:
            raise CommandRejectedError("not_entered_here", player=owner)
        raise CommandRejectedError("wait_for_turn", player=context.rules.to_move(state))
    if reason := context.rules.validate(state, move):
        raise CommandRejectedError(reason.code, **reason.data)
    turn.draft.append(move)
    turn.retracted.clear()
    _record_when_over(context, state, move)


def _record_when_over(context: SessionContext, state: Any, move: Move) -> None:
    """Records the draft if *move*, made in *state*, ends it, or is a report for which a bot waits within its turn."""
    turn = context.turn
    is_report = len(turn.draft) == 1 and move in context.chance.unobserved_chance_moves(state)
    if context.rules.to_move(state) is not None and not context.rules.ends_turn(move) and not is_report:
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
    """Begins to enter the entry *seq* again.

    :raises CommandRejectedError: when there is no such entry, or it is no turn.
    """
    context.check_reenterable(seq)
    context.turn.draft, context.turn.retracted, context.turn.draft_of = [], [], seq
    context.update_verdict()


def retract(context: SessionContext, *, everything: bool) -> None:
    """Retracts the last move of the draft, or all of them with *everything*; with none left, ends the manual entry."""
    turn = context.turn
    ends = everything or not turn.draft
    for _ in range(len(turn.draft) if everything else min(1, len(turn.draft))):
        turn.retracted.append(turn.draft.pop())
    if ends and turn.draft_of is not None:
        # Moves of an earlier turn are no draft of this one.
        turn.draft_of, turn.retracted = None, []
    context.update_verdict()


def restore_retracted(context: SessionContext) -> None:
    """Enters the move again that was retracted last."""
    state, move = context.drafted_state, context.turn.retracted.pop()
    context.turn.draft.append(move)
    _record_when_over(context, state, move)
