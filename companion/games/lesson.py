"""Lessons: how a game teaches itself to people who have never played it, step by step at the real page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LESSON = "lesson"
"""Key of a set-up: the game is a lesson, and nobody's result."""
SEED = "seed"
"""Key of a set-up: text from which the companion rolls and draws, so that a game begins the same each time."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step; its sentence is the text ``lesson.step.NAME``.

    Without *accepts* it is only read.
    """

    name: str
    accepts: Callable[[Mapping[str, Any]], bool] | None = None
    """Function that tells from a move's description whether it is what the learner is to do."""


@dataclass(frozen=True)
class Lesson:
    """A guided beginning of a game."""

    setup: Mapping[str, Any]
    """Of one learner and the companion's bots; it names its seed."""
    learner: str
    """Colour of the learner."""
    start: Sequence[str]
    """What is decided before the first round, in notation."""
    steps: Sequence[Step]
