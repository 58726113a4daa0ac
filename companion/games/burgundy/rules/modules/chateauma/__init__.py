"""The Châteauma: the Special Edition's virtual player, as one more seat (rule text S1040-1233).

Importing this package registers it with the base rules (see :mod:`.register`): its moves and stages go into their
tables, and :class:`.seat.Chateauma` into the functions that differ by seat. Expansions extend it the same way: tiles in
:data:`.choosing.BENEFITS`, symbols of cards in :data:`.choosing.SYMBOLS`.

The modules are cards (what is printed), seat (the state), moves, setup, turn (the order of a turn), choosing and
placing (a tile and its benefit), selling, completing (of cards), buying, scoring, validation, view (for page, camera
and terminal), context (the turn being resolved) and explanation (the steps that led to each event).
"""

from __future__ import annotations

from . import register as register
from .cards import LEVELS, MODIFIERS, AnswerError, CountyCard, CountySpace, Print, Unknown, UnknownPrintError
from .seat import ON_TABLE, OWN_DIE, OWN_TURN, PIECES, VIRTUAL, Chateauma, cards_on_table, is_virtual
from .setup import from_setup, seated, set_up, unobserved_chance_moves

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
    "CountyCard",
    "CountySpace",
    "Print",
    "Unknown",
    "UnknownPrintError",
    "cards_on_table",
    "from_setup",
    "is_virtual",
    "seated",
    "set_up",
    "unobserved_chance_moves",
]
