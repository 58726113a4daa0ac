"""Settling: how what has become clear is recorded."""

from __future__ import annotations

from companion.journal import SEEN
from companion.referee import Explanation, notation
from vision.sighting import DieReading

from .belief import DICE_SEEN
from .context import Desk
from .errors import RefusedError
from .status import PROPOSAL


def settle_what_is_clear(desk: Desk) -> None:
    """A clear roll is recorded by itself; a confirmation given while the table moved is honoured now."""
    verdict = desk.turn.verdict
    if not verdict.clear:
        return
    if desk.rules.dice_wanted(desk.state):
        sighting = desk.belief.sighting
        record_roll(desk, verdict.explanations[0], () if sighting is None else sighting.dice)
    elif desk.rules.reports(desk.state):
        desk.commit(verdict.explanations[0], "tap")
    elif desk.turn.confirm_when_clear and desk.status == PROPOSAL:
        accept(desk, verdict.explanations[0])


def accept(desk: Desk, explanation: Explanation) -> None:
    """Records what is seen; a turn that was planned otherwise is asked for first."""
    turn, moves = desk.turn, explanation.moves
    if desk.planned not in ((), moves) and notation(moves) != turn.meant:
        turn.ask_first, turn.confirm_when_clear = True, False
    else:
        desk.commit(explanation, "confirm")


def take_die_as_it_lies(desk: Desk) -> None:
    """Somebody says that the die which is awaited was rolled, though it lies and shows as before."""
    assert desk.belief.sighting is not None
    dice = desk.belief.sighting.dice
    verdict = desk.turn.verdict = desk.belief.roll_of(desk.state, dice)
    if verdict.clear:
        record_roll(desk, verdict.explanations[0], dice)


def record_roll(desk: Desk, roll: Explanation, dice: tuple[DieReading, ...]) -> None:
    """Records a roll; where the journal cannot take it, that is told, and the dice go on lying there."""
    is_seen = DICE_SEEN in desk.belief.watched and desk.rules.dice_are_seen(desk.state)
    try:
        desk.commit(roll, SEEN if is_seen else "tap", dice)
    except RefusedError as error:
        desk.refused = error
