"""Counts that people adjust by hand, with a reason."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.player_text import cleaned, is_storable
from companion.journal.history import ADJUSTED

from . import beside_turn
from .context import SessionContext
from .errors import CommandRejectedError

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
    beside_turn.record(context, move, ADJUSTED, None)
