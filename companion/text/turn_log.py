"""The story of a game: what each confirmation brought about, by replaying what stands in the journal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.api import Move, Rules
from companion.journal import Entry
from companion.journal.history import ADJUSTED
from companion.session import TableSession


@dataclass(frozen=True, slots=True)
class LoggedMove:
    """A move, described as in a session's snapshot, and what it brought about."""

    move: Mapping[str, Any]
    events: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class TurnEntry:
    """What was confirmed together."""

    seq: int
    """Its record in the journal."""
    player: str | None
    """Whose turn it was, None for a roll, a layout, or counts put right by hand."""
    steps: tuple[LoggedMove, ...]
    by: str = "confirm"
    """How it was confirmed (see :class:`.journal.Entry`)."""

    @property
    def adjusted(self) -> str | None:
        """Whose counts were put right by hand, if that is what it was."""
        player: str | None = self.steps[0].move["player"] if self.by == ADJUSTED else None
        return player

    @property
    def whose(self) -> str | None:
        """Whose turn, or counts, it was."""
        return self.player or self.adjusted

    @property
    def events(self) -> tuple[Mapping[str, Any], ...]:
        """All that happened, in order."""
        return tuple(event for step in self.steps for event in step.events)

    def points(self, player: str) -> int:
        """What *player* gained or lost."""
        return sum(event["points"] for event in self.events if event["player"] == player)


class TurnLog:
    """Represents a session's chapters, oldest first. Only what is new since the last look is replayed."""

    def __init__(self, session: TableSession) -> None:
        self._session = session
        self._state: Any = None
        self._chapters: list[TurnEntry] = []

    def turn_entries(self) -> Sequence[TurnEntry]:
        """All chapters that stand, the latest last."""
        turn_entries: list[TurnEntry] = self._session.read(self._read)
        return turn_entries

    def _read(self, session: TableSession) -> list[TurnEntry]:
        entries = session.entries()
        known = [turn_entry.seq for turn_entry in self._chapters]
        if self._state is None or known != [entry.seq for entry in entries[: len(known)]]:
            self._state, self._chapters = session.rules.new(session.setup), []
        for entry in entries[len(self._chapters) :]:
            self._chapters.append(turn_entry_of(session.rules, self._state, entry))
        return list(self._chapters)


def turn_entry_of(rules: Rules, state: Any, entry: Entry) -> TurnEntry:
    """What *entry* brought about; *state* is moved on."""
    steps = tuple(_step(rules, state, move) for move in entry.moves)
    return TurnEntry(entry.seq, entry.player, steps, entry.by)


def _step(rules: Rules, state: Any, move: Move) -> LoggedMove:
    described = rules.describe(move)
    return LoggedMove(described, tuple(event.to_json() for event in rules.apply(state, move)))


def latest_score_changes(turn_entries: Sequence[TurnEntry], players: Sequence[str]) -> dict[str, TurnEntry]:
    """By player, the latest chapter in which the player's points changed."""
    found: dict[str, TurnEntry] = {}
    for turn_entry in reversed(turn_entries):
        for player in players:
            if player not in found and turn_entry.points(player):
                found[player] = turn_entry
        if len(found) == len(players):
            break
    return found


def notable_events(part: TurnEntry | LoggedMove) -> Iterator[Mapping[str, Any]]:
    """A chapter's or step's events without those that say nothing new."""
    return (e for e in part.events if e["kind"] != "turn_end" or e["unused"])
