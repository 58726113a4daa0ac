"""Counts that people adjust by hand, with a reason."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.player_text import cleaned, is_storable
from companion.journal.history import ADJUSTED

from .context import SessionContext
from .errors import CommandRejectedError
from .pending_turn import PendingTurn

REASONS = ("forgotten", "misread", "miscounted", "agreed")
"""Usual reasons, each with a translated text; any other is shown as it was written."""
LONGEST_REASON = 80
"""Longest reason in people's own words, in characters."""


def adjust(context: SessionContext, player: str, counts: Mapping[str, tuple[int, int]], reason: str) -> None:
    """Adjusts counts (see :meth:`.TableSession.adjust`)."""
    if not is_storable(reason):
        raise CommandRejectedError("half_character")
    reason = cleaned(reason)
    if not reason:
        raise CommandRejectedError("reason_needed")
    if len(reason) > LONGEST_REASON:
        raise CommandRejectedError("reason_too_long", most=LONGEST_REASON)
    current = {
        count.what: count.value
        for count in context.correctable.counts(context.state)
        if count.player == player
    }
    if any(current.get(what) != was for what, (was, _) in counts.items()):
        raise CommandRejectedError("counts_changed")
    changes = {what: now - was for what, (was, now) in counts.items()}
    move = context.correctable.adjustment(context.state, player, changes, reason)
    if illegal := context.rules.validate(context.state, move):
        raise CommandRejectedError(illegal.code, **illegal.data)
    with context.recording():
        events = context.history.record([move], ADJUSTED)
    context.set_last_result(ADJUSTED, None, events)
    _restore_draft(context)


def _restore_draft(context: SessionContext) -> None:
    """Restores the draft of the pending turn as far as it is still legal: an adjustment does not end a turn."""
    draft, draft_of = context.turn.draft, context.turn.draft_of
    context.turn = PendingTurn(draft_of=draft_of)
    for move in draft:
        if context.rules.validate(context.drafted_state, move):
            break
        context.turn.draft.append(move)
    context.update_verdict()
