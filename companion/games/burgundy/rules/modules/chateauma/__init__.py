"""The Châteauma: the Special Edition's virtual player, as one more seat (rule text S1040-1233).

Importing this package plugs it into the base rules: its moves and stages go into their tables, and what they ask of a
seat is registered for :class:`.seat.Chateauma`. The base rules do not know it. Its own extensions plug in here the same
way: tiles into :data:`.choosing.BENEFITS`, symbols of cards into :data:`.choosing.SYMBOLS`.

cards (what is printed), seat (the state), setup, choosing and placing (a tile and what it brings), selling, completing,
buying, turn (the order of all this), scoring, objections, picture (for eyes), working and trace (how it came about).
"""

from __future__ import annotations

from . import register as register
from .cards import LEVELS, MODIFIERS, AnswerError, CountyCard, CountySpace, Print, Unknown, UnknownPrintError
from .seat import ON_TABLE, OWN_DIE, OWN_TURN, PIECES, VIRTUAL, Chateauma, cards_on_table, is_virtual
from .setup import from_setup, lay_out, seated, unobserved_chance_moves

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
    "lay_out",
    "seated",
    "unobserved_chance_moves",
]
