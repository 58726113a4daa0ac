"""The pending turn: everything seen, answered and entered between one record and the next."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.games.api import Move
from companion.referee import Explanation, Mismatch, Verdict

from .roll_doubt import RollDoubt


@dataclass(slots=True)
class PendingTurn:
    """Represents the turn that is not recorded yet; a new one begins after each record."""

    verdict: Verdict = field(default_factory=Verdict)
    """The referee's explanations of what is seen."""
    unconfirmed: tuple[Explanation, ...] = ()
    """The turns that were proposed or asked about before the table came to rest as it is, and that nobody confirmed."""
    unobservable: bool = False
    """Whether the best explanation changes nothing that a camera can see."""
    roll_doubt: RollDoubt | None = None
    """What may be wrong about the dice of the turn; ``None`` before anything was explained."""
    choice: tuple[str, str] | None = None
    """The alternative that people selected (see ``SessionContext.alternatives``); ``None`` before anybody did."""
    ask_first: bool = False
    """Whether a press led to a question, as what it would confirm is unobservable or not the bot's turn."""
    chosen_answer: str = ""
    """Notation of the turn that people said they meant instead of the bot's turn; empty if they did not."""
    confirm_when_clear: bool = False
    """Whether a confirmation came while the table was moving, and is carried out once the explanation is clear."""
    override_confirmed: tuple[Mismatch, ...] | None = None
    """The mismatches of a bot's turn that a press has met; the same press again confirms the turn despite them."""
    draft: list[Move] = field(default_factory=list)
    """Moves entered by taps."""
    retracted: list[Move] = field(default_factory=list)
    """Entered moves that were taken back, the latest last."""
    draft_of: int | None = None
    """Number of the entry that is being entered again; ``None`` for the next one."""

    @property
    def drafting(self) -> bool:
        """Whether moves are being entered by taps."""
        return bool(self.draft) or self.draft_of is not None

    @property
    def outstanding_mismatches(self) -> tuple[Mismatch, ...]:
        """What differs from a bot's turn, and what of it is still to do."""
        return (*self.verdict.mismatches, *self.verdict.remaining)
