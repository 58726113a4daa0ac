"""The table session: what the companion believes, proposes, asks and records.

Everybody else uses :class:`TableSession`. Behind it, one module handles each kind of input: observe (sightings),
confirm (also choices and answers), manual_entry (taps), undo (also overrides and corrections), adjust (counts) and
reseat (a game begun again with corrected players); commit records. They work on one :class:`.context.SessionContext`,
which holds the game so far, the :class:`.belief.Belief` about the table and the :class:`.pending_turn.PendingTurn`.
Snapshot describes all of it for a page, places says what should be on the table, evidence_pictures shows why a turn was
recognised. Lesson_guide leads a learner through a game.
"""

from .adjust import LONGEST_REASON, REASONS
from .belief import LOOKS
from .context import LastResult
from .corrections import PERSON
from .errors import CommandRejectedError
from .session import TableSession
from .snapshot import Snapshot
from .status import ASKING, DICE, DRAFTING, LAYOUT, OVER, PROPOSAL, STATUSES, UNEXPLAINED, WATCHING

__all__ = [
    "ASKING",
    "DICE",
    "DRAFTING",
    "LAYOUT",
    "LONGEST_REASON",
    "LOOKS",
    "OVER",
    "PERSON",
    "PROPOSAL",
    "REASONS",
    "STATUSES",
    "UNEXPLAINED",
    "WATCHING",
    "CommandRejectedError",
    "LastResult",
    "Snapshot",
    "TableSession",
]
