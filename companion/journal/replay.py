"""Replays the entries of a journal to the states that they lead to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from calibration.errors import CompanionError
from companion.games import capabilities
from companion.games.api import Event, Move, Rules

from .actions import OUT_OF_TURN
from .entries import Entry, entries_of
from .record import JournalError, Record, ReplayError, setup_of


@dataclass(frozen=True, slots=True)
class ReplayedMove:
    """One move of an entry, with its effects."""

    player: str | None
    """Whose turn it was, or who made it out of turn."""
    move: Move
    events: tuple[Event, ...]


def replay(rules: Rules, records: Sequence[Record]) -> Iterator[tuple[Entry, Any]]:
    """Yields each effective entry with the state after it, from the beginning.

    :raises JournalError: when a move is not readable or legal, or a state is not the recorded one.
    """
    return ((entry, state) for entry, state, _ in replay_with_events(rules, records))


def replay_with_events(
    rules: Rules, records: Sequence[Record]
) -> Iterator[tuple[Entry, Any, list[ReplayedMove]]]:
    """Yields the same, with the effects of each of the entry's moves.

    If an earlier release made a move differently, the entry is replayed, and returned, with that release's move.

    :raises JournalError: as :func:`replay` does.
    """
    setup = setup_of(records)
    if setup is None:
        raise JournalError("the journal contains no game: nothing to replay")
    state: Any = rules.new(setup)
    colours = {seat["colour"] for seat in rules.seats(setup)}
    for entry in entries_of(rules, records):
        if entry.player is not None and entry.player not in colours:
            raise JournalError(f"record {entry.seq} is of {entry.player}, who does not play")
        entry, state, happened = _replayed(rules, state, entry)
        yield entry, state, happened


def _replayed(rules: Rules, state: Any, entry: Entry) -> tuple[Entry, Any, list[ReplayedMove]]:
    """Makes an entry's moves as this release does, else as earlier ones did; may change *state*."""
    earlier = [capabilities.migrated(rules).as_earlier_release(move) for move in entry.moves]
    if not any(earlier):
        return entry, state, _made(rules, state, entry)
    as_before = replace(
        entry, moves=tuple(old or move for old, move in zip(earlier, entry.moves, strict=True))
    )
    now, before = state.copy(), state
    try:
        return entry, now, _made(rules, now, entry)
    except JournalError as error:
        try:
            return as_before, before, _made(rules, before, as_before)
        except JournalError:
            raise error from None


def _made(rules: Rules, state: Any, entry: Entry) -> list[ReplayedMove]:
    """Makes an entry's moves, and checks that they lead to the recorded state."""
    happened: list[ReplayedMove] = []
    for move in entry.moves:
        player = entry.player if entry.by == OUT_OF_TURN else rules.to_move(state)
        try:
            happened.append(ReplayedMove(player, move, tuple(rules.play(state, move))))
        except CompanionError as error:
            raise ReplayError(f"record {entry.seq} does not replay: {error}") from error
    if state.state_hash() != entry.state_hash:
        raise ReplayError(f"record {entry.seq} leads to another state than the one recorded")
    return happened
