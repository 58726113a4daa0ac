"""What players have done over many evenings: results, where their points come from, and the luck of their dice.

Only people with a name count: a colour without one may be anybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from .record import GameRecord

PERSON = "person"


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """One person's finished games of one kind."""

    player: str
    games: int
    wins: int
    best: int
    average: float
    by_source: Mapping[str, float]
    """Average points of a game by source, without sources that have never brought any."""
    dice: int
    """Own dice rolled."""
    roll: float
    """The average of these; 0 if there are none."""


def player_statistics(records: Iterable[GameRecord], game: str) -> list[PlayerStatistics]:
    """Returns the statistics of everybody who has finished a *game*, who has played most first."""
    played: dict[str, list[tuple[GameRecord, str]]] = {}
    for record in records:
        if record.over and record.game == game:
            for seat in record.seats:
                if seat.kind == PERSON and seat.name:
                    played.setdefault(seat.name, []).append((record, seat.colour))
    found = [_statistics(player, places) for player, places in played.items()]
    return sorted(found, key=lambda one: (-one.games, -one.average, one.player))


def _statistics(player: str, places: Sequence[tuple[GameRecord, str]]) -> PlayerStatistics:
    scores = [record.scores[colour] for record, colour in places]
    sources = dict.fromkeys(source for record, colour in places for source in record.sheet[colour])
    rolled = [
        face
        for record, colour in places
        for face, count in enumerate(record.dice.get(colour, ()), 1)
        for _ in range(count)
    ]
    return PlayerStatistics(
        player,
        len(places),
        sum(record.ranking[0] == colour for record, colour in places),
        max(scores),
        mean(scores),
        {
            source: points
            for source in sources
            if (points := mean(record.sheet[colour].get(source, 0) for record, colour in places))
        },
        len(rolled),
        mean(rolled) if rolled else 0.0,
    )
