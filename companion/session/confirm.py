"""Confirmations, choices and answers: how people react to a proposal, a question or a bot's turn."""

from __future__ import annotations

from dataclasses import asdict

from companion.referee import Explanation, notation

from . import corrections
from .belief import DIE_AWAITED
from .commit import accept, accept_unmoved_die, commit_if_clear
from .context import SessionContext
from .errors import CommandRejectedError
from .status import ASKING, DICE, LAYOUT, PROPOSAL, UNEXPLAINED, WATCHING


def confirm(context: SessionContext, *, settled: bool, player: str | None) -> None:
    """Accepts the proposal or the chosen answer (see :meth:`.TableSession.confirm`)."""
    to_move, turn, status = context.rules.to_move(context.state), context.turn, context.status
    if player is not None and to_move not in (None, player) and not context.bot_turn:
        raise CommandRejectedError("not_your_turn", player=to_move)
    if not settled or (context.belief.looks_again and status != PROPOSAL):
        turn.confirm_when_clear = True
    elif status == ASKING and context.chosen is not None:
        turn.confirm_when_clear = True
        record_answer(context, *context.alternatives[context.chosen])
    elif status in (WATCHING, UNEXPLAINED) and context.bot_turn:
        _confirm_bot_turn(context)
    elif status == WATCHING and turn.verdict.explanations:
        # An unobservable turn needs an answer, so that pressing twice by mistake changes nothing.
        turn.ask_first = True
    elif status == PROPOSAL:
        accept(context, context.explanation)
    elif turn.verdict.notice == DIE_AWAITED:
        accept_unmoved_die(context)
    else:
        turn.confirm_when_clear = status in (DICE, LAYOUT)
        raise CommandRejectedError(f"nothing_to_confirm_{status}")


def can_confirm(context: SessionContext) -> bool:
    """Returns whether a press would be carried out, or remembered, or lead to a question."""
    turn, status = context.turn, context.status
    if status == PROPOSAL or context.belief.looks_again or turn.verdict.notice == DIE_AWAITED:
        return True
    if status == ASKING:
        return context.chosen is not None
    is_watched = status in (WATCHING, UNEXPLAINED)
    return is_watched and (bool(context.bot_turn) or (status == WATCHING and bool(turn.verdict.explanations)))


def _confirm_bot_turn(context: SessionContext) -> None:
    """Rejects the first press with the mismatches of the bot's turn; records the turn at the second.

    After the second press, people's word counts, and the contradicting readings are ignored.

    :raises CommandRejectedError: the first time.
    """
    outstanding, differing = context.turn.outstanding_mismatches, context.turn.verdict.mismatches
    if context.turn.override_confirmed != outstanding:
        context.turn.override_confirmed = outstanding
        code = "differs_from_bot_turn" if differing else "not_done_yet" if outstanding else "not_seen_yet"
        raise CommandRejectedError(
            code, mismatches=[asdict(mismatch) for mismatch in differing or outstanding]
        )
    bot_turn = context.bot_turn
    context.belief.assume(context.state_after(bot_turn))
    context.commit(Explanation(bot_turn, 1.0), "confirm")


def next_alternative(context: SessionContext) -> None:
    """Marks the next explanation, or the next answer to the open question: the first one if none is marked.

    :raises CommandRejectedError: when there is no other one.
    """
    alternatives, chosen = context.alternatives, context.chosen
    following = 0 if chosen is None else chosen + 1
    if not alternatives or (chosen is not None and len(alternatives) < 2):
        raise CommandRejectedError("no_alternative")
    context.turn.choice = alternatives[following % len(alternatives)]


def answer(context: SessionContext, about: str, value: str) -> None:
    """Answers the open question, or one about an unresolved entry (``unit:12``).

    :raises CommandRejectedError: when that is not what is asked, or not an answer to it.
    """
    kind, _, seq = about.partition(":")
    if kind == "unit":
        corrections.resolve_entry(context, seq, value)
        return
    question = context.question
    if question is None or question.about != about:
        raise CommandRejectedError("question_is_gone", about=about)
    if value not in [option.value for option in question.options]:
        raise CommandRejectedError("no_such_answer", value=value)
    record_answer(context, about, value)


def _correct_recorded_die(context: SessionContext, die: str, value: int) -> None:
    """Takes a person's word for a die of the recorded roll; a press that waited for it is carried out."""
    is_confirmed = context.turn.confirm_when_clear
    corrections.correct_die(context, die, value)
    context.turn.confirm_when_clear = is_confirmed
    commit_if_clear(context)


def record_answer(context: SessionContext, about: str, value: str) -> None:
    """Takes a person's statement about a place, a die or the turn, whether it was asked for or not."""
    turn = context.turn
    kind, _, die = about.partition(":")
    if kind == "die" and not context.dice.expected_dice(context.state):
        _correct_recorded_die(context, die, int(value))
        return
    context.belief.record_answer(about, value)
    if about == "turn" and turn.ask_first:
        turn.chosen_answer = value
    turn.ask_first = False
    turn.choice = None
    if about == "turn" and turn.unobservable:
        chosen = [e for e in turn.verdict.explanations if notation(e.moves) == value]
        context.commit(chosen[0], "confirm")
        return
    context.update_verdict()
    commit_if_clear(context)
