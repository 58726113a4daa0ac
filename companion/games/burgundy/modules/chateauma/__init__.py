"""The Châteauma: the Special Edition's virtual player, as one more seat (rule text S1040-1233).

What other modules add to it is in :mod:`.extension`.

The files are module (what it adds to the base game and changes in it), printed, cards and assumed_print (what is
printed), seat (the state), setup, its moves (reveal_card, start_tiles, own_roll, turn), choosing and placing (a tile
and its benefit), selling, completing (of cards), scarcity (of types), buying, scoring, extension (by other modules),
view (for page, camera and terminal), context (the turn being resolved) and explanation (the steps that led to each
event).
"""

from __future__ import annotations

from calibration.games.burgundy.facts import Facts

from ...rules.owner_print import AnswerError
from .cards import LEVELS, MODIFIERS, CountyCard, CountySpace, Print, Unknown, UnknownPrintError
from .module import ChateaumaModule
from .printed import print_of
from .seat import ON_TABLE, OWN_DIE, OWN_TURN, PIECES, VIRTUAL, Chateauma
from .setup import from_setup

__all__ = [
    "LEVELS",
    "MODIFIERS",
    "ON_TABLE",
    "OWN_DIE",
    "OWN_TURN",
    "PIECES",
    "VIRTUAL",
    "AnswerError",
    "Chateauma",
    "ChateaumaModule",
    "CountyCard",
    "CountySpace",
    "Print",
    "Unknown",
    "UnknownPrintError",
    "create",
    "from_setup",
]


def create(facts: Facts) -> ChateaumaModule:
    """Returns the module with what is printed for it."""
    return ChateaumaModule({facts.automa_board.edition: print_of(facts)})
