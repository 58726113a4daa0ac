"""How long each player has thought, from the times in the journal, so that every page and every replay agrees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from companion.journal import OUT_OF_TURN, Record

PAUSE = timedelta(hours=1)
"""A longer gap between two records is a pause, not a turn."""


@dataclass(frozen=True, slots=True)
class TurnClock:
    """The time of each player in a game."""

    spent: dict[str, timedelta]
    """By colour, until their last confirmed turn."""
    current: timedelta
    """Since the last turn, roll or layout, up to the last record."""
    last: datetime
    """When the last record was written."""

    def running(self, now: datetime) -> timedelta:
        """Returns the time of the current turn at *now*; after a pause, that up to the last record."""
        return self.current + counted(now - self.last)


def counted(gap: timedelta) -> timedelta:
    """Returns the playing time in a *gap* between two records: none in a pause, or if the clock was set back."""
    return gap if timedelta() < gap < PAUSE else timedelta()


def turn_clock(records: Sequence[Record]) -> TurnClock:
    """Returns the time that each player took for their turns, those that were taken back included.

    The time before a roll or a layout is nobody's; what is done out of turn does not end the turn that goes on.
    """
    spent: dict[str, timedelta] = {}
    times = [datetime.fromisoformat(record.at) for record in records]
    current = timedelta()
    for (before, after), record in zip(pairwise(times), records[1:], strict=True):
        current += counted(after - before)
        if record.kind != "moves" or record.body["by"] == OUT_OF_TURN:
            continue
        if (player := record.body.get("player")) is not None:
            spent[player] = spent.get(player, timedelta()) + current
        current = timedelta()
    return TurnClock(spent, current, times[-1] if times else datetime.now(UTC))
