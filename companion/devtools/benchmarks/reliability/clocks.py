"""A clock that jumps: a Raspberry Pi has none of its own, and learns the time when the network tells it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any
from unittest import mock

from companion.archive import record_of
from companion.games.burgundy.plugin import burgundy
from companion.journal import Journal, file
from companion.session import TableSession
from companion.virtual.demo import demo_setup

from .scripted_player import actions

MAX_JUMP = timedelta(days=20_000)
"""Of a jump: from 1970 to now, and back."""


def jump(confirmed: int, seed: int = 1) -> tuple[int, list[str]]:
    """Plays the same game by a steady clock and by one that jumps before each of so many confirmations.

    Returns how often it has jumped, and what was otherwise.
    """
    steady = _played(confirmed, seed)
    with _with_jumping_clock(random.Random(seed)) as jumps:
        jumped = _played(confirmed, seed)
    failures = [
        f"{name}: {jumped[name]} instead of {one}" for name, one in steady.items() if jumped[name] != one
    ]
    return jumps[0], failures


def _played(confirmed: int, seed: int) -> dict[str, Any]:
    """What a game has led to, and what is told of it afterwards."""
    journal = Journal(":memory:")
    session = TableSession(burgundy(), journal, demo_setup(2, seed))
    for _, act in zip(range(confirmed), actions(session, random.Random(seed)), strict=False):
        act()
    record = record_of(session.rules, journal.records())
    return {
        "state": session.state.state_hash(),
        "ranking": record.ranking,
        "scores": record.scores,
        "a length": 0 <= record.minutes < 24 * 60,
    }


@contextmanager
def _with_jumping_clock(rng: random.Random) -> Iterator[list[int]]:
    """Lets the journal's clock jump whenever it is looked at; the list holds how often."""
    jumps = [0]

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            jumps[0] += 1
            return datetime(2026, 1, 1, tzinfo=UTC) + rng.uniform(-1, 1) * MAX_JUMP

    with mock.patch.object(file, "datetime", Clock):
        yield jumps
