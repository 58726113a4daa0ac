"""The referee: which legal moves explain what the camera sees.

Nothing is decided here. A verdict holds the explanations, best first, each with its probability, and the one
question whose answer would distinguish them if no explanation is clear.

turn searches the explanations of a player's turn, bot_turn compares a planned turn with what people did, dice and
layout explain rolls and set-ups. evidence says how likely each label is on each place, breaches which rule forbids what
is seen, verdict holds the result.
"""

from .bot_turn import explain_bot_turn
from .breaches import Breach, breaches, layout_as_read
from .dice import (
    DIE_CLEAR,
    about_die,
    certain,
    die_question,
    explain_roll,
    is_doubtful,
    readings_of_roll,
)
from .evidence import LIKELIER_THAN_NOT, Contradiction, Evidence
from .layout import DOUBTED, OPEN, PlaceStatus, choices, explain_layout, place_statuses
from .premise import NO_DOUBT, Doubt, Premise
from .turn import contradictions, explain_turn
from .verdict import OPTIONS, REPORT, Explanation, Mismatch, Option, Question, Verdict, notation

__all__ = [
    "DIE_CLEAR",
    "DOUBTED",
    "LIKELIER_THAN_NOT",
    "NO_DOUBT",
    "OPEN",
    "OPTIONS",
    "REPORT",
    "Breach",
    "Contradiction",
    "Doubt",
    "Evidence",
    "Explanation",
    "Mismatch",
    "Option",
    "PlaceStatus",
    "Premise",
    "Question",
    "Verdict",
    "about_die",
    "breaches",
    "certain",
    "choices",
    "contradictions",
    "die_question",
    "explain_bot_turn",
    "explain_layout",
    "explain_roll",
    "explain_turn",
    "is_doubtful",
    "layout_as_read",
    "notation",
    "place_statuses",
    "readings_of_roll",
]
