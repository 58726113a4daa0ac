"""What one game leaves behind: who played, how it stands or ended, and what it took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

from companion.games.api import Rules
from companion.journal import JournalError, Record, names_of, replay_with_events, setup_of
from companion.journal.history import ADJUSTED

FACES = 6
PAUSE = timedelta(hours=1)
"""Nobody thinks for so long about a turn."""
EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
"""When a game can have been played: a clock without a battery begins at the former. Beyond, not every file system and
database can hold the time of a file."""


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """Somebody who played."""

    colour: str
    kind: str
    """``person``, ``bot`` or ``automa``."""
    plays: str
    """The duchy, or the automa's level."""
    name: str | None = None
    """What a person is called."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game as it stands in its journal. Colours name the seats."""

    game: str
    edition: str
    began: str
    """UTC, ISO 8601."""
    played: str
    """When something was confirmed last."""
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
    """By colour (and ``white``), how often a one was rolled, a two, and so on."""
    tallies: Mapping[str, Mapping[str, int]]
    """By colour, what was counted besides points."""
    tie: Mapping[str, Any] | None
    """What made the winner of those with most points; None when nobody else had as many."""
    minutes: int
    """Of play, without pauses."""
    corrections: tuple[Mapping[str, Any], ...]
    """Counts put right by hand, in order, each as its move is described (``Rules.describe``)."""
    turns: int
    """Somebody's turns that were confirmed and count; none where the table was laid out at the most."""

    @property
    def scores(self) -> dict[str, int]:
        return {colour: sum(points.values()) for colour, points in self.sheet.items()}

    @property
    def scored(self) -> frozenset[str]:
        """Sources that brought anybody points."""
        return frozenset(source for points in self.sheet.values() for source in points)

    def average_roll(self, colour: str) -> float:
        """What the dice of a colour showed on average; 0 when none was rolled."""
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
                "ranking": tuple(data["ranking"]),
                "corrections": tuple(data["corrections"]),
            }
        )


def record_of(rules: Rules, records: Sequence[Record]) -> GameRecord:
    """The game that a journal's *records* hold.

    :raises JournalError: when they hold none, or it does not replay, whatever else they hold instead.
    """
    setup = setup_of(records)
    if setup is None:
        raise JournalError("the journal holds no game")
    try:
        return _record_of(rules, records, setup)
    except JournalError:
        raise
    except KeyError as error:
        raise JournalError(f"it holds no game that can be told: {error} is missing") from error
    except Exception as error:  # a file that somebody has written by hand must not end the list of all games
        raise JournalError(f"it holds no game that can be told: {error}") from error


def _record_of(rules: Rules, records: Sequence[Record], setup: Mapping[str, Any]) -> GameRecord:
    state: Any = rules.new(setup)
    colours = rules.ranking(state)
    corrections: list[Mapping[str, Any]] = []
    turns = 0
    dice: dict[str, list[int]] = {}
    tallies: dict[str, dict[str, int]] = {colour: dict.fromkeys(rules.statistics, 0) for colour in colours}
    for entry, after, happened in replay_with_events(rules, records):
        state = after
        turns += entry.player is not None
        if entry.by == ADJUSTED:
            corrections += map(rules.describe, entry.moves)
        for one in happened:
            for colour, values in rules.dice_of(one.move).items():
                rolled = dice.setdefault(colour, [0] * FACES)
                for value in values:
                    rolled[value - 1] += 1
            for colour, what, count in rules.statistics_of(one.player, one.move, one.events):
                tallies[colour][what] += count
    names = names_of(records)
    return GameRecord(
        game=rules.name,
        edition=setup["edition"],
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
        corrections=tuple(corrections),
        turns=turns,
    )


def _minutes(records: Sequence[Record]) -> int:
    """From the set-up to what was confirmed last; a longer gap is a pause, or a clock that was set."""
    times = [_moment(record) for record in records]
    gaps = (after - before for before, after in pairwise(times))
    return round(sum((gap for gap in gaps if timedelta() < gap < PAUSE), timedelta()) / timedelta(minutes=1))


def _moment(record: Record) -> datetime:
    """When a record was written.

    :raises ValueError: when no clock shows that.
    """
    at = datetime.fromisoformat(record.at)
    if at.tzinfo is None or not EARLIEST <= at < LATEST:
        raise ValueError(f"record {record.seq} was written at {record.at}, which is no time of a game")
    return at
