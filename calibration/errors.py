"""The common base of our own errors, which every package may import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, for those who play: the text ``problem.CODE`` of their language, with its fields.

    It is part of a sentence, begins with a small letter and has no full stop.
    """

    code: str
    data: Mapping[str, Any] = field(default_factory=dict)
    game: str | None = None
    """The game that has the text; None for one that every game has."""
    message: str = ""
    """The error's own message, which is shown instead to those who read English; empty if there is a text."""


def unnamed(message: str) -> Problem:
    """Returns the problem of an error that only has a *message*: others than English learn where it stands."""
    return Problem("unnamed", message=message)


UNNAMED = unnamed("")


class CompanionError(Exception):
    """Base class of the errors that people can do something about: the message names the fault and the cure.

    The command line prints these as one sentence. Anything else is a fault of the program and stays a traceback.
    """

    problem: Problem = UNNAMED
    """What those who play read of it, in their language: the message is in English (see :func:`.problem_of`)."""
