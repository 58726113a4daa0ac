"""The open turn: all that is seen, said and entered between one confirmation and the next."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.games.api import Move
from companion.referee import Mismatch, Verdict


@dataclass(slots=True)
class PendingTurn:
    """What concerns the turn that is not recorded yet; a fresh one follows each record."""

    verdict: Verdict = field(default_factory=Verdict)
    unobservable: bool = False
    """Whether the best explanation changes nothing that can be seen."""
    choice: tuple[str, str] | None = None
    """Which of the alternatives people went to (see ``SessionContext.alternatives``); None before anybody did."""
    ask_first: bool = False
    """Whether a press has met something that is asked for before it counts."""
    chosen_answer: str = ""
    """Notation of a turn that people have said they meant, though another was planned."""
    confirm_when_clear: bool = False
    """Whether a confirmation was given while the table was still moving."""
    override_confirmed: tuple[Mismatch, ...] | None = None
    """What was amiss in a planned turn when a person last confirmed it."""
    draft: list[Move] = field(default_factory=list)
    """Moves entered by taps."""
    retracted: list[Move] = field(default_factory=list)
    """Moves that were entered and taken back again, the latest last."""
    draft_of: int | None = None
    """The unit that is entered anew, if it is not the next one."""

    @property
    def drafting(self) -> bool:
        """Whether moves are being entered by taps."""
        return bool(self.draft) or self.draft_of is not None

    @property
    def outstanding_mismatches(self) -> tuple[Mismatch, ...]:
        """What of a planned turn has gone wrong, and what is still to do."""
        return (*self.verdict.mismatches, *self.verdict.remaining)
