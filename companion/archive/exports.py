"""A game for other programs: a table for spreadsheets, JSON, and a link that hands it to BG Stats."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from ..game import Game
from ..words import Words
from .record import GameRecord, SeatRecord

BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="
"""Where BG Stats takes a play from; its app opens the link on the device, and nothing leaves it before."""
SOURCE = "Table companion"


def seat_name(seat: SeatRecord, words: Words) -> str:
    """What a player is called in an export."""
    if seat.kind == "automa":
        return words("page.chateauma")
    return seat.name or words.player(seat.colour)


def as_json(record: GameRecord) -> str:
    """Everything, as JSON."""
    return json.dumps(record.to_json(), indent=1, ensure_ascii=False) + "\n"


def as_csv(record: GameRecord, rules: Game, words: Words) -> str:
    """The score sheet, the points after each round and what was counted: a column for each player.

    Counts that were put right by hand follow, a line for each.
    """
    columns = [record.seat(colour) for colour in record.ranking]
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["", *(seat_name(seat, words) for seat in columns)])
    for source in rules.sources:
        if source in record.scored:
            row = (record.sheet[seat.colour].get(source, 0) for seat in columns)
            table.writerow([words(f"source.{source}"), *row])
    table.writerow([words("page.total"), *(record.scores[seat.colour] for seat in columns)])
    for number, scores in enumerate(zip(*(record.timeline[seat.colour] for seat in columns), strict=True), 1):
        table.writerow([words("archive.after_round", number=number), *scores])
    for what in rules.tallies:
        row = (record.tallies[seat.colour][what] for seat in columns)
        table.writerow([words(f"tally.{what}"), *row])
    for correction in record.corrections:
        table.writerow([words("page.adjusted"), words.move(correction)])
    return text.getvalue()


def bg_stats_link(record: GameRecord, words: Words) -> str:
    """A link that offers the finished game to BG Stats (its documented play format)."""
    play: dict[str, Any] = {
        "sourceName": SOURCE,
        "sourcePlayId": record.began,
        "playDate": datetime.fromisoformat(record.began).astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "durationMin": record.minutes,
        "game": {
            "name": "The Castles of Burgundy",
            "sourceGameId": record.game,
            "highestWins": True,
            "noPoints": False,
        },
        "players": [
            {
                "name": seat_name(seat, words),
                "sourcePlayerId": seat.name or f"{seat.kind}:{seat.colour}",
                "startPlayer": seat is record.seats[0],
                "score": str(record.scores[seat.colour]),
                "rank": record.ranking.index(seat.colour) + 1,
                "winner": seat.colour == record.ranking[0],
            }
            for seat in record.seats
        ],
    }
    return BG_STATS + quote(json.dumps(play, separators=(",", ":"), ensure_ascii=False))
