"""The journal: an append-only file of everything that was confirmed. Any state is the journal replayed.

============ ==========================================================================
record       what is written, and the chain of digests that reveals a changed byte
files        which files of a folder are journals
database     the SQLite format of one file: opened, created, checked, written
disk_errors  why a file cannot be used now: full, read-only, in use
file         one game's journal, open for writing
reading      records of a file that is not open for writing, verified or recovered
actions      user actions: what can be undone and redone
entries      the effective entries, replayed
history      the game so far, and every change to it
recovery     what a start does about a damaged file
autosave     writes later what could not be written at once
backup       copies in another folder
============ ==========================================================================

A record is the set-up, an *entry* (moves confirmed together: a turn, a roll, a phase's layout, adjusted counts), an
undo or a redo of entries, the answer that resolves an entry, or players' names. The records of one *user action* are
written together. They are on disk before :meth:`Journal.append` returns (``synchronous=FULL``), so a light that is
switched on afterwards is true.
"""

from __future__ import annotations

from .actions import ADJUSTED, DRAWN, OUT_OF_TURN, SEEN, user_actions_of
from .entries import Entry, entry_of
from .file import Journal, check_can_begin
from .reading import read_records
from .record import FIELDS, DamagedError, JournalError, NewRecord, Record, names_of, setup_of
from .replay import replay, replay_with_events

__all__ = [
    "ADJUSTED",
    "DRAWN",
    "FIELDS",
    "OUT_OF_TURN",
    "SEEN",
    "DamagedError",
    "Entry",
    "Journal",
    "JournalError",
    "NewRecord",
    "Record",
    "check_can_begin",
    "entry_of",
    "names_of",
    "read_records",
    "replay",
    "replay_with_events",
    "setup_of",
    "user_actions_of",
]
