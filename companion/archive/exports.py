"""A game for other programs: a table for spreadsheets, JSON, and a link to BG Stats."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from companion.games.api import Rules
from companion.games.registry import plugin
from companion.text.translator import Translator

from .record import GameRecord, SeatRecord

BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="
"""Address at which BG Stats imports a play; its app opens the link on the device, and nothing is sent before."""
SOURCE = "Table companion"
NOT_IN_FILE_NAMES = re.compile(r'[\\/:*?"<>|]')
"""Characters that no file name can contain on some system."""
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Beginnings that make spreadsheets read a text as a formula; the wide forms do so in East Asian locales (OWASP, CSV
injection)."""


def seat_name(seat: SeatRecord, translator: Translator) -> str:
    """Returns the name of a player in an export."""
    if name := translator.narration.seat_kinds.get(seat.kind):
        return translator(name)
    return seat.name or translator.player(seat.colour)


def export_name(record: GameRecord, translator: Translator) -> str:
    """Returns the name of an exported file without its ending: when the game began, and who played, the winner
    first."""
    began = datetime.fromisoformat(record.began).astimezone()
    players = translator.join([seat_name(record.seat(colour), translator) for colour in record.ranking])
    return f"{began:%Y-%m-%d %H.%M} {NOT_IN_FILE_NAMES.sub('-', players)}"


def as_json(record: GameRecord) -> str:
    """Returns the record as JSON."""
    return json.dumps(record.to_json(), indent=1, ensure_ascii=False) + "\n"


def as_csv(record: GameRecord, rules: Rules, translator: Translator) -> str:
    """Returns the score sheet, the scores after each round and the statistics: a column for each player.

    Manual corrections follow, one per line. Where the language has a decimal comma, spreadsheets expect semicolons
    between the cells.
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
        table.writerow([translator(f"statistic.{what}"), *row])
    for correction in record.corrections:
        table.writerow([translator("page.adjusted"), _cell(translator.move(correction))])
    return text.getvalue()


def _cell(text: str) -> str:
    """Returns *text* for a spreadsheet: with an apostrophe in front where it would be read as a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def bg_stats_link(record: GameRecord, translator: Translator) -> str:
    """Returns a link that imports the finished game into BG Stats (its documented play format)."""
    game = plugin(record.game)
    known = game.boardgamegeek.get(record.edition)
    play: dict[str, Any] = {
        "sourceName": SOURCE,
        "sourcePlayId": record.began,
        "playDate": datetime.fromisoformat(record.began).astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "durationMin": record.minutes,
        "game": {
            "name": game.title,
            "sourceGameId": record.game,
            **({} if known is None else {"bggId": known}),
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
    """Returns the player's id in all plays; a person without a name may be anybody and gets a new id each time."""
    if seat.name:
        return seat.name
    return f"{record.began if seat.kind == 'person' else seat.kind}:{seat.colour}"
