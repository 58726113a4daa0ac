"""Entries that are no part of the pending turn, which goes on after them."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api import Move
from companion.journal import OUT_OF_TURN

from .context import SessionContext
from .errors import CommandRejectedError
from .pending_turn import PendingTurn


def record(context: SessionContext, move: Move, by: str, player: str | None) -> None:
    """Records *move*, which *player* or nobody made, as an entry of its own.

    :raises CommandRejectedError: when the move is not legal, or the journal cannot be written; nothing has changed
        then.
    """
    if illegal := context.rules.validate(context.state, move):
        raise CommandRejectedError(illegal.code, **illegal.data)
    with context.recording():
        events = context.history.record([move], by)
    context.set_last_result(by, player, events)
    restore_draft(context, context.turn.draft, context.turn.draft_of)


def record_out_of_turn(context: SessionContext, move: Move, viewer: str | None) -> None:
    """Records what a player does while it is not their turn, entered by *viewer* (see :func:`.manual_entry.tap`).

    :raises CommandRejectedError: when it is not the viewer's to enter, or as :func:`record` does.
    """
    player = context.rules.describe(move)["player"]
    if viewer not in (None, player):
        raise CommandRejectedError("done_by_another", player=player)
    record(context, move, OUT_OF_TURN, player)


def restore_draft(context: SessionContext, draft: Sequence[Move], draft_of: int | None) -> None:
    """Restores the *draft* of the pending turn, or of the entry *draft_of*, as far as it is still legal."""
    context.turn = PendingTurn(draft_of=draft_of)
    for move in draft:
        if context.rules.validate(context.drafted_state, move):
            break
        context.turn.draft.append(move)
    context.update_verdict()
