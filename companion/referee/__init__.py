"""The referee: which legal moves explain what the camera sees.

Nothing is decided here. A verdict holds the explanations, best first, each with its probability, and the one
question whose answer would tell them apart when no explanation is clear.
"""

from .bot_turn import explain_bot_turn
from .breaches import Breach, as_seen, breaches
from .dice import DIE_CLEAR, explain_roll
from .evidence import Contradiction, Evidence
from .layout import DOUBTED, OPEN, LaidOut, choices, explain_layout, laid_out
from .turn import contradictions, explain_turn
from .verdict import OPTIONS, Explanation, Mismatch, Option, Question, Verdict, notation

__all__ = [
    "DIE_CLEAR",
    "DOUBTED",
    "OPEN",
    "OPTIONS",
    "Breach",
    "Contradiction",
    "Evidence",
    "Explanation",
    "LaidOut",
    "Mismatch",
    "Option",
    "Question",
    "Verdict",
    "as_seen",
    "breaches",
    "choices",
    "contradictions",
    "explain_bot_turn",
    "explain_layout",
    "explain_roll",
    "explain_turn",
    "laid_out",
    "notation",
]
