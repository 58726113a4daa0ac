"""Corrections of what is recorded: overrides of the rules, unresolved entries, a die, a player's name.

Counts that are corrected by hand are in :mod:`.adjust`, other seats in :mod:`.reseat`.
"""

from __future__ import annotations

from companion import referee
from companion.games.player_text import LONGEST_NAME, cleaned, is_storable
from companion.referee import Explanation, notation

from . import beside_turn
from .context import SessionContext
from .errors import CommandRejectedError
from .roll_doubt import readings_with, roll_with, rolled_dice
from .status import UNEXPLAINED

PERSON = "person"
"""The kind of player that has a name."""


def override(context: SessionContext) -> None:
    """Records the nearest legal turn, and the table as it is seen (see :meth:`.TableSession.override`)."""
    if context.status != UNEXPLAINED:
        raise CommandRejectedError("nothing_to_override")
    if context.automatic.automatic_turn(context.state):
        raise CommandRejectedError("no_override_in_automatic_turn")
    moves = list(context.explanation.moves)
    end = [moves.pop()] if context.rules.ends_turn(moves[-1]) else []
    state = context.state_after(moves)
    shown = referee.layout_as_read(context.observable.visible_layout(state), context.contradictions())
    override = context.correctable.override(state, shown)
    if reason := context.rules.validate(state, override):
        raise CommandRejectedError(reason.code, **reason.data)
    context.commit(Explanation((*moves, override, *end), 1.0), "ruling")


def resolve_entry(context: SessionContext, seq: str, value: str) -> None:
    """Resolves the entry *seq*, which was recorded without confirmation, by a player's answer.

    :raises CommandRejectedError: when nothing is asked about it, or *value* is not an answer.
    """
    entry = next((entry for entry in context.history.unresolved_entries if str(entry.seq) == seq), None)
    if entry is None:
        raise CommandRejectedError("question_is_gone", about=f"unit:{seq}")
    if value not in entry.options:
        raise CommandRejectedError("no_such_answer", value=value)
    if value != notation(entry.moves):
        context.amend(entry.seq, context.parsed_turn(value))
        return
    with context.recording():
        context.history.resolve(entry.seq)


def correct_die(context: SessionContext, die: str, value: int) -> None:
    """Records what a die of the last roll shows (``red:0``, ``6``), and replays the turns since. What is being entered
    stays as far as it is still legal.

    :raises CommandRejectedError: when there is no such die or value, or a turn since needs the recorded value.
    """
    rolled = {one.name: one for one in rolled_dice(context.rules, context.history.entries)}
    if (corrected := rolled.get(die)) is None:
        raise CommandRejectedError("no_such_die_now", die=die)
    if value not in range(1, 7):
        raise CommandRejectedError("no_such_value", value=value)
    entry = corrected.entry
    before = context.history.state_before(entry.seq)
    roll = roll_with(context.rules, before, entry, {corrected.about: value})
    if context.history.state_if(before, entry.seq, [roll]) is None:
        raise CommandRejectedError("die_used_since", die=die)
    events = context.rules.play(before, roll)
    drafting, draft, draft_of = context.turn.drafting, context.turn.draft, context.turn.draft_of
    place = None if draft_of is None else [one.seq for one in context.history.entries].index(draft_of)
    with context.recording():
        context.history.amend(entry.seq, [roll], "tap", readings_with(corrected, value))
    context.begin_next_turn("tap", None, events)
    if drafting:
        now_of = None if place is None else context.history.entries[place].seq
        beside_turn.restore_draft(context, draft, now_of)


def rename_player(context: SessionContext, player: str, name: str) -> None:
    """Sets a player's name; an empty *name* removes it.

    :raises CommandRejectedError: when no person plays that colour, or the name is too long or taken.
    """
    if not is_storable(name):
        raise CommandRejectedError("half_character")
    name = cleaned(name)
    people = [s["colour"] for s in context.rules.seats(context.history.setup) if s["kind"] == PERSON]
    if player not in people:
        raise CommandRejectedError("no_such_player", expected=people)
    if len(name) > LONGEST_NAME:
        raise CommandRejectedError("name_too_long", most=LONGEST_NAME)
    others = (other for colour, other in context.history.names.items() if colour != player)
    if name and name.casefold() in map(str.casefold, others):
        raise CommandRejectedError("name_taken", name=name)
    with context.recording():
        context.history.set_name(player, name)
