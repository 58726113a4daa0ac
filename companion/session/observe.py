"""Sightings: what the camera reports, and what it implies about a turn that nobody confirmed."""

from __future__ import annotations

from collections.abc import Sequence

from companion import referee
from companion.referee import Explanation, notation
from vision.sighting import DieReading, Sighting

from .belief import DICE_SEEN
from .commit import commit_if_clear, record_roll
from .context import SessionContext
from .errors import CommandRejectedError
from .status import ASKING, PROPOSAL, UNEXPLAINED

STILL_OPEN = 0.02
"""Probability from which another turn stays possible when an unconfirmed turn is recorded."""


def observe(context: SessionContext, sighting: Sighting, looks: int) -> bool:
    """Processes a settled sighting (see :meth:`.TableSession.observe`)."""
    if not context.belief.looks_again:
        context.turn.unconfirmed = _unconfirmed_turns(context)
    before, previous, rejection = context.turn.unconfirmed, context.belief.sighting, context.rejection
    context.belief.set_sighting(sighting, looks)
    context.update_verdict()
    try:
        if before and context.status == UNEXPLAINED:
            _assume_turn(context, before)
        commit_if_clear(context)
    except CommandRejectedError as error:
        context.rejection = error
        if before and context.status == UNEXPLAINED:  # the turn before still waits to be confirmed
            context.belief.sighting = previous
            context.update_verdict()
    return context.rejection is rejection


def observe_roll(context: SessionContext, dice: tuple[DieReading, ...], looks: int) -> bool:
    """Processes settled dice before the places are read; returns whether they were a clear roll."""
    belief, awaited = context.belief, context.dice.expected_dice(context.state)
    belief.looks = looks
    is_ignored = DICE_SEEN not in belief.watched or not awaited or context.turn.drafting
    if is_ignored or not belief.is_rolled(dice, context.history.dice, awaited):
        return False
    verdict = belief.explain_roll(context.state, dice)
    if verdict.clear:
        belief.sighting = None
        record_roll(context, verdict.explanations[0], dice)
    return verdict.clear


def _unconfirmed_turns(context: SessionContext) -> tuple[Explanation, ...]:
    """Returns the turns that were proposed or asked about, and that nobody has confirmed."""
    is_turn = context.rules.to_move(context.state) is not None
    return context.turn.verdict.explanations if is_turn and context.status in (PROPOSAL, ASKING) else ()


def _assume_turn(context: SessionContext, before: Sequence[Explanation]) -> None:
    """Records the likeliest turn of *before* after which a turn of the next player explains the table."""
    for explanation in before[: referee.OPTIONS]:
        state = context.state_after(explanation.moves)
        if context.rules.to_move(state) is None or explanation.unexplained:
            continue
        found = context.belief.explain_turn(state).explanations[:1]
        if found and not found[0].unexplained:
            possible = [e for e in before[: referee.OPTIONS] if e.probability >= STILL_OPEN]
            options = [notation(e.moves) for e in possible] if len(possible) > 1 else []
            context.commit(explanation, "assumed", options=options)
            return
