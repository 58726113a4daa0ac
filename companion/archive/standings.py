"""Players' records over all finished games, and who came out ahead of whom."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from statistics import mean

from .record import GameRecord, SeatRecord

AUTOMA = ""
"""By what the automa is known: nobody is called that."""


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """What one player has achieved."""

    player: str
    """A name, or AUTOMA."""
    games: int
    wins: int
    best: int
    average: float
    last: str
    """When the latest game began."""


@dataclass(frozen=True, slots=True)
class Rivalry:
    """Two who have sat at one table."""

    one: str
    other: str
    games: int
    one_ahead: int
    """Games in which *one* came before *other*."""


def player_key(seat: SeatRecord) -> str | None:
    """By what a player is known from game to game; None for bots, and for people without a name."""
    return AUTOMA if seat.kind == "automa" else seat.name


def known_names(games: Iterable[GameRecord]) -> list[str]:
    """What players have been called, in order."""
    return sorted({seat.name for game in games for seat in game.seats if seat.name})


def player_records(games: Iterable[GameRecord]) -> list[PlayerRecord]:
    """Everybody's record, those with most wins first."""
    played: dict[str, list[tuple[GameRecord, str]]] = {}
    for game in _finished(games):
        for seat in game.seats:
            if (known := player_key(seat)) is not None:
                played.setdefault(known, []).append((game, seat.colour))
    records = [
        PlayerRecord(
            known,
            len(places),
            sum(game.ranking[0] == colour for game, colour in places),
            max(game.scores[colour] for game, colour in places),
            mean(game.scores[colour] for game, colour in places),
            max(game.began for game, _ in places),
        )
        for known, places in played.items()
    ]
    return sorted(records, key=lambda record: (-record.wins, -record.average, record.player))


def rivalries(games: Iterable[GameRecord]) -> list[Rivalry]:
    """Everybody against everybody they have met, those who met most often first."""
    met: dict[tuple[str, str], list[bool]] = {}
    for game in _finished(games):
        there = {
            known: game.ranking.index(seat.colour)
            for seat in game.seats
            if (known := player_key(seat)) is not None
        }
        for one, other in combinations(sorted(there), 2):
            met.setdefault((one, other), []).append(there[one] < there[other])
    found = [Rivalry(*pair, len(ahead), sum(ahead)) for pair, ahead in met.items()]
    return sorted(found, key=lambda rivalry: (-rivalry.games, rivalry.one, rivalry.other))


def _finished(games: Iterable[GameRecord]) -> Iterable[GameRecord]:
    return (game for game in games if game.over)
