"""Seeing: what the eye reports, and what play that has gone on tells of the turn before."""

from __future__ import annotations

from collections.abc import Sequence

from companion import referee
from companion.referee import Explanation, notation
from vision.sighting import DieReading, Sighting

from .belief import DICE_SEEN, is_new_roll
from .commit import record_roll, settle_what_is_clear
from .context import Desk
from .errors import RefusedError
from .status import ASKING, PROPOSAL, PUZZLED

STILL_OPEN = 0.02
"""Probability from which another turn may still be the one that was played, when play has gone on."""


def see(desk: Desk, sighting: Sighting) -> bool:
    """Takes a settled sighting (see :meth:`.TableSession.see`)."""
    before, seen, refused = _open_turn(desk), desk.belief.sighting, desk.refused
    desk.belief.see(sighting)
    desk.judge()
    try:
        if before and desk.status == PUZZLED:
            _go_on_from(desk, before)
        settle_what_is_clear(desk)
    except RefusedError as error:
        desk.refused = error
        if before and desk.status == PUZZLED:  # the turn before is still the one to confirm
            desk.belief.sighting = seen
            desk.judge()
    return desk.refused is refused


def see_roll(desk: Desk, dice: tuple[DieReading, ...]) -> bool:
    """Takes settled dice before the places are read; tells whether they were a clear roll."""
    wanted = desk.rules.dice_wanted(desk.state)
    unwanted = DICE_SEEN not in desk.belief.watched or not wanted or desk.turn.drafting
    if unwanted or not is_new_roll(dice, desk.history.dice, wanted):
        return False
    verdict = desk.belief.roll_of(desk.state, dice)
    if verdict.clear:
        desk.belief.sighting = None
        record_roll(desk, verdict.explanations[0], dice)
    return verdict.clear


def _open_turn(desk: Desk) -> tuple[Explanation, ...]:
    """The turns that were proposed or asked about, and that nobody has confirmed."""
    is_turn = desk.rules.to_move(desk.state) is not None
    return desk.turn.verdict.explanations if is_turn and desk.status in (PROPOSAL, ASKING) else ()


def _go_on_from(desk: Desk, before: Sequence[Explanation]) -> None:
    """Records the likeliest turn *before*, if the next player's turn then explains what is seen."""
    for explanation in before[: referee.OPTIONS]:
        state = desk.state_after(explanation.moves)
        if desk.rules.to_move(state) is None or explanation.unexplained:
            continue
        found = desk.belief.turn(state).explanations[:1]
        if found and not found[0].unexplained:
            alike = [e for e in before[: referee.OPTIONS] if e.probability >= STILL_OPEN]
            options = [notation(e.moves) for e in alike] if len(alike) > 1 else []
            desk.commit(explanation, "assumed", options=options)
            return
