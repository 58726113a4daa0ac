"""Adjusting: counts that the table puts right by hand, with a reason."""

from __future__ import annotations

from collections.abc import Mapping

from companion.journal.history import ADJUSTED
from companion.journal.player_text import cleaned

from .context import Desk
from .errors import RefusedError, is_whole
from .pending_turn import OpenTurn

REASONS = ("forgotten", "misread", "miscounted", "agreed")
"""Usual reasons, each with a text of its own; any other is told as it was written."""
LONGEST_REASON = 80
"""Characters of a reason in the table's own words."""


def adjust(desk: Desk, player: str, counts: Mapping[str, tuple[int, int]], reason: str) -> None:
    """Puts counts right (see :meth:`.TableSession.adjust`)."""
    if not is_whole(reason):
        raise RefusedError("half_character")
    reason = cleaned(reason)
    if not reason:
        raise RefusedError("reason_needed")
    if len(reason) > LONGEST_REASON:
        raise RefusedError("reason_too_long", most=LONGEST_REASON)
    known = {count.what: count.value for count in desk.rules.counts(desk.state) if count.player == player}
    if any(known.get(what) != was for what, (was, _) in counts.items()):
        raise RefusedError("counts_changed")
    changes = {what: now - was for what, (was, now) in counts.items()}
    move = desk.rules.adjustment(desk.state, player, changes, reason)
    if why := desk.rules.why_not(desk.state, move):
        raise RefusedError(why.code, **why.data)
    with desk.recording():
        events = desk.history.record([move], ADJUSTED)
    desk.tell(ADJUSTED, None, events)
    _go_on(desk)


def _go_on(desk: Desk) -> None:
    """It was nobody's turn: what was said of the open one still holds, and what was entered, as far as possible."""
    draft, of = desk.turn.draft, desk.turn.draft_of
    desk.turn = OpenTurn(draft_of=of)
    for move in draft:
        if desk.rules.why_not(desk.drafted_state, move):
            break
        desk.turn.draft.append(move)
    desk.judge()
