"""Records what has become clear."""

from __future__ import annotations

from companion.journal import SEEN
from companion.referee import Explanation, notation
from vision.sighting import DieReading

from .belief import DICE_SEEN, LOOKS
from .context import SessionContext
from .errors import CommandRejectedError
from .places import is_laid_out_anew
from .status import PROPOSAL

LAYOUT_CLEAR = 0.95
"""Probability from which a layout that was seen needs no press."""


def commit_if_clear(context: SessionContext) -> None:
    """Records what is clear: a roll, a layout, or a turn that was confirmed while the table was still moving."""
    verdict = context.turn.verdict
    if not verdict.clear:
        return
    if context.dice.expected_dice(context.state):
        sighting = context.belief.sighting
        record_roll(context, verdict.explanations[0], () if sighting is None else sighting.dice)
    elif context.chance.unobserved_chance_moves(context.state):
        context.commit(verdict.explanations[0], "tap")
    elif context.turn.confirm_when_clear and context.status == PROPOSAL:
        accept(context, verdict.explanations[0])
    elif _was_seen_laid_out(context):
        if context.belief.looks < LOOKS:
            context.belief.looks_again = True
        else:
            context.commit(verdict.explanations[0], SEEN)


def _was_seen_laid_out(context: SessionContext) -> bool:
    """Returns whether a layout is so clear that nobody has to confirm it.

    It is confirmed by a press before the first turn, as that begins the game; if it lay there already; and if people
    have said what it is, or have just gone back to it.
    """
    return (
        context.status == PROPOSAL
        and bool(context.observable.expected_layouts(context.state))
        and context.turn.verdict.explanations[0].probability >= LAYOUT_CLEAR
        and not context.belief.answers
        and context.history_change is None
        and is_laid_out_anew(context)
    )


def accept(context: SessionContext, explanation: Explanation) -> None:
    """Records *explanation*; if the bot's turn was another one, asks first whether this one was meant."""
    turn, moves = context.turn, explanation.moves
    if context.bot_turn not in ((), moves) and notation(moves) != turn.chosen_answer:
        turn.ask_first, turn.confirm_when_clear = True, False
    else:
        context.commit(explanation, "confirm")


def accept_unmoved_die(context: SessionContext) -> None:
    """Accepts the awaited die as rolled although it shows its old value in its old place: a person says so."""
    assert context.belief.sighting is not None
    dice = context.belief.sighting.dice
    verdict = context.turn.verdict = context.belief.explain_roll(context.state, dice)
    if verdict.clear:
        record_roll(context, verdict.explanations[0], dice)


def record_roll(context: SessionContext, roll: Explanation, dice: tuple[DieReading, ...]) -> None:
    """Records a roll; if the journal cannot be written, sets ``rejection``, as the dice can be read again."""
    is_seen = DICE_SEEN in context.belief.watched and context.dice.rolls_on_table(context.state)
    readings = context.belief.readings_of_roll(context.state, dice)
    try:
        context.commit(roll, SEEN if is_seen else "tap", readings)
    except CommandRejectedError as error:
        context.rejection = error
