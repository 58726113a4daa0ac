"""The coach's sheets: what else could be played now, and which turns of a game have cost most.

A device shows the button only if it wants to (:func:`.preferences.shows_coach`): at a table of people nobody plays with
somebody who whispers.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from flask import Blueprint, abort, current_app, render_template

from companion.archive import PlayedTurn, played_turns
from companion.games.api import Rules
from companion.games.capabilities import description_for
from companion.games.registry import plugin
from companion.journal import Record
from companion.players.coach import (
    LEAST_COST,
    SAMPLES,
    CostlyTurn,
    Suggestion,
    can_coach,
    costly_turns,
    suggestions,
)
from companion.text.translator import Translator

from .archive import game_records, translator_for
from .context import page_context, translator

T = TypeVar("T")

EXTENSION = "coach"
coach = Blueprint("coach", __name__)


class LatestAnswer:
    """Remembers the latest answer: whoever asks the same meanwhile or afterwards waits for it, and nobody computes it
    twice at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._question: Hashable = None
        self._answer: Any = None

    def to(self, question: Hashable, compute: Callable[[], T]) -> T:
        with self._lock:
            if question != self._question:
                self._answer, self._question = compute(), question
            answer: T = self._answer
            return answer


@coach.get("/coach")
def advice() -> str:
    """Shows the best ways to play the rest of the turn that is under way."""
    session = page_context().session
    rules, state = session.rules, session.read(lambda s: s.shown_state.copy())
    player = rules.to_move(state)
    if not can_coach(rules) or player is None:
        abort(404)
    found = _answers().to(("turn", state.state_hash()), lambda: suggestions(rules, state))
    t = translator(session.snapshot()["view"])
    return render_template(
        "coach.html",
        t=t,
        samples=SAMPLES,
        suggestions=[_shown(rules, t, suggestion) for suggestion in found],
    )


@coach.get("/games/<name>/coach")
def review(name: str) -> str:
    """Shows the turns of a game that have cost most, of each person."""
    record, records = game_records(name)
    rules = plugin(record.game).rules()
    if not can_coach(rules):
        abort(404)
    question = ("game", records[0].at, len(records), records[-1].at)
    found = _answers().to(question, lambda: _costly(rules, records))
    return render_template(
        "coach_review.html",
        t=translator_for(record),
        samples=SAMPLES,
        least=round(LEAST_COST),
        turns=[
            _costly_shown(rules, translator_for(record, rules.view(turn.position)), turn, costly)
            for turn, costly in found
        ],
    )


def _costly(rules: Rules, records: Sequence[Record]) -> list[tuple[PlayedTurn, CostlyTurn]]:
    """Returns the costliest turns, player by player."""
    turns = played_turns(rules, records)
    found: list[tuple[PlayedTurn, CostlyTurn]] = []
    for player in dict.fromkeys(turn.player for turn in turns):
        own = [turn for turn in turns if turn.player == player]
        costly = costly_turns(rules, [(turn.position, turn.moves) for turn in own])
        found += [(own[one.index], one) for one in costly]
    return found


def _costly_shown(rules: Rules, t: Translator, turn: PlayedTurn, costly: CostlyTurn) -> dict[str, Any]:
    return {
        "player": turn.player,
        "round": turn.round,
        "cost": round(costly.cost),
        "played": _sentences(rules, t, turn.moves),
        "better": _shown(rules, t, costly.better) | {"lead": None},
    }


def _answers() -> LatestAnswer:
    answers: LatestAnswer = current_app.extensions.setdefault(EXTENSION, LatestAnswer())
    return answers


def _shown(rules: Rules, t: Translator, suggestion: Suggestion) -> dict[str, Any]:
    """Returns a suggestion for the templates: its moves without the end of the turn, which goes without saying."""
    moves = [move for move in suggestion.moves if not rules.ends_turn(move)]
    return {
        "moves": _sentences(rules, t, moves),
        "text": "; ".join(map(str, moves)),
        "lead": round(suggestion.lead),
        "gains": [(part, gain) for part, exact in suggestion.gains.items() if (gain := round(exact))],
    }


def _sentences(rules: Rules, t: Translator, moves: Sequence[Any]) -> list[str]:
    return [t.move(description_for(rules, move)) for move in moves if not rules.ends_turn(move)]
