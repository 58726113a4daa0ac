"""How many spaces the black depot has: what the owner is asked where sources differ.

A table file says it by the places of the depot, a set-up by ``black_slots``; then nobody is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .modules.chateauma import ChateaumaModule
from .rules import MOST_BLACK_SLOTS
from .rules.owner_print import AnswerError, PrintKind

if TYPE_CHECKING:
    from calibration.fields import Field

    from .rules.edition import Edition

SLOTS = "black_slots"
"""Number of spaces in a set-up; answers are under this name, too."""


class BlackDepot(PrintKind):
    """The number of spaces by the number of players, as text, for whom the main board is laid out."""

    name = SLOTS

    def __init__(self, editions: Mapping[str, Edition]) -> None:
        self._editions = editions
        self.candidates = {
            str(players): board.black_candidates
            for edition in editions.values()
            for players, board in edition.main_boards.items()
            if board.black_candidates
        }
        """By number of players, as text: numbers that sources give, the likeliest first."""

    def asked_for(self, setup: Mapping[str, Any]) -> str | None:
        """Returns the number of players, as text, for whom a set-up needs an answer; None if it needs none."""
        if SLOTS in setup:
            return None
        players = len(setup["players"]) + (ChateaumaModule.id in setup)
        board = self._editions[setup["edition"]].main_boards.get(players)
        return str(players) if board is not None and board.black_candidates else None

    def questions(self, setup: Mapping[str, Any]) -> Sequence[str]:
        players = self.asked_for(setup)
        return () if players is None else (f"{SLOTS}:{players}",)

    def with_print(self, setup: Mapping[str, Any], answers: Mapping[str, Any]) -> Mapping[str, Any]:
        """Returns a set-up with the spaces, if they were asked for and are among the owner's *answers*."""
        slots = answers.get(SLOTS, {}).get(self.asked_for(setup))
        return setup if slots is None else {**setup, SLOTS: slots}

    def parse(self, answer: Field) -> dict[str, int]:
        return {players: slots.integer(1, MOST_BLACK_SLOTS) for players, slots in answer.entries()}

    def check(self, answer: Mapping[str, int]) -> None:
        for players in answer:
            if players not in self.candidates:
                raise AnswerError(
                    "no_black_depot",
                    f"the black depot of {players} players is known",
                    players=players,
                )

    def merged(self, before: Mapping[str, int] | None, answer: Mapping[str, int]) -> dict[str, int]:
        return {**(before or {}), **answer}
