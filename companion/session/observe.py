"""Seeing: what the eye reports, and what play that has gone on tells of the turn before."""

from __future__ import annotations

from collections.abc import Sequence

from companion import referee
from companion.referee import Explanation, notation
from vision.sighting import DieReading, Sighting

from .belief import DICE_SEEN, is_new_roll
from .commit import commit_if_clear, record_roll
from .context import SessionContext
from .errors import CommandRejectedError
from .status import ASKING, PROPOSAL, UNEXPLAINED

STILL_OPEN = 0.02
"""Probability from which another turn may still be the one that was played, when play has gone on."""


def observe(context: SessionContext, sighting: Sighting) -> bool:
    """Takes a settled sighting (see :meth:`.TableSession.observe`)."""
    before, seen, refused = _unconfirmed_turns(context), context.belief.sighting, context.rejection
    context.belief.set_sighting(sighting)
    context.update_verdict()
    try:
        if before and context.status == UNEXPLAINED:
            _assume_turn(context, before)
        commit_if_clear(context)
    except CommandRejectedError as error:
        context.rejection = error
        if before and context.status == UNEXPLAINED:  # the turn before is still the one to confirm
            context.belief.sighting = seen
            context.update_verdict()
    return context.rejection is refused


def observe_roll(context: SessionContext, dice: tuple[DieReading, ...]) -> bool:
    """Takes settled dice before the places are read; tells whether they were a clear roll."""
    awaited = context.rules.expected_dice(context.state)
    unwanted = DICE_SEEN not in context.belief.watched or not awaited or context.turn.drafting
    if unwanted or not is_new_roll(dice, context.history.dice, awaited):
        return False
    verdict = context.belief.explain_roll(context.state, dice)
    if verdict.clear:
        context.belief.sighting = None
        record_roll(context, verdict.explanations[0], dice)
    return verdict.clear


def _unconfirmed_turns(context: SessionContext) -> tuple[Explanation, ...]:
    """The turns that were proposed or asked about, and that nobody has confirmed."""
    is_turn = context.rules.to_move(context.state) is not None
    return context.turn.verdict.explanations if is_turn and context.status in (PROPOSAL, ASKING) else ()


def _assume_turn(context: SessionContext, before: Sequence[Explanation]) -> None:
    """Records the likeliest turn *before*, if the next player's turn then explains what is seen."""
    for explanation in before[: referee.OPTIONS]:
        state = context.state_after(explanation.moves)
        if context.rules.to_move(state) is None or explanation.unexplained:
            continue
        found = context.belief.explain_turn(state).explanations[:1]
        if found and not found[0].unexplained:
            alike = [e for e in before[: referee.OPTIONS] if e.probability >= STILL_OPEN]
            options = [notation(e.moves) for e in alike] if len(alike) > 1 else []
            context.commit(explanation, "assumed", options=options)
            return
