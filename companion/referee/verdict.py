"""Verdicts: explanations with their probabilities, and the one question that would distinguish them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games.api import Move

CLEAR = 0.9
"""An explanation at least this probable is proposed without a question."""
UNLIKELY = 1e-3
"""Alternatives less probable than this, relative to the best, are ignored."""
OPTIONS = 4
REPORT = "report"
"""What a question is about if the game itself asks, for something that no camera sees: ``about`` of a question whose
answers are moves (``Rules.unobserved_chance_moves``)."""
EQUAL = 1e-6
"""Probabilities that differ by no more are equal but for rounding."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Moves that lead from the confirmed position to what is seen."""

    moves: tuple[Move, ...]
    probability: float
    unexplained: tuple[str, ...] = ()
    """Places that contradict it: something seems to have been moved that these moves do not move."""
    misread: tuple[str, ...] = ()
    """Places with another reading that is most likely a mistake."""
    dice: Mapping[str, int] = field(default_factory=dict)
    """Value by ``about`` of the dice that would have to show another one than was recorded (see :mod:`.premise`)."""


@dataclass(frozen=True, slots=True)
class Option:
    """One possible answer."""

    value: str
    probability: float


@dataclass(frozen=True, slots=True)
class Question:
    """A question that a player answers with one tap."""

    kind: str
    """``place`` (what is there), ``die`` (what it shows), ``extra`` (which die was not rolled) or ``moves`` (what
    was done)."""
    about: str
    """A place, a die (``die:red:0``), a colour of dice (``extra:red``), the ``turn``, or :data:`REPORT`."""
    options: tuple[Option, ...]
    """Most probable first. The value of an ``extra`` die is its box in the frame: ``x,y,width,height``."""
    box: tuple[int, int, int, int] | None = None
    """Box of the die in question in the frame, px."""
    reason: str = ""
    """Why a die is asked about: ``missing``, ``cocked``, ``hidden``, ``unclear`` or ``doubtful``, or because it
    ``decides_turn``; else empty."""

    seen: bool = True
    """Whether what was seen makes an answer more likely; else only a person knows."""

    @property
    def likeliest(self) -> int | None:
        """Index of the option that is more likely than all others by what was seen; None if there is none."""
        best, *others = (option.probability for option in self.options)
        if not self.seen:
            return None
        return 0 if all(best - other > EQUAL for other in others) else None


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Something that is not, or not yet, as the turn to be carried out requires."""

    code: str
    """``misplaced``, ``replaced``, ``stranger``, ``gone``, ``taken_instead``; ``still_there``, ``missing``."""
    place: str
    tile: str
    """Label that is there, or should be."""
    target: str = ""
    """Where it belongs; for ``taken_instead`` where the thing to be taken still is."""
    instead: str = ""
    """What belongs there instead, or was to be taken."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the referee concludes from the evidence."""

    explanations: tuple[Explanation, ...] = ()
    question: Question | None = None
    notice: str = ""
    """Code of what is missing on the table if there is no explanation yet (``dice_missing``...)."""
    notice_data: Mapping[str, Any] = field(default_factory=dict)
    mismatches: tuple[Mismatch, ...] = ()
    """What was done differently from the turn to be carried out."""
    remaining: tuple[Mismatch, ...] = ()
    """What remains of the turn to be carried out."""

    @property
    def clear(self) -> bool:
        """Whether the best explanation can be proposed as it is."""
        return bool(self.explanations) and self.question is None and not self.explanations[0].unexplained


def notation(moves: Iterable[Move]) -> str:
    """Returns moves as one line, the form in which they are asked about and answered."""
    return "; ".join(map(str, moves))
