"""Players' results over all finished games, and how often one beat another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from statistics import mean

from .record import GameRecord, SeatRecord

AUTOMA = ""
"""Represents the automa; no player has this name."""


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """The results of one player."""

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
    """Two players who have played each other."""

    one: str
    other: str
    games: int
    one_ahead: int
    """Games in which *one* was ranked above *other*."""


def player_key(seat: SeatRecord) -> str | None:
    """Returns what identifies a player in all games; ``None`` for bots and for people without a name."""
    return AUTOMA if seat.kind == "automa" else seat.name


def known_names(games: Iterable[GameRecord]) -> list[str]:
    """Returns all names of players, sorted."""
    return sorted({seat.name for game in games for seat in game.seats if seat.name})


def player_records(games: Iterable[GameRecord]) -> list[PlayerRecord]:
    """Returns the results of everybody, most wins first."""
    played: dict[str, list[tuple[GameRecord, str]]] = {}
    for game in _finished(games):
        for seat in game.seats:
            if (key := player_key(seat)) is not None:
                played.setdefault(key, []).append((game, seat.colour))
    records = [
        PlayerRecord(
            key,
            len(places),
            sum(game.ranking[0] == colour for game, colour in places),
            max(game.scores[colour] for game, colour in places),
            mean(game.scores[colour] for game, colour in places),
            max(game.began for game, _ in places),
        )
        for key, places in played.items()
    ]
    return sorted(records, key=lambda record: (-record.wins, -record.average, record.player))


def rivalries(games: Iterable[GameRecord]) -> list[Rivalry]:
    """Returns every pair of players who have played each other, most games first."""
    met: dict[tuple[str, str], list[bool]] = {}
    for game in _finished(games):
        ranks = {
            key: game.ranking.index(seat.colour)
            for seat in game.seats
            if (key := player_key(seat)) is not None
        }
        for one, other in combinations(sorted(ranks), 2):
            met.setdefault((one, other), []).append(ranks[one] < ranks[other])
    found = [Rivalry(*pair, len(ahead), sum(ahead)) for pair, ahead in met.items()]
    return sorted(found, key=lambda rivalry: (-rivalry.games, rivalry.one, rivalry.other))


def _finished(games: Iterable[GameRecord]) -> Iterable[GameRecord]:
    return (game for game in games if game.over)
