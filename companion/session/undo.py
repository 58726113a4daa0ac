"""Mending: taking back, putting right, and what the table decides against the rules."""

from __future__ import annotations

from companion import referee
from companion.journal.player_text import cleaned
from companion.referee import Explanation, notation

from . import manual_entry as entering
from .context import REDO, UNDO, Desk
from .errors import RefusedError, is_whole
from .status import PUZZLED

PERSON = "person"
"""The kind of seat that has a name."""
LONGEST_NAME = 20
"""Characters of what a player is called, so that it fits on the page."""


def undo(desk: Desk, *, whole: bool) -> None:
    """Takes back what was entered, said or confirmed last (see :meth:`.TableSession.undo`)."""
    if desk.turn.drafting:
        entering.take_back(desk, whole=whole)
        return
    if desk.belief.take_back(whole=whole):
        desk.turn.confirm_when_clear = False
        desk.judge()
        return
    desk.shift(UNDO, desk.history.undo)


def redo(desk: Desk) -> None:
    """Enters again, or does again, what was taken back last (see :meth:`.TableSession.redo`)."""
    if desk.turn.retracted:
        entering.enter_retracted(desk)
    elif desk.turn.drafting:
        raise RefusedError("nothing_to_redo")
    else:
        desk.shift(REDO, desk.history.redo)


def rule(desk: Desk) -> None:
    """Records the turn that comes nearest, and the table as it is seen (see :meth:`.TableSession.rule`)."""
    if desk.status != PUZZLED:
        raise RefusedError("nothing_to_rule")
    if desk.rules.forced(desk.state):
        raise RefusedError("nothing_to_rule_in_forced")
    moves = list(desk.explanation.moves)
    end = [moves.pop()] if desk.rules.ends_turn(moves[-1]) else []
    state = desk.state_after(moves)
    shown = referee.as_seen(desk.rules.visible(state), desk.against())
    ruling = desk.rules.ruling(state, shown)
    if reason := desk.rules.why_not(state, ruling):
        raise RefusedError(reason.code, **reason.data)
    desk.commit(Explanation((*moves, ruling, *end), 1.0), "ruling")


def answer_late(desk: Desk, seq: str, value: str) -> None:
    """Answers a question about the unit with the number *seq*, a turn that play has gone on from.

    :raises RefusedError: when nothing is asked about it, or *value* is not an answer.
    """
    unit = next((unit for unit in desk.history.open_units if str(unit.seq) == seq), None)
    if unit is None:
        raise RefusedError("question_is_gone", about=f"unit:{seq}")
    if value not in unit.options:
        raise RefusedError("no_such_answer", value=value)
    if value != notation(unit.moves):
        desk.amend(unit.seq, desk.parsed_turn(value))
        return
    with desk.recording():
        desk.history.close(unit.seq)


def correct_die(desk: Desk, die: str, value: int) -> None:
    """Records the roll just recorded anew, with another value of one die (``red:0``, ``6``).

    :raises RefusedError: when something has been confirmed since, or there is no such die or value.
    """
    last = desk.history.units[-1] if desk.history.units else None
    dice = desk.rules.dice_of(last.moves[0]) if last is not None else {}
    colour, _, index = die.partition(":")
    if last is None or index not in map(str, range(len(dice.get(colour, ())))):
        raise RefusedError("no_such_die_now", die=die)
    if value not in range(1, 7):
        raise RefusedError("no_such_value", value=value)
    dice[colour][int(index)] = value
    roll = desk.rules.roll(desk.history.state_before(last.seq), dice)
    with desk.recording():
        events = desk.history.replace_last([roll], "tap", desk.history.dice)
    desk.go_on("tap", None, events)


def call(desk: Desk, player: str, name: str) -> None:
    """Says what a player is called, from now on; an empty *name* is none.

    :raises RefusedError: when no person plays that colour, the name is too long, or another is called so.
    """
    if not is_whole(name):
        raise RefusedError("half_character")
    name = cleaned(name)
    people = [s["colour"] for s in desk.rules.seats(desk.history.setup) if s["kind"] == PERSON]
    if player not in people:
        raise RefusedError("no_such_player", expected=people)
    if len(name) > LONGEST_NAME:
        raise RefusedError("name_too_long", most=LONGEST_NAME)
    if name and name in (other for colour, other in desk.history.names.items() if colour != player):
        raise RefusedError("name_taken", name=name)
    with desk.recording():
        desk.history.call(player, name)
