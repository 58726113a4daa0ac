"""The log of a game's turns: what each confirmed entry brought about, by replaying the journal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.api import Move, Rules
from companion.games.capabilities import description_for
from companion.games.narration import Narration
from companion.journal import Entry
from companion.journal.history import ADJUSTED
from companion.session import TableSession


@dataclass(frozen=True, slots=True)
class LoggedMove:
    """A move, described as in a session's snapshot, and its events."""

    move: Mapping[str, Any]
    events: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class TurnEntry:
    """One confirmed entry of the journal."""

    seq: int
    """Number of its record in the journal."""
    player: str | None
    """Whose turn it was, or who did something out of turn; ``None`` for a roll, a set-up step, or a correction by
    hand."""
    steps: tuple[LoggedMove, ...]
    by: str = "confirm"
    """How it was confirmed (see :class:`.journal.Entry`)."""

    @property
    def adjusted(self) -> str | None:
        """Whose counts were corrected by hand; ``None`` for other entries."""
        player: str | None = self.steps[0].move["player"] if self.by == ADJUSTED else None
        return player

    @property
    def whose(self) -> str | None:
        """The player whose turn, or whose counts, it is about."""
        return self.player or self.adjusted

    @property
    def events(self) -> tuple[Mapping[str, Any], ...]:
        """All events, in order."""
        return tuple(event for step in self.steps for event in step.events)

    def points(self, player: str) -> int:
        """Returns the points that *player* gained or lost."""
        return sum(event["points"] for event in self.events if event["player"] == player)


class TurnLog:
    """Represents a session's turns, oldest first. Only entries added since the last call are replayed."""

    def __init__(self, session: TableSession) -> None:
        self._session = session
        self._state: Any = None
        self._turn_entries: list[TurnEntry] = []

    def turn_entries(self) -> Sequence[TurnEntry]:
        """Returns all entries that have not been undone, oldest first."""
        turn_entries: list[TurnEntry] = self._session.read(self._read)
        return turn_entries

    def _read(self, session: TableSession) -> list[TurnEntry]:
        entries = session.entries()
        known = [turn_entry.seq for turn_entry in self._turn_entries]
        if self._state is None or known != [entry.seq for entry in entries[: len(known)]]:
            self._state, self._turn_entries = session.rules.new(session.setup), []
        for entry in entries[len(self._turn_entries) :]:
            self._turn_entries.append(turn_entry_of(session.rules, self._state, entry))
        return list(self._turn_entries)


def turn_entry_of(rules: Rules, state: Any, entry: Entry) -> TurnEntry:
    """Returns what *entry* brought about; the moves are applied to *state*."""
    steps = tuple(_step(rules, state, move) for move in entry.moves)
    return TurnEntry(entry.seq, entry.player, steps, entry.by)


def _step(rules: Rules, state: Any, move: Move) -> LoggedMove:
    described = description_for(rules, move)
    return LoggedMove(described, tuple(event.to_json() for event in rules.apply(state, move)))


def latest_score_changes(turn_entries: Sequence[TurnEntry], players: Sequence[str]) -> dict[str, TurnEntry]:
    """Returns for each player the latest entry in which the player's points changed."""
    found: dict[str, TurnEntry] = {}
    for turn_entry in reversed(turn_entries):
        for player in players:
            if player not in found and turn_entry.points(player):
                found[player] = turn_entry
        if len(found) == len(players):
            break
    return found


def notable_events(part: TurnEntry | LoggedMove, narration: Narration) -> Iterator[Mapping[str, Any]]:
    """Returns the events that are worth telling."""
    return filter(narration.is_notable, part.events)


def by_round(
    turn_entries: Iterable[TurnEntry], narration: Narration
) -> list[tuple[Mapping[str, Any] | None, list[TurnEntry]]]:
    """Returns the event that begins each round with the turns of that round; None for those before the first round."""
    rounds: list[tuple[Mapping[str, Any] | None, list[TurnEntry]]] = [(None, [])]
    for turn_entry in turn_entries:
        round_event = next((e for e in turn_entry.events if e["kind"] == narration.round_kind), None)
        if round_event:
            rounds.append((round_event, []))
        rounds[-1][1].append(turn_entry)
    return rounds
