"""What people ask for when they leave the game on the table."""

from __future__ import annotations

from dataclasses import dataclass

from .session import TableSession


@dataclass(frozen=True, slots=True)
class NextGame:
    """What people want to play next."""

    game: str | None = None
    """The name of a game to go on with; None for a new one."""
    reseats: bool = False
    """Whether the new one is this one with its seats put right."""
    erases: bool = False
    """Whether all that is kept of people is deleted first."""
    discarded_records: int = 0
    """How many records that could not be saved people leave behind: they were told so."""

    def check_saved(self, session: TableSession) -> None:
        """Saves the game of *session* before it is left, unless all is deleted.

        :raises CommandRejectedError: when that is not possible, and people have not been told what would be lost.
        """
        if self.erases:
            return
        command = {"do": "reseat" if self.reseats else "new_game"}
        if self.game is not None:
            command = {"do": "go_on", "game": self.game}
        session.check_saved(self.discarded_records, **command)
