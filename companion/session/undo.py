"""Undo and redo."""

from __future__ import annotations

from . import manual_entry
from .context import REDO, UNDO, SessionContext
from .errors import CommandRejectedError


def undo(context: SessionContext, *, everything: bool) -> None:
    """Takes back what was entered, answered or confirmed last (see :meth:`.TableSession.undo`)."""
    if context.turn.drafting:
        manual_entry.retract(context, everything=everything)
        return
    if context.belief.retract_answers(everything=everything):
        context.turn.confirm_when_clear = False
        context.update_verdict()
        return
    context.step_history(UNDO, context.history.undo)


def redo(context: SessionContext) -> None:
    """Restores what was taken back last (see :meth:`.TableSession.redo`)."""
    if context.turn.retracted:
        manual_entry.restore_retracted(context)
    elif context.turn.drafting:
        raise CommandRejectedError("nothing_to_redo")
    else:
        context.step_history(REDO, context.history.redo)
