"""What people ask for when they leave the game on the table."""

from __future__ import annotations

from dataclasses import dataclass

from .session import TableSession


@dataclass(frozen=True, slots=True)
class NextGame:
    """What people want to play next."""

    game: str | None = None
    """The name of a game to continue; None for a new one."""
    reseats: bool = False
    """Whether the new one is this one with corrected seats."""
    repeats: bool = False
    """Whether the new one is proposed like this one: the same players, seats and options."""
    learns: bool = False
    """Whether the new one is the lesson of this game."""
    erases: bool = False
    """Whether all personal data is deleted first."""
    discarded_records: int = 0
    """How many unsaved records people agreed to lose."""

    def check_saved(self, session: TableSession) -> None:
        """Saves the game of *session* before it is left, unless all is deleted.

        :raises CommandRejectedError: when that is not possible, and people have not agreed to that loss.
        """
        if self.erases:
            return
        command = {"do": self._command()}
        if self.game is not None:
            command = {"do": "go_on", "game": self.game}
        session.check_saved(self.discarded_records, **command)

    def _command(self) -> str:
        ways = {"reseat": self.reseats, "again": self.repeats, "learn": self.learns}
        return next((name for name, is_asked in ways.items() if is_asked), "new_game")
