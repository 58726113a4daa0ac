"""The archive: a record of every game in the games folder, and the players' results over all games.

record (one game), turn_clock (how long each player took), played_turns (every turn with the position before it),
folder (all games, indexed in an embedded database), folder_lock (who may change the folder), listing (which games are
shown), statistics (players over many evenings), standings (players' results, and how often one beat another), exports
(a game for a spreadsheet or another program), transfer (export to and import from another companion), validation
(whether imported records are a game that can be played).
"""

from __future__ import annotations

from .folder import SUFFIX, Archive, ArchivedGame, new_journal_path
from .listing import ON_TABLE, Listing, OmittedGame, listing
from .played_turns import PlayedTurn, played_turns
from .record import GameRecord, SeatRecord, record_of
from .standings import PlayerRecord, Rivalry, known_names, player_records, rivalries
from .statistics import PlayerStatistics, player_statistics
from .turn_clock import TurnClock, turn_clock

__all__ = [
    "ON_TABLE",
    "SUFFIX",
    "Archive",
    "ArchivedGame",
    "GameRecord",
    "Listing",
    "OmittedGame",
    "PlayedTurn",
    "PlayerRecord",
    "PlayerStatistics",
    "Rivalry",
    "SeatRecord",
    "TurnClock",
    "known_names",
    "listing",
    "new_journal_path",
    "played_turns",
    "player_records",
    "player_statistics",
    "record_of",
    "rivalries",
    "turn_clock",
]
