"""The record of one game: who played, the scores and statistics, and how long it took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

from calibration.documents import explained
from companion.games import capabilities
from companion.games.api import Rules
from companion.journal import OUT_OF_TURN, JournalError, Record, names_of, replay_with_events, setup_of
from companion.journal.history import ADJUSTED

from .turn_clock import counted, turn_clock

FACES = 6
EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
"""When a game can have been played: a clock without a battery starts at the former. Not every file system and database
can store times beyond."""


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """Somebody who played."""

    colour: str
    kind: str
    """``person``, ``bot`` or ``automa``."""
    plays: str
    """The board, or the automa's level."""
    name: str | None = None
    """A person's name."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game. Players are named by their colours."""

    game: str
    edition: str
    modules: tuple[str, ...]
    """The expansions that were played with."""
    began: str
    """UTC, ISO 8601."""
    played: str
    """When something was last confirmed."""
    over: bool
    seats: tuple[SeatRecord, ...]
    """In the order of the first round."""
    ranking: tuple[str, ...]
    """The winner first."""
    sheet: Mapping[str, Mapping[str, int]]
    """Points by colour and source."""
    timeline: Mapping[str, Sequence[int]]
    """By colour, the score after each round, and once more after the final scoring."""
    dice: Mapping[str, Sequence[int]]
    """By colour (and ``white``), how often each number was rolled, from one."""
    tallies: Mapping[str, Mapping[str, int]]
    """By colour, the statistics (``Rules.statistics``)."""
    tie: Mapping[str, Any] | None
    """What decided between those with most points; ``None`` if there was no tie."""
    minutes: int
    """Playing time without pauses."""
    seconds: Mapping[str, int]
    """By colour, how long a player took for all turns."""
    corrections: tuple[Mapping[str, Any], ...]
    """Manual corrections in order, each as the description of its move (``Rules.describe``)."""
    turns: int
    """Confirmed turns of players; 0 if the table was set up at most."""

    @property
    def scores(self) -> dict[str, int]:
        return {colour: sum(points.values()) for colour, points in self.sheet.items()}

    @property
    def scored(self) -> frozenset[str]:
        """Sources from which anybody has points."""
        return frozenset(source for points in self.sheet.values() for source in points)

    def average_roll(self, colour: str) -> float:
        """Returns the average roll of a colour's dice; 0 if none was rolled."""
        rolled = self.dice[colour]
        return sum(face * count for face, count in enumerate(rolled, 1)) / max(1, sum(rolled))

    def seat(self, colour: str) -> SeatRecord:
        return next(seat for seat in self.seats if seat.colour == colour)

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "scores": self.scores}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> GameRecord:
        fields = {name: data[name] for name in cls.__dataclass_fields__}
        seats = tuple(SeatRecord(**seat) for seat in data["seats"])
        return cls(
            **{
                **fields,
                "seats": seats,
                "modules": tuple(data["modules"]),
                "ranking": tuple(data["ranking"]),
                "corrections": tuple(data["corrections"]),
            }
        )


def record_of(rules: Rules, records: Sequence[Record]) -> GameRecord:
    """Returns the record of the game in a journal's *records*.

    :raises JournalError: when they hold no game, or one that does not replay.
    """
    setup = setup_of(records)
    if setup is None:
        raise JournalError("the journal contains no game")
    try:
        return _record_of(rules, records, setup)
    except JournalError:
        raise
    except Exception as error:  # a journal edited by hand must not break the list of all games
        raise JournalError(f"it contains no game that can be read: {explained(error)}") from error


def _record_of(rules: Rules, records: Sequence[Record], setup: Mapping[str, Any]) -> GameRecord:
    state: Any = rules.new(setup)
    colours = rules.ranking(state)
    corrections: list[Mapping[str, Any]] = []
    turns = 0
    dice: dict[str, list[int]] = {}
    tallies: dict[str, dict[str, int]] = {colour: dict.fromkeys(rules.statistics, 0) for colour in colours}
    for entry, after, happened in replay_with_events(rules, records):
        state = after
        turns += entry.player is not None and entry.by != OUT_OF_TURN
        if entry.by == ADJUSTED:
            corrections += map(rules.describe, entry.moves)
        for one in happened:
            for colour, values in capabilities.dice(rules).dice_of(one.move).items():
                rolled = dice.setdefault(colour, [0] * FACES)
                for value in values:
                    rolled[value - 1] += 1
            for colour, what, count in rules.statistics_of(one.player, one.move, one.events):
                tallies[colour][what] += count
    names = names_of(records)
    return GameRecord(
        game=rules.name,
        edition=setup.get("edition", ""),
        modules=tuple(setup.get("modules", ())),
        began=records[0].at,
        played=max((record.at for record in records if record.kind == "moves"), default=records[0].at),
        over=rules.is_over(state),
        seats=tuple(SeatRecord(**seat, name=names.get(seat["colour"])) for seat in rules.seats(setup)),
        ranking=tuple(rules.ranking(state)),
        sheet=rules.score_sheet(state),
        timeline=rules.score_history(state),
        dice=dice,
        tallies=tallies,
        tie=rules.tie_break(state) if rules.is_over(state) else None,
        minutes=_minutes(records),
        seconds={colour: round(spent.total_seconds()) for colour, spent in turn_clock(records).spent.items()},
        corrections=tuple(corrections),
        turns=turns,
    )


def _minutes(records: Sequence[Record]) -> int:
    """Returns the time from the set-up to the last record, without pauses and jumps of the clock."""
    times = [_moment(record) for record in records]
    played = sum((counted(after - before) for before, after in pairwise(times)), timedelta())
    return round(played / timedelta(minutes=1))


def _moment(record: Record) -> datetime:
    """Returns when a record was written.

    :raises JournalError: when that is no time at which a game can be played.
    """
    at = datetime.fromisoformat(record.at)
    if at.tzinfo is None or not EARLIEST <= at < LATEST:
        raise JournalError(f"record {record.seq} was written at {record.at}, which is no time of a game")
    return at
