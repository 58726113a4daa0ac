"""The archive: what every game in the games folder leaves behind, and what that says of those who played.

record (one game), folder (all of them, remembered in an embedded database), folder_lock (who may change it), listing
(which games are shown), standings (players' records, and who came before whom), exports (a game for a spreadsheet or
another program), transfer (games carried to another companion), validation (whether what is carried is a game).
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
