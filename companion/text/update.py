"""What is new in a session since somebody looked last, in no language yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.api import Rules
from companion.session import DICE, DRAFTING, LAYOUT, OVER, PROPOSAL, UNEXPLAINED, WATCHING, TableSession

from .turn_log import TurnEntry, TurnLog

AWAITED = {
    DICE: "status.dice.title",
    LAYOUT: "status.layout.title",
    UNEXPLAINED: "status.unexplained.hint",
    OVER: "spoken.over",
    **dict.fromkeys((WATCHING, PROPOSAL, DRAFTING), "status.watching.title"),
}
"""Status -> text that says what the companion waits for; a question has sentences of its own."""

Snapshot = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Update:
    """What is new since the last look."""

    undone: Sequence[TurnEntry]
    """Turns that were taken back, the latest first."""
    turn_entries: Sequence[TurnEntry]
    """Turns that were added, the latest last."""
    snapshot: Snapshot
    is_awaited_new: bool
    is_rejection_new: bool
    winner: tuple[str, int] | None
    """Who has won, with how many points."""
    differing_fields: frozenset[str]
    """Fields in which the turns of a question differ (see :func:`differing_fields`)."""
    instructed: str | None = None
    """The player for whom people were instructed what to do."""


class UpdateTracker:
    """Represents what somebody who watches a session knows of it.

    The first update says only what is awaited: what happened before is not new.
    """

    def __init__(self, turn_log: TurnLog) -> None:
        self._turn_log = turn_log
        self._known: Sequence[TurnEntry] | None = None
        """``None`` before the first look."""
        self._awaited: tuple[Any, ...] = ()
        self._already_awaited: set[tuple[Any, ...]] = set()
        """What has been awaited since the last confirmation: a reading that wavers is not new."""
        self._rejection: Any = None
        self._instructed: str | None = None

    def next(self, session: TableSession) -> Update:
        """Returns what is new since the last call."""
        snapshot, turn_entries = session.snapshot(), self._turn_log.turn_entries()
        known = turn_entries if self._known is None else self._known
        same = _common_length([entry.seq for entry in known], [entry.seq for entry in turn_entries])
        undone, added = known[same:][::-1], turn_entries[same:]
        awaited, rejection = _awaited(snapshot), snapshot["rejection"]
        if undone or added:
            self._already_awaited &= {self._awaited}
        is_awaited_new = bool(awaited) and awaited not in self._already_awaited
        is_rejection_new = rejection is not None and rejection != self._rejection
        self._known, self._awaited, self._rejection = turn_entries, awaited, rejection
        self._already_awaited.add(awaited)
        instructed = self._instructed
        self._instructed = snapshot["bot_turn"] and snapshot["bot_turn"]["player"]
        question = snapshot["question"]
        return Update(
            undone,
            added,
            snapshot,
            is_awaited_new,
            is_rejection_new,
            _winner(session) if snapshot["status"] == OVER else None,
            differing_fields(session.rules, question) if question else frozenset(),
            instructed,
        )


def _winner(session: TableSession) -> tuple[str, int]:
    colour = session.rules.ranking(session.state)[0]
    return colour, sum(session.rules.score_sheet(session.state)[colour].values())


def _common_length(before: Sequence[int], after: Sequence[int]) -> int:
    """Returns how many records two journals begin with alike."""
    pairs = zip(before, after, strict=False)
    return next((i for i, (old, new) in enumerate(pairs) if old != new), min(len(before), len(after)))


def _awaited(snapshot: Snapshot) -> tuple[Any, ...]:
    """Returns what the companion waits for, as far as listeners care; empty when a press is enough."""
    status, question, player = snapshot["status"], snapshot["question"], snapshot["view"]["to_move"]
    if status in (PROPOSAL, DRAFTING) and player is None:
        return ()
    actors = tuple(snapshot["stage"]["actors"])
    mismatches = [tuple(mismatch.values()) for mismatch in snapshot["mismatches"]]
    return AWAITED.get(status), question and question["about"], player or actors, *mismatches


def differing_fields(rules: Rules, question: Mapping[str, Any]) -> frozenset[str]:
    """Returns the fields in which the turns of a question differ; none when they are of different moves."""
    if question["about"] != "turn" or question["reason"]:
        return frozenset()
    turns = [
        [rules.describe(rules.parse_move(text)) for text in option["value"].split("; ")]
        for option in question["options"]
    ]
    first = turns[0]
    if any([move["word"] for move in turn] != [move["word"] for move in first] for turn in turns):
        return frozenset()
    return frozenset(
        field
        for turn in turns
        for move, other in zip(turn, first, strict=True)
        for field in move
        if field != "text" and move[field] != other[field]
    )
