"""The table session: what the companion believes, proposes, asks and records, whoever reports it.

:class:`TableSession` is what everybody else uses. Each press, tap or sighting is followed by one of the modules behind
it: seeing (what the eye reports), deciding (confirming, choosing, answering), entering (moves by taps), mending
(taking back, putting right), adjusting (counts) and taking_over (from a game whose seats were told wrongly). They work
on one :class:`.desk.Desk`, on which lie the game so far and the :class:`.open_turn.OpenTurn`. What can be seen of it
all is told by telling (to a page) and places (to an eye).
"""

from .adjust import LONGEST_REASON, REASONS
from .context import Told
from .errors import RefusedError
from .session import TableSession
from .status import ASKING, DICE, DRAFTING, LAYOUT, OVER, PROPOSAL, PUZZLED, STATUSES, WATCHING
from .undo import LONGEST_NAME, PERSON

__all__ = [
    "ASKING",
    "DICE",
    "DRAFTING",
    "LAYOUT",
    "LONGEST_NAME",
    "LONGEST_REASON",
    "OVER",
    "PERSON",
    "PROPOSAL",
    "PUZZLED",
    "REASONS",
    "STATUSES",
    "WATCHING",
    "RefusedError",
    "TableSession",
    "Told",
]
