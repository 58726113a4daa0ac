"""The archive: a record of every game in the games folder, and the players' results over all games.

record (one game), folder (all games, indexed in an embedded database), folder_lock (who may change the folder), listing
(which games are shown), standings (players' results, and how often one beat another), exports (a game for a spreadsheet
or another program), transfer (export to and import from another companion), validation (whether imported records are a
game that can be played).
"""

from __future__ import annotations

from .folder import SUFFIX, Archive, ArchivedGame, new_journal_path
from .listing import ON_TABLE, Listing, OmittedGame, listing
from .record import GameRecord, SeatRecord, record_of
from .standings import PlayerRecord, Rivalry, known_names, player_records, rivalries

__all__ = [
    "ON_TABLE",
    "SUFFIX",
    "Archive",
    "ArchivedGame",
    "GameRecord",
    "Listing",
    "OmittedGame",
    "PlayerRecord",
    "Rivalry",
    "SeatRecord",
    "known_names",
    "listing",
    "new_journal_path",
    "player_records",
    "record_of",
    "rivalries",
]
