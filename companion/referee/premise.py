"""Premises: the positions that the last roll may have led to, if its dice show other values than were recorded.

A roll is recorded as it was read, however doubtful a die was. The turn that follows is explained from each of these
positions, and mostly tells what the dice show. Where it does not, or tells something else than was recorded, the die is
asked about: without a person its value never changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .dice import VALUES
from .verdict import Explanation, Option, Question

LIKELY = 0.02
"""Least probability of a premise, relative to what was recorded, with which a turn is explained from it as well."""
BARELY_POSSIBLE = 1e-4
"""The same where nothing else explains the table: even what was read with certainty may be wrong."""
CLEAR_OF_DICE = 0.95
"""Probability of the explanations from the recorded values from which no die is asked about. It is higher than that of
a clear explanation: whoever confirms looks at the tiles, and rarely at what paid for them."""


@dataclass(frozen=True, slots=True)
class Premise:
    """One position that the roll may have led to."""

    state: Any
    dice: Mapping[str, int] = field(default_factory=dict)
    """Value by ``about`` (:func:`.dice.about_die`) of the dice that show another value than was recorded."""
    log_probability: float = 0.0
    """Relative to that of the recorded values."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """What may be wrong about the recorded roll."""

    recorded: Mapping[str, int]
    """Value by ``about`` of each die that matters now."""
    premises: Callable[[float], Sequence[Premise]]
    """Returns the premises with at least this probability relative to what was recorded, which is not among them."""

    def question(self, found: Sequence[Explanation]) -> Question | None:
        """Returns the question about the die on which the explanations of a turn depend most; None if those from the
        recorded values are clear, or none depends on a die."""
        if sum(explanation.probability for explanation in found if not explanation.dice) >= CLEAR_OF_DICE:
            return None
        shares = {
            about: {value: _share(found, about, value, recorded) for value in VALUES}
            for about, recorded in self.recorded.items()
            if any(about in explanation.dice for explanation in found)
        }
        if not shares:
            return None
        about = min(shares, key=lambda about: shares[about][self.recorded[about]])
        options = sorted(shares[about].items(), key=lambda item: -item[1])
        return Question("die", about, tuple(Option(str(v), p) for v, p in options), reason="decides_turn")


def _share(found: Sequence[Explanation], about: str, value: int, recorded: int) -> float:
    """Returns the probability of the explanations from which a die shows a value."""
    return sum(e.probability for e in found if e.dice.get(about, recorded) == value)


NO_DOUBT = Doubt({}, lambda least: ())
"""That of a roll whose dice are certain, or have no part in the turn."""
