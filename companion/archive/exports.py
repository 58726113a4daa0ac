"""A game for other programs: a table for spreadsheets, JSON, and a link that hands it to BG Stats."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from companion.games.api import Rules
from companion.text.translator import Translator

from .record import GameRecord, SeatRecord

BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="
"""Where BG Stats takes a play from; its app opens the link on the device, and nothing leaves it before."""
SOURCE = "Table companion"
BGG_IDS = {"special": 363622, "2011": 84876}
"""Edition -> number of the game at BoardGameGeek, by which BG Stats finds it (boardgamegeek.com/boardgame/NUMBER)."""
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What makes spreadsheets take a text for a formula, the wide forms where they are set to East Asian languages (OWASP,
CSV injection)."""


def seat_name(seat: SeatRecord, translator: Translator) -> str:
    """What a player is called in an export."""
    if seat.kind == "automa":
        return translator("page.chateauma")
    return seat.name or translator.player(seat.colour)


def as_json(record: GameRecord) -> str:
    """Everything, as JSON."""
    return json.dumps(record.to_json(), indent=1, ensure_ascii=False) + "\n"


def as_csv(record: GameRecord, rules: Rules, translator: Translator) -> str:
    """The score sheet, the points after each round and what was counted: a column for each player.

    Counts that were put right by hand follow, a line for each. Where the language writes numbers with a decimal comma,
    spreadsheets expect semicolons between the cells.
    """
    columns = [record.seat(colour) for colour in record.ranking]
    text = io.StringIO()
    table = csv.writer(text, delimiter=";" if translator("language.decimal") == "," else ",")
    table.writerow(["", *(_cell(seat_name(seat, translator)) for seat in columns)])
    for source in rules.score_sources:
        if source in record.scored:
            row = (record.sheet[seat.colour].get(source, 0) for seat in columns)
            table.writerow([translator(f"source.{source}"), *row])
    table.writerow([translator("page.total"), *(record.scores[seat.colour] for seat in columns)])
    for number, scores in enumerate(zip(*(record.timeline[seat.colour] for seat in columns), strict=True), 1):
        table.writerow([translator("archive.after_round", number=number), *scores])
    for what in rules.statistics:
        row = (record.tallies[seat.colour][what] for seat in columns)
        table.writerow([translator(f"tally.{what}"), *row])
    for correction in record.corrections:
        table.writerow([translator("page.adjusted"), _cell(translator.move(correction))])
    return text.getvalue()


def _cell(text: str) -> str:
    """*text* as spreadsheets show it: with an apostrophe where it would be a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def bg_stats_link(record: GameRecord, translator: Translator) -> str:
    """A link that offers the finished game to BG Stats (its documented play format)."""
    play: dict[str, Any] = {
        "sourceName": SOURCE,
        "sourcePlayId": record.began,
        "playDate": datetime.fromisoformat(record.began).astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "durationMin": record.minutes,
        "game": {
            "name": "The Castles of Burgundy",
            "sourceGameId": record.game,
            "bggId": BGG_IDS[record.edition],
            "highestWins": True,
            "noPoints": False,
        },
        "players": [
            {
                "name": seat_name(seat, translator),
                "sourcePlayerId": _player_id(record, seat),
                "startPlayer": seat is record.seats[0],
                "score": str(record.scores[seat.colour]),
                "rank": record.ranking.index(seat.colour) + 1,
                "winner": seat.colour == record.ranking[0],
            }
            for seat in record.seats
        ],
    }
    return BG_STATS + quote(json.dumps(play, separators=(",", ":"), ensure_ascii=False))


def _player_id(record: GameRecord, seat: SeatRecord) -> str:
    """By what a player is known from play to play; a person without a name may be anybody, and is somebody else each
    time."""
    if seat.name:
        return seat.name
    return f"{record.began if seat.kind == 'person' else seat.kind}:{seat.colour}"
