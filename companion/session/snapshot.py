"""Telling: everything a page needs to know of a session, as plain data in neutral words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from companion.games.api import Count, Move, Reason
from companion.journal import Entry
from companion.journal.history import Dropped
from companion.referee import Explanation, Question, breaches, notation

from . import places
from .context import HistoryChange, LastResult, SessionContext
from .status import DRAFTING, PROPOSAL, UNEXPLAINED


def snapshot(context: SessionContext) -> dict[str, Any]:
    """What the desk shows now."""
    status, shown, turn = context.status, context.shown_state, context.turn
    verdict, sighting = turn.verdict, context.belief.sighting
    return {
        "status": status,
        "confirmed": len(context.history.entries),
        "game": context.rules.name,
        "view": {**context.rules.view(shown), "names": dict(context.history.names)},
        "proposal": _proposal(context) if status in (PROPOSAL, UNEXPLAINED) else None,
        "reminders": _reminders(context, status),
        "draft": _moves(context, turn.draft),
        "draft_of": turn.draft_of,
        "legal": _moves(context, context.rules.legal_moves(shown)),
        "question": _question(context, context.question),
        "notice": {"code": verdict.notice, **verdict.notice_data} if verdict.notice else None,
        "rejection": None
        if context.rejection is None
        else {"code": context.rejection.code, **context.rejection.data},
        "last_result": _last_result(context.last_result),
        "can_undo": _undo(context),
        "can_redo": None if turn.drafting else _action(context, context.history.to_redo),
        "retracted": _moves(context, turn.retracted[-1:]),
        "history_change": _history_change(context, context.history_change),
        "opponents": dict(context.opponents.bots),
        "bot_turn": None if status == DRAFTING else _bot_turn(context),
        "mismatches": [asdict(mismatch) for mismatch in verdict.mismatches],
        "overriding": turn.override_confirmed is not None
        and turn.override_confirmed == turn.outstanding_mismatches,
        "unresolved_turns": [_open(entry) for entry in context.history.unresolved_entries],
        "dropped": _dropped(context, context.dropped),
        "watched": sorted(context.belief.watched),
        "confirm_when_clear": turn.confirm_when_clear,
        "sighting": None if sighting is None else sighting.to_json(),
    }


def illegal_moves(context: SessionContext, place: str) -> list[dict[str, Any]]:
    """What the player in turn cannot do at *place*: each move with the code and data of the reason."""
    return [
        {"move": context.rules.describe(move), "code": reason.code, "data": dict(reason.data)}
        for move, reason in context.rules.objections(context.shown_state, place)
    ]


def _moves(context: SessionContext, moves: Iterable[Move]) -> list[dict[str, Any]]:
    return [context.rules.describe(move) for move in moves]


def _reason(reason: Reason) -> dict[str, Any]:
    return {"code": reason.code, **reason.data}


def _proposal(context: SessionContext) -> dict[str, Any]:
    explanation, state = context.explanation, context.state.copy()
    events = [event.to_json() for move in explanation.moves for event in context.rules.apply(state, move)]
    return {
        "player": context.rules.to_move(context.state),
        "moves": _moves(context, explanation.moves),
        "events": events,
        "probability": round(explanation.probability, 4),
        "unexplained": list(explanation.unexplained),
        "overlooked": list(explanation.overlooked),
        "breaches": _breaches(context, explanation),
        "chosen": context.chosen,
        "alternatives": len(context.turn.verdict.explanations),
    }


def _breaches(context: SessionContext, explanation: Explanation) -> list[dict[str, Any]]:
    """What breaks which rule; empty when all is explained."""
    if not explanation.unexplained or context.turn.verdict.mismatches:
        return []
    return [
        {
            "place": breach.seen.place,
            "expected": breach.seen.expected,
            "read": breach.seen.read,
            "move": None if breach.move is None else context.rules.describe(breach.move),
            "reason": None if breach.reason is None else _reason(breach.reason),
        }
        for breach in breaches(context.rules, context.state, explanation.moves, context.contradictions())
    ]


def _reminders(context: SessionContext, status: str) -> list[dict[str, Any]]:
    """What would be missed if the turn that people play ended as it is proposed, or entered so far."""
    if status == PROPOSAL and not context.bot_turn:
        before, moves = context.state, context.explanation.moves
    elif status == DRAFTING and context.turn.draft:
        before, moves = context.drafted_from, tuple(context.turn.draft)
    else:
        return []
    return [{"code": one.code, **one.data} for one in context.rules.reminders(before, moves)]


def _question(context: SessionContext, question: Question | None) -> dict[str, Any] | None:
    return None if question is None else {**asdict(question), "chosen": context.chosen}


def _last_result(told: LastResult | None) -> dict[str, Any] | None:
    return None if told is None else {"by": told.by, "player": told.player, "events": list(told.events)}


def _bot_turn(context: SessionContext) -> dict[str, Any] | None:
    """What the companion plays now, or has to choose at set-up."""
    moves = context.bot_turn or context.opponents.start(context.state)
    if not moves:
        return None
    state = context.state.copy()
    return {
        "player": context.rules.to_move(context.state),
        "steps": [_bot_step(context, state, move) for move in moves],
    }


def _bot_step(context: SessionContext, state: Any, move: Move) -> dict[str, Any]:
    """A planned move, made in *state*: what it brings about, and whether it is seen done."""
    was = context.rules.visible(state)
    events = [event.to_json() for event in context.rules.apply(state, move)]
    is_seen = context.belief.shows_change(was, context.rules.visible(state))
    return {"move": context.rules.describe(move), "events": events, "seen": is_seen}


def _open(entry: Entry) -> dict[str, Any]:
    """A turn that play has gone on from though it was not clear."""
    return {
        "seq": entry.seq,
        "player": entry.player,
        "options": list(entry.options),
        "assumed": notation(entry.moves),
    }


def _dropped(context: SessionContext, dropped: Dropped | None) -> dict[str, Any] | None:
    if dropped is None:
        return None
    entries = [{"player": entry.player, "moves": _moves(context, entry.moves)} for entry in dropped.entries]
    return {"entries": entries, "reason": _reason(dropped.reason)}


def _undo(context: SessionContext) -> dict[str, Any] | None:
    """What an undo takes back; ``answer_about`` is what it was that something was said of."""
    if context.belief.answers:
        answered = next(reversed(context.belief.answers))
        return {"answer_about": answered, "player": None, "moves": [], "by": "", "amends": False}
    return _action(context, context.history.to_undo)


def _action(context: SessionContext, entry: Entry | None) -> dict[str, Any] | None:
    """What would be taken back or done again, by the unit it began with; whether it puts an earlier one right."""
    if entry is None:
        return None
    amends = entry.amends is not None
    return {
        "answer_about": None,
        "player": entry.player,
        "moves": _moves(context, entry.moves),
        "by": entry.by,
        "amends": amends,
    }


def _history_change(context: SessionContext, history_change: HistoryChange | None) -> dict[str, Any] | None:
    """What people have to move on the table after they have taken something back, or done it again."""
    if history_change is None:
        return None
    return {
        "kind": history_change.kind,
        "action": _action(context, history_change.entry),
        "pieces": [asdict(piece) for piece in places.pieces_to_move(context, history_change.before)],
        "counts": [
            {"player": now.player, "what": now.what, "value": now.value}
            for now in _counts_since(context, history_change.before)
        ],
    }


def _counts_since(context: SessionContext, before: Any) -> Iterable[Count]:
    """What is counted otherwise now than in the position *before*."""
    was = {(count.player, count.what): count.value for count in context.rules.counts(before)}
    return (
        now
        for now in context.rules.counts(context.state)
        if was.get((now.player, now.what), now.value) != now.value
    )
