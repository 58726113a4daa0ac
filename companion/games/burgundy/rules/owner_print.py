"""What the owner of a copy is asked about its print, where copies differ or nobody has seen one.

A module lists the kinds of answers that it asks for (:attr:`.module.Module.print_kinds`). They are stored together in
one file, which outlives games; a game has what it needs of them in its set-up, so that it is replayed without the file.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from calibration.errors import CompanionError

if TYPE_CHECKING:
    from calibration.fields import Field

    from .state import GameState


class AnswerError(CompanionError, ValueError):
    """An answer that cannot be what the owner's copy prints; *code* and *data* say so in every language."""

    def __init__(self, code: str, sentence: str, **data: Any) -> None:
        super().__init__(sentence)
        self.code = code
        self.data = data


class PrintKind(ABC):
    """One kind of answers, as plain data under its :attr:`name`."""

    name: ClassVar[str]

    def questions(self, setup: Mapping[str, Any]) -> Sequence[str]:
        """Returns what must be answered before a game with this set-up, which does not say it: :attr:`name`, or
        ``NAME:KEY`` for a part of an answer."""
        return ()

    @abstractmethod
    def parse(self, answer: Field) -> Any:
        """Returns an answer from outside as plain data; the error of the field is raised if it has another form."""

    @abstractmethod
    def check(self, answer: Any) -> None:
        """Checks all that has been answered. Raises :exc:`AnswerError` if no copy prints it."""

    def merged(self, before: Any, answer: Any) -> Any:
        """Returns what has been answered, given what was *before*: the whole *answer* takes its place."""
        return answer

    def taught_by(self, game: GameState, before: Any) -> Any:
        """Returns the answer that the reports in a game add to what was answered *before*, None for nothing; None if
        they add none."""
        return None
