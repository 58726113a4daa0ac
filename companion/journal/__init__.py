"""The journal: an append-only file of all that was confirmed. Every state is the journal replayed.

record (what is written, and the chain of digests by which a changed byte is noticed), naming (which files are
journals), file (one game's SQLite file), acts (what can be taken back and done again), units (what stands of it,
replayed), recovery (what a start does about a damaged file), saving (what could not be written at once), backup (copies
elsewhere).

A record is the set-up, a unit of moves (a turn, a roll, a phase's layout, counts put right by hand), an undo of units,
a redo of what was undone, the answer that an open unit was right, or what the players are called. Records of one human
intent are written together. They are on disk before :meth:`Journal.append` returns (``synchronous=FULL``), so whoever
shows a light afterwards shows the truth.
"""

from __future__ import annotations

from .actions import ADJUSTED, SEEN, user_actions_of
from .entries import Entry, entry_of, replay, replay_with_events
from .file import Journal, read_records
from .record import FIELDS, DamagedError, JournalError, NewRecord, Record, names_of, setup_of

__all__ = [
    "ADJUSTED",
    "FIELDS",
    "SEEN",
    "DamagedError",
    "Entry",
    "Journal",
    "JournalError",
    "NewRecord",
    "Record",
    "entry_of",
    "names_of",
    "read_records",
    "replay",
    "replay_with_events",
    "setup_of",
    "user_actions_of",
]
