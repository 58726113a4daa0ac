"""Telling: everything a page needs to know of a session, as plain data in neutral words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from companion.games.api import Count, Move, Reason
from companion.journal import Unit
from companion.journal.history import Dropped
from companion.referee import Explanation, Question, breaches, notation

from . import places
from .context import Desk, Shifted, Told
from .status import DRAFTING, PROPOSAL, PUZZLED


def snapshot(desk: Desk) -> dict[str, Any]:
    """What the desk shows now."""
    status, shown, turn = desk.status, desk.shown_state, desk.turn
    verdict, sighting = turn.verdict, desk.belief.sighting
    return {
        "status": status,
        "confirmed": len(desk.history.units),
        "game": desk.rules.name,
        "picture": {**desk.rules.picture(shown), "names": dict(desk.history.names)},
        "proposal": _proposal(desk) if status in (PROPOSAL, PUZZLED) else None,
        "reminders": _reminders(desk, status),
        "draft": _moves(desk, turn.draft),
        "draft_of": turn.draft_of,
        "legal": _moves(desk, desk.rules.legal_moves(shown)),
        "question": _question(desk, desk.question),
        "notice": {"code": verdict.notice, **verdict.notice_data} if verdict.notice else None,
        "refused": None if desk.refused is None else {"code": desk.refused.code, **desk.refused.data},
        "told": _told(desk.told),
        "can_undo": _undo(desk),
        "can_redo": None if turn.drafting else _act(desk, desk.history.to_redo),
        "retracted": _moves(desk, turn.retracted[-1:]),
        "shifted": _shifted(desk, desk.shifted),
        "opponents": dict(desk.opponents.bots),
        "planned": None if status == DRAFTING else _planned(desk),
        "slips": [asdict(slip) for slip in verdict.slips],
        "insisting": turn.insisted is not None and turn.insisted == turn.amiss,
        "open_turns": [_open(unit) for unit in desk.history.open_units],
        "dropped": _dropped(desk, desk.dropped),
        "watched": sorted(desk.belief.watched),
        "confirm_when_clear": turn.confirm_when_clear,
        "sighting": None if sighting is None else sighting.to_json(),
    }


def objections(desk: Desk, place: str) -> list[dict[str, Any]]:
    """What the player in turn cannot do at *place*: each move with the code and data of the reason."""
    return [
        {"move": desk.rules.describe(move), "code": reason.code, "data": dict(reason.data)}
        for move, reason in desk.rules.objections(desk.shown_state, place)
    ]


def _moves(desk: Desk, moves: Iterable[Move]) -> list[dict[str, Any]]:
    return [desk.rules.describe(move) for move in moves]


def _reason(reason: Reason) -> dict[str, Any]:
    return {"code": reason.code, **reason.data}


def _proposal(desk: Desk) -> dict[str, Any]:
    explanation, state = desk.explanation, desk.state.copy()
    events = [event.to_json() for move in explanation.moves for event in desk.rules.apply(state, move)]
    return {
        "player": desk.rules.to_move(desk.state),
        "moves": _moves(desk, explanation.moves),
        "events": events,
        "probability": round(explanation.probability, 4),
        "unexplained": list(explanation.unexplained),
        "overlooked": list(explanation.overlooked),
        "breaches": _breaches(desk, explanation),
        "chosen": desk.chosen,
        "alternatives": len(desk.turn.verdict.explanations),
    }


def _breaches(desk: Desk, explanation: Explanation) -> list[dict[str, Any]]:
    """What breaks which rule; empty when all is explained."""
    if not explanation.unexplained or desk.turn.verdict.slips:
        return []
    return [
        {
            "place": breach.seen.place,
            "expected": breach.seen.expected,
            "read": breach.seen.read,
            "move": None if breach.move is None else desk.rules.describe(breach.move),
            "reason": None if breach.reason is None else _reason(breach.reason),
        }
        for breach in breaches(desk.rules, desk.state, explanation.moves, desk.against())
    ]


def _reminders(desk: Desk, status: str) -> list[dict[str, Any]]:
    """What would be missed if the turn that people play ended as it is proposed, or entered so far."""
    if status == PROPOSAL and not desk.planned:
        before, moves = desk.state, desk.explanation.moves
    elif status == DRAFTING and desk.turn.draft:
        before, moves = desk.drafted_from, tuple(desk.turn.draft)
    else:
        return []
    return [{"code": one.code, **one.data} for one in desk.rules.reminders(before, moves)]


def _question(desk: Desk, question: Question | None) -> dict[str, Any] | None:
    return None if question is None else {**asdict(question), "chosen": desk.chosen}


def _told(told: Told | None) -> dict[str, Any] | None:
    return None if told is None else {"by": told.by, "player": told.player, "events": list(told.events)}


def _planned(desk: Desk) -> dict[str, Any] | None:
    """What the companion plays now, or has to choose at set-up."""
    moves = desk.planned or desk.opponents.start(desk.state)
    if not moves:
        return None
    state = desk.state.copy()
    return {
        "player": desk.rules.to_move(desk.state),
        "steps": [_planned_step(desk, state, move) for move in moves],
    }


def _planned_step(desk: Desk, state: Any, move: Move) -> dict[str, Any]:
    """A planned move, made in *state*: what it brings about, and whether it is seen done."""
    was = desk.rules.visible(state)
    events = [event.to_json() for event in desk.rules.apply(state, move)]
    is_seen = desk.belief.shows(was, desk.rules.visible(state))
    return {"move": desk.rules.describe(move), "events": events, "seen": is_seen}


def _open(unit: Unit) -> dict[str, Any]:
    """A turn that play has gone on from though it was not clear."""
    return {
        "seq": unit.seq,
        "player": unit.player,
        "options": list(unit.options),
        "assumed": notation(unit.moves),
    }


def _dropped(desk: Desk, dropped: Dropped | None) -> dict[str, Any] | None:
    if dropped is None:
        return None
    units = [{"player": unit.player, "moves": _moves(desk, unit.moves)} for unit in dropped.units]
    return {"units": units, "reason": _reason(dropped.reason)}


def _undo(desk: Desk) -> dict[str, Any] | None:
    """What an undo takes back; ``said`` is what it was that something was said of."""
    if desk.belief.answers:
        said = next(reversed(desk.belief.answers))
        return {"said": said, "player": None, "moves": [], "by": "", "amends": False}
    return _act(desk, desk.history.to_undo)


def _act(desk: Desk, unit: Unit | None) -> dict[str, Any] | None:
    """What would be taken back or done again, by the unit it began with; whether it puts an earlier one right."""
    if unit is None:
        return None
    amends = unit.amends is not None
    return {
        "said": None,
        "player": unit.player,
        "moves": _moves(desk, unit.moves),
        "by": unit.by,
        "amends": amends,
    }


def _shifted(desk: Desk, shifted: Shifted | None) -> dict[str, Any] | None:
    """What people have to move on the table after they have taken something back, or done it again."""
    if shifted is None:
        return None
    return {
        "kind": shifted.kind,
        "act": _act(desk, shifted.unit),
        "pieces": [asdict(piece) for piece in places.moved(desk, shifted.before)],
        "counts": [
            {"player": now.player, "what": now.what, "value": now.value}
            for now in _counts_since(desk, shifted.before)
        ],
    }


def _counts_since(desk: Desk, before: Any) -> Iterable[Count]:
    """What is counted otherwise now than in the position *before*."""
    was = {(count.player, count.what): count.value for count in desk.rules.counts(before)}
    return (
        now
        for now in desk.rules.counts(desk.state)
        if was.get((now.player, now.what), now.value) != now.value
    )
