"""How long each player has thought, from the times in the journal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from companion.archive import TurnClock, turn_clock
from companion.journal import Record

BEGINNING = datetime(2026, 11, 29, 20, tzinfo=UTC)


def clock(*written: tuple[float, str | None, str]) -> TurnClock:
    """Returns the clock of a game whose records were *written* so many seconds after the one before: player, by."""
    at, records = BEGINNING, [record(0, BEGINNING, "setup", {})]
    for seconds, player, by in written:
        at += timedelta(seconds=seconds)
        kind = by if by in ("undo", "settled") else "moves"
        records.append(record(len(records), at, kind, {"player": player, "by": by}))
    return turn_clock(records)


def record(seq: int, at: datetime, kind: str, body: dict[str, Any]) -> Record:
    return Record(seq, at.isoformat(), kind, body)


def seconds(clock: TurnClock) -> dict[str, float]:
    return {colour: spent.total_seconds() for colour, spent in clock.spent.items()}


def test_a_turn_counts_for_who_played_it() -> None:
    assert seconds(clock((5, "red", "tap"), (7, "blue", "tap"), (9, "red", "confirm"))) == {
        "red": 14,
        "blue": 7,
    }


def test_the_time_before_a_roll_is_nobodys() -> None:
    assert seconds(clock((5, None, "tap"), (7, "blue", "tap"))) == {"blue": 7}


def test_a_turn_that_is_taken_back_has_been_thought_about() -> None:
    assert seconds(clock((5, "red", "tap"), (2, None, "undo"), (3, "red", "tap"))) == {"red": 10}


def test_what_is_done_out_of_turn_does_not_end_the_turn() -> None:
    assert seconds(clock((5, "blue", "out_of_turn"), (7, "red", "tap"))) == {"red": 12}


def test_a_pause_is_not_thinking() -> None:
    assert seconds(clock((5, "red", "tap"), (2 * 3600, None, "settled"), (7, "blue", "tap"))) == {
        "red": 5,
        "blue": 7,
    }


def test_the_current_turn_runs_until_it_becomes_a_pause() -> None:
    measured = clock((5, "red", "tap"))
    last = BEGINNING + timedelta(seconds=5)
    assert measured.running(last + timedelta(seconds=8)) == timedelta(seconds=8)
    assert measured.running(last + timedelta(hours=8)) == timedelta()
