"""Deciding: what people say to what is proposed, asked or planned."""

from __future__ import annotations

from dataclasses import asdict

from companion.referee import Explanation, notation

from . import undo as mending
from .belief import DIE_AWAITED
from .commit import accept, settle_what_is_clear, take_die_as_it_lies
from .context import Desk
from .errors import RefusedError
from .status import ASKING, DICE, LAYOUT, PROPOSAL, PUZZLED, WATCHING


def confirm(desk: Desk, *, settled: bool, player: str | None) -> None:
    """Accepts what is proposed or chosen (see :meth:`.TableSession.confirm`)."""
    to_move, turn, status = desk.rules.to_move(desk.state), desk.turn, desk.status
    if player is not None and to_move not in (None, player) and not desk.planned:
        raise RefusedError("not_your_turn", player=to_move)
    if not settled:
        turn.confirm_when_clear = True
    elif status == ASKING and desk.chosen is not None:
        turn.confirm_when_clear = True
        say(desk, *desk.alternatives[desk.chosen])
    elif status in (WATCHING, PUZZLED) and desk.planned:
        _confirm_as_told(desk)
    elif status == WATCHING and turn.verdict.explanations:
        # A turn that leaves no trace is asked for, so that a second press by mistake changes nothing.
        turn.ask_first = True
    elif status == PROPOSAL:
        accept(desk, desk.explanation)
    elif turn.verdict.notice == DIE_AWAITED:
        take_die_as_it_lies(desk)
    else:
        turn.confirm_when_clear = status in (DICE, LAYOUT)
        raise RefusedError(f"nothing_to_confirm_{status}")


def _confirm_as_told(desk: Desk) -> None:
    """Answers with what is amiss in a planned turn; to the same press again, by recording it.

    People know better then than the eye, whose reading is set aside.

    :raises RefusedError: the first time.
    """
    amiss, slips = desk.turn.amiss, desk.turn.verdict.slips
    if desk.turn.insisted != amiss:
        desk.turn.insisted = amiss
        code = "not_as_told" if slips else "not_done_yet" if amiss else "not_seen_yet"
        raise RefusedError(code, slips=[asdict(slip) for slip in slips or amiss])
    planned = desk.planned
    desk.belief.take_for_granted(desk.state_after(planned))
    desk.commit(Explanation(planned, 1.0), "confirm")


def next_alternative(desk: Desk) -> None:
    """Shows the next explanation, or the next answer of an open question: the first, while none is chosen.

    :raises RefusedError: when there is no other one.
    """
    alternatives, chosen = desk.alternatives, desk.chosen
    following = 0 if chosen is None else chosen + 1
    if not alternatives or (chosen is not None and len(alternatives) < 2):
        raise RefusedError("no_alternative")
    desk.turn.choice = alternatives[following % len(alternatives)]


def answer(desk: Desk, about: str, value: str) -> None:
    """Answers the open question, or one about a turn that play has gone on from (``unit:12``).

    :raises RefusedError: when that is not what is asked, or not an answer to it.
    """
    kind, _, seq = about.partition(":")
    if kind == "unit":
        mending.answer_late(desk, seq, value)
        return
    question = desk.question
    if question is None or question.about != about:
        raise RefusedError("question_is_gone", about=about)
    if value not in [option.value for option in question.options]:
        raise RefusedError("no_such_answer", value=value)
    say(desk, about, value)


def say(desk: Desk, about: str, value: str) -> None:
    """Takes what a person says about a place, a die or the turn, asked or not."""
    turn = desk.turn
    desk.belief.say(about, value)
    if about == "turn" and turn.ask_first:
        turn.meant = value
    turn.ask_first = False
    turn.choice = None
    if about == "turn" and turn.traceless:
        chosen = [e for e in turn.verdict.explanations if notation(e.moves) == value]
        desk.commit(chosen[0], "confirm")
        return
    desk.judge()
    settle_what_is_clear(desk)
