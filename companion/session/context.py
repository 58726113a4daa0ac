"""The session context: the game so far, the belief about the table and the pending turn; how these are updated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from calibration.errors import CompanionError
from companion import referee
from companion.games import capabilities
from companion.games.api import Event, Move, Rules
from companion.games.positions import position_after
from companion.journal import OUT_OF_TURN, Entry, Journal, JournalError
from companion.journal.history import ADJUSTED, Dropped, History
from companion.players.opponents import Opponents
from companion.referee import Contradiction, Explanation, Option, Question, Verdict, notation
from vision.sighting import DieReading

from .belief import Belief
from .errors import CommandRejectedError
from .pending_turn import PendingTurn
from .roll_doubt import RollDoubt
from .status import ASKING, DICE, DRAFTING, LAYOUT, OVER, PROPOSAL, UNEXPLAINED, WATCHING

UNDO, REDO = "undo", "redo"


@dataclass(frozen=True, slots=True)
class LastResult:
    """The effects of the last record."""

    by: str
    player: str | None
    events: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class HistoryChange:
    """A user action that was just undone or redone; the pieces on the table may still be as before."""

    kind: str
    """UNDO or REDO."""
    entry: Entry
    """First entry of the action."""
    before: Any
    """The position before the undo or redo."""


class SessionContext:
    """Represents everything that one session works with. It is not safe for threads; :class:`.TableSession` is.

    :raises JournalError: when the journal does not replay, or is empty and there is no *setup*.
    :raises ValueError: when the set-up is not possible.
    """

    def __init__(self, rules: Rules, journal: Journal, setup: Mapping[str, Any] | None) -> None:
        self.rules = rules
        self.automatic = capabilities.automatic(rules)
        self.cards = capabilities.cards(rules)
        self.chance = capabilities.chance(rules)
        self.correctable = capabilities.correctable(rules)
        self.dice = capabilities.dice(rules)
        self.guided = capabilities.guided(rules)
        self.guided_setup = capabilities.guided_setup(rules)
        self.out_of_turn = capabilities.out_of_turn(rules)
        self.partly_reported = capabilities.partly_reported(rules)
        self.secrets = capabilities.secrets(rules)
        self.observable = capabilities.observable(rules)
        self.history = History(rules, journal, setup)
        self.opponents = Opponents(rules, self.history.setup)
        self.belief = Belief(rules)
        self.turn = PendingTurn()
        self.last_result: LastResult | None = None
        self.dropped: Dropped | None = None
        """Turns that are no longer legal since an earlier one was corrected."""
        self.history_change: HistoryChange | None = None
        """The undo or redo that was just made."""
        self.rejection: CommandRejectedError | None = None
        """Why the last press or tap was rejected, or the roll seen since could not be recorded."""
        self.update_verdict()

    # --- the current state ---

    @property
    def state(self) -> Any:
        """The position after everything that is recorded."""
        return self.history.state

    @property
    def bot_turn(self) -> tuple[Move, ...]:
        """The turn that the companion chooses for the player in turn (see :meth:`Opponents.turn`)."""
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
        if self.dice.expected_dice(self.state):
            return DICE
        explanations = self.turn.verdict.explanations
        if not explanations:
            return LAYOUT if self._is_set_up_by_people else WATCHING
        if explanations[0].unexplained:
            return UNEXPLAINED
        return WATCHING if self.turn.unobservable or self.turn.verdict.remaining else PROPOSAL

    @property
    def _is_set_up_by_people(self) -> bool:
        """Whether the game waits for something that is laid out, and for no player's decision."""
        if self.rules.to_move(self.state) is not None:
            return False
        steps = self.guided_setup.setup_steps(self.state)
        return bool(steps) or bool(self.observable.expected_layouts(self.state))

    @property
    def question(self) -> Question | None:
        """The open question, if any."""
        verdict = self.turn.verdict
        # Instead of a bot's turn, another may be half done: a question about it waits for a press.
        waits = self.turn.unobservable or bool(self.bot_turn)
        if verdict.question is not None and (verdict.question.kind == "die" or not waits):
            return verdict.question
        if self.turn.ask_first and verdict.explanations:
            found = verdict.explanations[: referee.OPTIONS]
            reason = "differs_from_bot_turn" if self.bot_turn else ""
            options = tuple(Option(notation(e.moves), e.probability) for e in found)
            return Question("moves", "turn", options, reason=reason, seen=not self.turn.unobservable)
        return None

    @property
    def alternatives(self) -> list[tuple[str, str]]:
        """What *next* steps through: the question with each of its answers, or the notation of each explanation."""
        question = self.question
        if question is not None:
            return [(question.about, option.value) for option in question.options]
        return [("", notation(explanation.moves)) for explanation in self.turn.verdict.explanations]

    @property
    def chosen(self) -> int | None:
        """Index of the marked alternative: the one that people selected, else the likeliest.

        ``None`` if nothing that was seen supports one of the answers: then only a person can choose.
        """
        alternatives, choice = self.alternatives, self.turn.choice
        if choice is not None and choice in alternatives:
            return alternatives.index(choice)
        return 0 if self.question is None else self.question.likeliest

    @property
    def explanation(self) -> Explanation:
        """The explanation that is shown; there has to be one."""
        return self.turn.verdict.explanations[self.chosen or 0]

    def state_after(self, moves: Iterable[Move], state: Any = None) -> Any:
        """Returns the position after *moves*, made in *state* or else in the recorded position."""
        return position_after(self.rules, self.state if state is None else state, moves)

    @property
    def drafted_state(self) -> Any:
        """The position after the moves entered by taps."""
        return self.state_after(self.turn.draft, self.drafted_from)

    @property
    def drafted_from(self) -> Any:
        """The position before the moves entered by taps."""
        of = self.turn.draft_of
        return self.state if of is None else self.history.state_before(of)

    @property
    def shown_state(self) -> Any:
        """The position to show: the recorded one, or the one that is being entered."""
        return self.drafted_state if self.status == DRAFTING else self.state

    def out_of_turn_moves(self) -> Sequence[Move]:
        """Returns what players may do now while it is not their turn: nothing while an earlier entry is entered
        again."""
        return () if self.turn.draft_of is not None else self.out_of_turn.out_of_turn_moves(self.state)

    def is_beside_turn(self, move: Move) -> bool:
        """Returns whether a move is no part of the turn that is pending."""
        return self.turn.draft_of is None and self.out_of_turn.is_beside_turn(self.state, move)

    def contradictions(self) -> list[Contradiction]:
        """Returns the readings that the shown explanation leaves unexplained."""
        explanation = self.explanation
        return self.belief.contradictions(self.state_after(explanation.moves), explanation)

    # --- changes ---

    def update_verdict(self) -> None:
        """Explains the last sighting and people's answers, starting from the recorded position."""
        turn = self.turn
        turn.verdict, turn.unobservable = Verdict(), False
        if self.rules.is_over(self.state) or turn.drafting:
            return
        if turn.roll_doubt is None:
            turn.roll_doubt = self._roll_doubt()
        turn.verdict = self.belief.verdict(self.state, self.history.dice, turn.roll_doubt, self.bot_turn)
        best = turn.verdict.explanations[:1]
        if self.bot_turn:
            turn.ask_first = turn.ask_first and bool(best) and best[0].moves != self.bot_turn
        elif best and self.rules.to_move(self.state) is not None:
            after = self.observable.visible_layout(self.state_after(best[0].moves))
            usual = self.rules.stage(self.state).usual
            is_usual = usual is not None and [*best[0].moves] == [usual]
            turn.unobservable = not is_usual and after == self.observable.visible_layout(self.state)
            # The question was about a turn with nothing to see; something placed since then needs none.
            turn.ask_first = turn.ask_first and turn.unobservable and not best[0].unexplained

    def _roll_doubt(self) -> RollDoubt:
        players = [seat["colour"] for seat in self.rules.seats(self.history.setup)]
        return RollDoubt(self.rules, self.history, players)

    def reset_turn(self) -> None:
        """Forgets everything about the turn that was just recorded or undone, and explains the table again."""
        self.belief.clear_answers(self.state)
        self.turn = PendingTurn()
        self.update_verdict()

    def commit(
        self,
        explanation: Explanation,
        by: str,
        dice: tuple[DieReading, ...] = (),
        options: Sequence[str] = (),
    ) -> None:
        """Records the moves of *explanation* and begins the next turn (see :meth:`History.record`).

        :raises CommandRejectedError: when the journal cannot be written; nothing has changed then.
        """
        player = self.rules.to_move(self.state)
        with self.recording():
            events = self.history.record(explanation.moves, by, explanation.probability, dice, options)
        self.begin_next_turn(by, player, events)

    def begin_next_turn(self, by: str, player: str | None, events: Iterable[Event]) -> None:
        """Begins the turn after a record whose effects are *events*."""
        self.set_last_result(by, player, events)
        self.reset_turn()

    def set_last_result(self, by: str, player: str | None, events: Iterable[Event]) -> None:
        """Sets the effects of the last record, and clears what was to say about the change before it."""
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
        """Rejects an entry number that does not exist, that is no turn, or that holds a secret."""
        entry = next((entry for entry in self.history.entries if entry.seq == seq), None)
        if entry is None:
            raise CommandRejectedError("no_such_turn")
        if entry.by == ADJUSTED:
            raise CommandRejectedError("not_entered_again")
        if entry.by == OUT_OF_TURN:
            raise CommandRejectedError("out_of_turn_not_entered_again")
        if any(self.secrets.owner_of(move) for move in entry.moves):
            raise CommandRejectedError("secret_not_entered_again")

    def step_history(self, kind: str, move: Callable[[], bool]) -> None:
        """Undoes or redoes by calling *move*, and remembers what has to be moved on the table to match.

        :raises CommandRejectedError: when there is nothing to undo or redo (``nothing_to_undo``, ``nothing_to_redo``).
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
        """Rejects a command whose record the journal cannot write; nothing has changed then."""
        try:
            yield
        except JournalError as error:
            raise CommandRejectedError("not_recorded", trouble=error.cause) from error

    # --- who may enter what ---

    def allowed_for(self, viewer: str | None) -> Callable[[Move], bool]:
        """Returns a function that says whether *viewer*, a player on their own page or None for the shared screen, may
        enter a move now.

        Secrets are entered by their owner alone; other moves on the shared screen, or by a player who is to act.
        """
        acts = viewer is None or viewer in self.rules.stage(self.shown_state).actors

        def is_allowed(move: Move) -> bool:
            owner = self.secrets.owner_of(move)
            return acts if owner is None else owner == viewer

        return is_allowed

    # --- parsing ---

    def parsed(self, text: str) -> Move:
        """Returns the move whose notation is *text*.

        :raises CommandRejectedError: when it is none, or an adjustment: within a turn, that could be recorded, but
            not replayed.
        """
        try:
            move = self.rules.parse_move(text)
        except CompanionError as error:
            raise CommandRejectedError("not_a_move", text=text) from error
        if self.correctable.is_adjustment(move):
            raise CommandRejectedError("adjusted_by_hand")
        return move

    def parsed_turn(self, text: str) -> list[Move]:
        """Returns the moves of a complete turn (``take mine 3.0 die 3; end``)."""
        return [self.parsed(part) for part in text.split("; ")]
