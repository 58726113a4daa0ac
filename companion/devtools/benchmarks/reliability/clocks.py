"""A clock that jumps, as on a Raspberry Pi, which has no clock of its own and gets the time from the network."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any
from unittest import mock

from companion.archive import record_of
from companion.games.registry import rules_of
from companion.journal import Journal, file
from companion.session import TableSession
from companion.virtual.demo import demo_setup

from .scripted_player import actions

MAX_JUMP = timedelta(days=20_000)
"""Largest jump: from 1970 to now, and back."""


def jump(confirmed: int, seed: int = 1) -> tuple[int, list[str]]:
    """Plays the same game with a steady clock and with one that jumps before each of *confirmed* confirmations.

    Returns how often it jumped, and what differed.
    """
    steady = _played(confirmed, seed)
    with _with_jumping_clock(random.Random(seed)) as jumps:
        jumped = _played(confirmed, seed)
    failures = [
        f"{name}: {jumped[name]} instead of {one}" for name, one in steady.items() if jumped[name] != one
    ]
    return jumps[0], failures


def _played(confirmed: int, seed: int) -> dict[str, Any]:
    """Returns the result of a game, and what its record says."""
    journal, setup = Journal(":memory:"), demo_setup(2, seed)
    session = TableSession(rules_of(setup), journal, setup)
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
    """Returns a context in which the journal's clock jumps whenever it is read; the list counts the jumps."""
    jumps = [0]

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            jumps[0] += 1
            return datetime(2026, 1, 1, tzinfo=UTC) + rng.uniform(-1, 1) * MAX_JUMP

    with mock.patch.object(file, "datetime", Clock):
        yield jumps
