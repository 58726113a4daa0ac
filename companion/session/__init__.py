"""The table session: what the companion believes, proposes, asks and records, whoever reports it.

:class:`TableSession` is what everybody else uses. Each press, tap or sighting is followed by one of the modules behind
it: observe (what the camera reports), confirm (also choosing and answering), manual_entry (moves by taps), undo (also
corrections), adjust (counts) and reseat (from a game whose seats were told wrongly). They work on one
:class:`.context.SessionContext`, which holds the game so far and the :class:`.pending_turn.PendingTurn`. Snapshot says
what a page shows of it, places what an eye may see.
"""

from .adjust import LONGEST_REASON, REASONS
from .context import LastResult
from .errors import CommandRejectedError
from .session import TableSession
from .snapshot import Snapshot
from .status import ASKING, DICE, DRAFTING, LAYOUT, OVER, PROPOSAL, STATUSES, UNEXPLAINED, WATCHING
from .undo import PERSON

__all__ = [
    "ASKING",
    "DICE",
    "DRAFTING",
    "LAYOUT",
    "LONGEST_REASON",
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
