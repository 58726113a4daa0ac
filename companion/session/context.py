"""The desk: the game so far, what is believed of the table, and the open turn; how it is judged and recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from calibration.errors import CompanionError
from companion import referee
from companion.games.api import Event, Move, Rules
from companion.journal import Entry, Journal, JournalError
from companion.journal.history import ADJUSTED, Dropped, History
from companion.players.opponents import Opponents
from companion.referee import Contradiction, Explanation, Option, Question, Verdict, notation
from vision.sighting import DieReading

from .belief import Belief
from .errors import CommandRejectedError
from .pending_turn import PendingTurn
from .status import ASKING, DICE, DRAFTING, LAYOUT, OVER, PROPOSAL, UNEXPLAINED, WATCHING

UNDO, REDO = "undo", "redo"


@dataclass(frozen=True, slots=True)
class LastResult:
    """What the last thing that was confirmed brought about."""

    by: str
    player: str | None
    events: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class HistoryChange:
    """An act that was just taken back or done again, while its pieces may still lie as before."""

    kind: str
    """UNDO or REDO."""
    entry: Entry
    """What the act began with."""
    before: Any
    """The position before that."""


class SessionContext:
    """Represents what one session works with. It takes no heed of threads: the session does.

    :raises JournalError: when the journal does not replay, or is empty and there is no *setup*.
    :raises ValueError: when the set-up is not possible.
    """

    def __init__(self, rules: Rules, journal: Journal, setup: Mapping[str, Any] | None) -> None:
        self.rules = rules
        self.history = History(rules, journal, setup)
        self.opponents = Opponents(rules, self.history.setup)
        self.belief = Belief(rules)
        self.turn = PendingTurn()
        self.last_result: LastResult | None = None
        self.dropped: Dropped | None = None
        """What no longer fits since an earlier turn was put right."""
        self.history_change: HistoryChange | None = None
        """What was just taken back, or done again."""
        self.rejection: CommandRejectedError | None = None
        """Why the last press or tap, or the roll that was seen since, was not followed."""
        self.update_verdict()

    # --- where the game stands ---

    @property
    def state(self) -> Any:
        """The position that everything confirmed has led to."""
        return self.history.state

    @property
    def bot_turn(self) -> tuple[Move, ...]:
        """The turn that the companion plays for whoever is in turn (see :meth:`Opponents.turn`)."""
        return self.opponents.turn(self.state)

    @property
    def status(self) -> str:
        """What the session waits for (see :mod:`.status`)."""
        if self.turn.drafting:
            return DRAFTING
        if self.rules.is_over(self.state):
            return OVER
        if self.question is not None:
            return ASKING
        if self.rules.expected_dice(self.state):
            return DICE
        explanations = self.turn.verdict.explanations
        if not explanations:
            return LAYOUT if self.rules.to_move(self.state) is None else WATCHING
        if explanations[0].unexplained:
            return UNEXPLAINED
        return WATCHING if self.turn.unobservable or self.turn.verdict.remaining else PROPOSAL

    @property
    def question(self) -> Question | None:
        """The open question, if any."""
        verdict = self.turn.verdict
        # What is done instead of a planned turn may not be done yet: it is asked about after a press.
        if verdict.question is not None and not self.turn.unobservable and not self.bot_turn:
            return verdict.question
        if self.turn.ask_first and verdict.explanations:
            found = verdict.explanations[: referee.OPTIONS]
            reason = "differs_from_bot_turn" if self.bot_turn else ""
            options = tuple(Option(notation(e.moves), e.probability) for e in found)
            return Question("moves", "turn", options, reason=reason, seen=not self.turn.unobservable)
        return None

    @property
    def alternatives(self) -> list[tuple[str, str]]:
        """What there is to choose from: what is asked with each answer to it, or the notation of each explanation."""
        question = self.question
        if question is not None:
            return [(question.about, option.value) for option in question.options]
        return [("", notation(explanation.moves)) for explanation in self.turn.verdict.explanations]

    @property
    def chosen(self) -> int | None:
        """Index of the alternative that is shown as chosen: the one that people went to, else the likeliest.

        None where nothing that was seen speaks for one of the answers: then only a person chooses.
        """
        alternatives, choice = self.alternatives, self.turn.choice
        if choice is not None and choice in alternatives:
            return alternatives.index(choice)
        return 0 if self.question is None else self.question.likeliest

    @property
    def explanation(self) -> Explanation:
        """The explanation that is shown, where there is one."""
        return self.turn.verdict.explanations[self.chosen or 0]

    def state_after(self, moves: Iterable[Move], state: Any = None) -> Any:
        """The position after *moves*, from the confirmed one or from *state*."""
        after = (self.state if state is None else state).copy()
        for move in moves:
            self.rules.apply(after, move)
        return after

    @property
    def drafted_state(self) -> Any:
        """The position after what has been entered by taps."""
        return self.state_after(self.turn.draft, self.drafted_from)

    @property
    def drafted_from(self) -> Any:
        """The position before it."""
        of = self.turn.draft_of
        return self.state if of is None else self.history.state_before(of)

    @property
    def shown_state(self) -> Any:
        """The position that people look at: the confirmed one, or the one they are entering."""
        return self.drafted_state if self.status == DRAFTING else self.state

    def contradictions(self) -> list[Contradiction]:
        """What is read at the places that no legal turn explains."""
        explanation = self.explanation
        return self.belief.contradictions(self.state_after(explanation.moves), explanation)

    # --- how it goes on ---

    def update_verdict(self) -> None:
        """Explains what is seen, or was said by hand, from the confirmed state."""
        turn = self.turn
        turn.verdict, turn.unobservable = Verdict(), False
        if self.rules.is_over(self.state) or turn.drafting:
            return
        turn.verdict = self.belief.verdict(self.state, self.history.dice, self.bot_turn)
        best = turn.verdict.explanations[:1]
        if self.bot_turn:
            turn.ask_first = turn.ask_first and bool(best) and best[0].moves != self.bot_turn
        elif best and self.rules.to_move(self.state) is not None:
            after = self.rules.visible_layout(self.state_after(best[0].moves))
            turn.unobservable = after == self.rules.visible_layout(self.state)
            # Whoever pressed with nothing to be seen was asked; what has been laid since is judged by itself.
            turn.ask_first = turn.ask_first and turn.unobservable and not best[0].unexplained

    def reset_turn(self) -> None:
        """Drops all that concerned the turn just recorded or taken back, and judges the table anew."""
        self.belief.clear_answers()
        self.turn = PendingTurn()
        self.update_verdict()

    def commit(
        self,
        explanation: Explanation,
        by: str,
        dice: tuple[DieReading, ...] = (),
        options: Sequence[str] = (),
    ) -> None:
        """Records moves and goes on from there (see :meth:`History.record`).

        :raises CommandRejectedError: when the journal cannot be written; nothing has changed then.
        """
        player = self.rules.to_move(self.state)
        with self.recording():
            events = self.history.record(explanation.moves, by, explanation.probability, dice, options)
        self.begin_next_turn(by, player, events)

    def begin_next_turn(self, by: str, player: str | None, events: Iterable[Event]) -> None:
        """Begins what follows something that was recorded; *events* are what it brought about."""
        self.set_last_result(by, player, events)
        self.reset_turn()

    def set_last_result(self, by: str, player: str | None, events: Iterable[Event]) -> None:
        """Notes what the last confirmation brought about; what was said of the one before is old news."""
        self.last_result = LastResult(by, player, tuple(event.to_json() for event in events))
        self.dropped = self.history_change = None

    def amend(self, seq: int, moves: Sequence[Move]) -> None:
        """Corrects the entry *seq* and replays what followed it (see :meth:`History.amend`).

        :raises CommandRejectedError: when there is no such entry, it is no turn, or the moves are not legal there;
            nothing has changed then.
        """
        self.check_reenterable(seq)
        try:
            with self.recording():
                self.dropped = self.history.amend(seq, moves, "tap")
        except CommandRejectedError:
            raise  # it could not be recorded
        except CompanionError as error:
            raise CommandRejectedError("not_possible_then") from error
        self.last_result = self.history_change = None
        self.reset_turn()

    def check_reenterable(self, seq: int) -> None:
        """Refuses to enter anew what is no longer there, or no move of the game."""
        entry = next((entry for entry in self.history.entries if entry.seq == seq), None)
        if entry is None:
            raise CommandRejectedError("no_such_turn")
        if entry.by == ADJUSTED:
            raise CommandRejectedError("not_entered_again")

    def step_history(self, kind: str, move: Callable[[], bool]) -> None:
        """Goes back or forward in the history by *move*, and remembers what has to be moved on the table with it.

        :raises CommandRejectedError: when there is nothing to go to (``nothing_to_undo``, ``nothing_to_redo``).
        """
        actions = {UNDO: self.history.to_undo, REDO: self.history.to_redo}
        before = self.state
        with self.recording():
            if not move():
                raise CommandRejectedError(f"nothing_to_{kind}")
        entry = actions[kind]
        assert entry is not None
        self.last_result = self.dropped = None
        self.history_change = HistoryChange(kind, entry, before)
        self.reset_turn()

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Refuses a command whose record the journal cannot take; nothing has changed then."""
        try:
            yield
        except JournalError as error:
            raise CommandRejectedError("not_recorded", trouble=error.cause) from error

    # --- what people write ---

    def parsed(self, text: str) -> Move:
        """Returns the move whose notation is *text*.

        :raises CommandRejectedError: when it is none, or an adjustment: within a turn, that could be recorded, but
            not replayed.
        """
        try:
            move = self.rules.parse_move(text)
        except CompanionError as error:
            raise CommandRejectedError("not_a_move", text=text) from error
        if self.rules.is_adjustment(move):
            raise CommandRejectedError("adjusted_by_hand")
        return move

    def parsed_turn(self, text: str) -> list[Move]:
        """The moves of a whole turn (``take mine 3.0 die 3; end``)."""
        return [self.parsed(part) for part in text.split("; ")]
