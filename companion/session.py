"""The table session: what the companion believes, proposes, asks and records, whoever reports it.

A small state machine. Its *status* is one of:

======== =============================================================
dice     a roll is awaited
layout   set-up or a phase's tiles are awaited
watching a turn is being played and has left no trace yet
proposal one explanation is clear: confirm it
asking   a question is open
puzzled  what is seen fits no legal turn
drafting a turn is being entered by tapping
over     the game has ended
======== =============================================================

Presses, taps and sightings may come from different threads; each is handled whole, one after the other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any

from vision.expected import ExpectedCard
from vision.sighting import EMPTY, DieReading, Sighting

from . import referee
from .belief import DICE_SEEN, DIE_AWAITED, Belief, is_new_roll
from .game import Game, Move
from .history import SEEN, Dropped, History
from .journal import Journal, JournalError, Unit
from .opponents import Opponents
from .referee import Contradiction, Explanation, Option, Question, Slip, Verdict, notation

DICE, LAYOUT, WATCHING, PROPOSAL, ASKING, PUZZLED, DRAFTING, OVER = STATUSES = (
    "dice",
    "layout",
    "watching",
    "proposal",
    "asking",
    "puzzled",
    "drafting",
    "over",
)
PERSON = "person"
"""The kind of seat that has a name."""
LONGEST_NAME = 20
"""Characters of what a player is called, so that it fits on the page."""
STILL_OPEN = 0.02
"""Probability from which another turn may still be the one that was played, when play has gone on."""


class RefusedError(ValueError):
    """A press or tap that cannot be followed now; ``code`` and ``data`` say why in the page's words."""

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(f"{code} {data}" if data else code)
        self.code = code
        self.data = data


@dataclass(frozen=True, slots=True)
class Told:
    """What the last thing that was confirmed brought about."""

    by: str
    player: str | None
    events: tuple[Mapping[str, Any], ...]


class TableSession:
    """Represents one game at one table, from the first tile to the winner.

    *setup* begins a new game in an empty journal; a journal that holds a game is resumed, and *setup* may be
    left out.

    :raises JournalError: when the journal does not replay, or is empty and there is no *setup*.
    :raises ValueError: when the set-up is not possible.
    """

    def __init__(self, rules: Game, journal: Journal, setup: Mapping[str, Any] | None = None) -> None:
        self.rules = rules
        self.journal = journal
        self._changed = threading.Condition(threading.RLock())
        self._history = History(rules, journal, setup)
        self.version = 0
        self._opponents = Opponents(rules, self.setup)
        self._belief = Belief(rules)
        self._verdict = Verdict()
        self._chosen = 0
        """Which explanation or answer is shown."""
        self._told: Told | None = None
        self._dropped: Dropped | None = None
        """What no longer fits since an earlier turn was put right."""
        self._refused: RefusedError | None = None
        self._help = False
        self._seen = 0
        """How many sightings have come."""
        self._insisted: tuple[Slip, ...] | None = None
        """What was amiss in a planned turn when a person last confirmed it."""
        self._draft: list[Move] = []
        """Moves entered by taps."""
        self._draft_of: int | None = None
        """The unit that is entered anew, if it is not the next one."""
        self._forget_turn()
        self._judge()

    # --- what comes in ---

    def see(self, sighting: Sighting) -> None:
        """Takes a settled sighting; what it makes clear by itself (a roll) is recorded at once.

        Where play has gone on though the turn before was not confirmed, that turn is taken for the likeliest one, and
        stays open to be put right.
        """
        with self._changed:
            before = self._open_turn()
            self._belief.see(sighting)
            self._seen += 1
            self._judge()
            if before and self.status == PUZZLED:
                self._go_on_from(before)
            self._settle_what_is_clear()
            self._touch()

    def watch(self, *, dice: bool | None = None, boards: bool | None = None) -> None:
        """Says what is to be read from the table from now on: the dice, the boards, or neither; None leaves it so."""
        with self._command():
            self._belief.watch(dice=dice, boards=boards)
            self._judge()

    def see_roll(self, dice: tuple[DieReading, ...]) -> None:
        """Takes settled dice before the places are read, for everybody waits for them.

        A roll that they make clear is recorded; all else waits for the sighting that follows.
        """
        with self._changed:
            unwanted = DICE_SEEN not in self.watched or not self.awaits_roll or self._drafting
            if unwanted or not is_new_roll(dice, self._history.dice, self.rules.dice_wanted(self.state)):
                return
            verdict = self._belief.roll_of(self.state, dice)
            if verdict.clear:
                self._belief.sighting = None
                self._record_roll(verdict.explanations[0], dice)
                self._touch()

    def confirm(self, *, settled: bool = True, player: str | None = None) -> None:
        """Accepts what is proposed or chosen. *settled* is False while the table is still moving.

        What the companion plays, anybody may confirm. It is accepted, too, when people confirm it again though it is
        not seen to be done. Another turn in its place is asked for first, for it may be a slip of the hand.

        :raises RefusedError: when there is nothing to confirm, or *player* is told and it is the turn of another.
        """
        with self._command():
            to_move = self.rules.to_move(self.state)
            if player is not None and to_move not in (None, player) and not self.planned:
                raise RefusedError("not_your_turn", player=to_move)
            if not settled:
                self._confirm_when_clear = True
            elif self.status == ASKING:
                question = self.question
                assert question is not None
                self._confirm_when_clear = True
                self._answer(question.about, question.options[self._chosen].value)
            elif self.status in (WATCHING, PUZZLED) and self.planned:
                self._confirm_as_told()
            elif self.status == WATCHING and self._verdict.explanations:
                # A turn that leaves no trace is asked for, so that a second press by mistake changes nothing.
                self._ask_first = True
            elif self.status == PROPOSAL:
                self._accept(self._verdict.explanations[self._chosen])
            elif self._verdict.notice == DIE_AWAITED:
                self._take_die_as_it_lies()
            else:
                self._confirm_when_clear = self.status in (DICE, LAYOUT)
                raise RefusedError(f"nothing_to_confirm_{self.status}")

    def next_alternative(self) -> None:
        """Shows the next explanation, or the next answer of an open question.

        :raises RefusedError: when there is only one.
        """
        with self._command():
            count = self._alternatives()
            if count < 2:
                raise RefusedError("no_alternative")
            self._chosen = (self._chosen + 1) % count

    def undo(self, *, whole: bool = False) -> None:
        """Takes back the last tap of what is being entered, or all of it if *whole*; when nothing is being entered, the
        last thing that a person confirmed, and what was seen by itself since.

        :raises RefusedError: when nothing has been confirmed yet.
        """
        with self._command():
            if self._drafting:
                if whole:
                    self._draft.clear()
                if whole or not self._draft:
                    self._draft_of = None
                else:
                    self._draft.pop()
                self._judge()
                return
            with self._recording():
                if not self._history.undo():
                    raise RefusedError("nothing_to_undo")
            self._told = self._dropped = None
            self._forget_turn()
            self._judge()

    def rule(self) -> None:
        """That is how we play it: records the turn that comes nearest, and the table as it is seen.

        :raises RefusedError: when what is seen fits a legal turn, or cannot be on this table.
        """
        with self._command():
            if self.status != PUZZLED:
                raise RefusedError("nothing_to_rule")
            if self.rules.forced(self.state):
                raise RefusedError("nothing_to_rule_in_forced")
            moves = list(self._verdict.explanations[self._chosen].moves)
            end = [moves.pop()] if self.rules.ends_turn(moves[-1]) else []
            state = self._state_after(moves)
            shown = referee.as_seen(self.rules.visible(state), self._against())
            ruling = self.rules.ruling(state, shown)
            if reason := self.rules.why_not(state, ruling):
                raise RefusedError(reason.code, **reason.data)
            self._commit(Explanation((*moves, ruling, *end), 1.0), "ruling")

    def amend(self, seq: int, text: str) -> None:
        """Puts the unit *seq* right: *text* is the notation of what was really done. Later turns are replayed.

        :raises RefusedError: when there is no such unit, or the moves are not possible there; nothing has changed then.
        """
        with self._command():
            self._amend(seq, [self._parsed(part) for part in text.split("; ")])

    def enter_again(self, seq: int) -> None:
        """Begins to enter the unit *seq* anew by taps; undo with nothing entered leaves it as it was.

        :raises RefusedError: when there is no such unit.
        """
        with self._command():
            if seq not in [unit.seq for unit in self._history.units]:
                raise RefusedError("no_such_turn")
            self._draft, self._draft_of = [], seq
            self._judge()

    def call(self, player: str, name: str) -> None:
        """Says what a player is called, from now on; an empty *name* is none.

        :raises RefusedError: when no person plays that colour, the name is too long, or another is called so.
        """
        with self._command():
            name = " ".join(name.split())
            people = [s["colour"] for s in self.rules.seats(self.setup) if s["kind"] == PERSON]
            if player not in people:
                raise RefusedError("no_such_player", expected=people)
            if len(name) > LONGEST_NAME:
                raise RefusedError("name_too_long", most=LONGEST_NAME)
            if name and name in (other for colour, other in self._history.names.items() if colour != player):
                raise RefusedError("name_taken", name=name)
            with self._recording():
                self._history.call(player, name)

    def ask_help(self) -> None:
        """Shows what can be done now, until the next press or tap."""
        with self._command():
            self._help = True

    def answer(self, about: str, value: str) -> None:
        """Answers the open question.

        :raises RefusedError: when that is not what is asked, or not an answer to it.
        """
        with self._command():
            kind, _, seq = about.partition(":")
            if kind == "unit" and seq.isdecimal():
                self._answer_late(int(seq), value)
                return
            question = self.question
            if question is None or question.about != about:
                raise RefusedError("question_is_gone", about=about)
            if value not in [option.value for option in question.options]:
                raise RefusedError("no_such_answer", value=value)
            self._answer(about, value)

    def correct(self, place: str, label: str) -> None:
        """Says what really lies on a place; the reading of it is set aside for this turn."""
        with self._command():
            self._answer(place, label)

    def correct_die(self, die: str, value: int) -> None:
        """Says what a die of the roll just recorded shows (``red:0``, ``6``); the roll is recorded anew.

        :raises RefusedError: when something has been confirmed since, or there is no such die or value.
        """
        with self._command():
            last = self._history.units[-1] if self._history.units else None
            dice = self.rules.dice_of(last.moves[0]) if last is not None else {}
            colour, _, index = die.partition(":")
            if last is None or not index.isdecimal() or int(index) >= len(dice.get(colour, ())):
                raise RefusedError("no_such_die_now", die=die)
            if value not in range(1, 7):
                raise RefusedError("no_such_value", value=value)
            dice[colour][int(index)] = value
            lying = self._history.dice
            with self._recording():
                self._history.drop_last()
            self._commit(Explanation((self.rules.roll(self.state, dice),), 1.0), "tap", lying)

    def tap(self, text: str) -> None:
        """Enters one move by its notation; a turn is recorded when the move that ends it is entered.

        :raises RefusedError: when the text is no move, or the move is not legal.
        """
        with self._command():
            move = self._parsed(text)
            state = self._drafted_state()
            if reason := self.rules.why_not(state, move):
                raise RefusedError(reason.code, **reason.data)
            self._draft.append(move)
            if self.rules.to_move(state) is not None and not self.rules.ends_turn(move):
                return
            if self._draft_of is not None:
                self._amend(self._draft_of, self._draft)
            else:
                self._commit(Explanation(tuple(self._draft), 1.0), "tap")

    # --- what can be seen of it ---

    @property
    def setup(self) -> Mapping[str, Any]:
        return self._history.setup

    @property
    def state(self) -> Any:
        """The position that everything confirmed has led to."""
        return self._history.state

    @property
    def planned(self) -> tuple[Move, ...]:
        """The turn that the companion plays for whoever is in turn (see :meth:`Opponents.turn`)."""
        with self._changed:
            return self._opponents.turn(self.state)

    @property
    def watched(self) -> frozenset[str]:
        """What is read from the table, of WATCHABLE."""
        return self._belief.watched

    @property
    def status(self) -> str:
        """What the session waits for (see the module's table)."""
        if self._drafting:
            return DRAFTING
        if self.rules.is_over(self.state):
            return OVER
        if self.question is not None:
            return ASKING
        if self.rules.dice_wanted(self.state):
            return DICE
        explanations = self._verdict.explanations
        if not explanations:
            return LAYOUT if self.rules.to_move(self.state) is None else WATCHING
        if explanations[0].unexplained:
            return PUZZLED
        return WATCHING if self._traceless or self._verdict.left else PROPOSAL

    @property
    def awaits_roll(self) -> bool:
        """Whether dice are the next thing that the game must be told."""
        with self._changed:
            return bool(self.rules.dice_wanted(self.state))

    @property
    def question(self) -> Question | None:
        """The open question, if any."""
        # What is done instead of a planned turn may not be done yet: it is asked about after a press.
        if self._verdict.question is not None and not self._traceless and not self.planned:
            return self._verdict.question
        if self._ask_first and self._verdict.explanations:
            options = (Option(notation(e.moves), e.probability) for e in self._verdict.explanations)
            reason = "planned_otherwise" if self.planned else ""
            return Question("moves", "turn", tuple(options)[: referee.OPTIONS], reason=reason)
        return None

    @property
    def explanations(self) -> tuple[Explanation, ...]:
        """How what was seen last can have come about, most probable first."""
        with self._changed:
            return self._verdict.explanations

    def wait_for_change(self, version: int, timeout: float) -> int:
        """Blocks until the version differs from *version* or *timeout* seconds have passed; returns it."""
        with self._changed:
            self._changed.wait_for(lambda: self.version != version, timeout)
            return self.version

    def units(self) -> list[Unit]:
        """What stands in the journal, oldest first."""
        with self._changed:
            return list(self._history.units)

    def read(self, look: Callable[[TableSession], Any]) -> Any:
        """Runs *look* while nothing changes."""
        with self._changed:
            return look(self)

    def objections(self, place: str) -> list[dict[str, Any]]:
        """What the player in turn cannot do at *place*: each move with the code and data of the reason."""
        with self._changed:
            shown = self._drafted_state() if self.status == DRAFTING else self.state
            return [
                {"move": self.rules.describe(move), "code": reason.code, "data": dict(reason.data)}
                for move, reason in self.rules.objections(shown, place)
            ]

    def certain_places(self) -> dict[str, str]:
        """Place -> what lies there by the moves confirmed so far; places whose order is free are left out."""
        with self._changed:
            visible = self.rules.visible(self.state)
            return {
                f"{group}:{i}": label
                for group, labels in visible.items()
                if not self.rules.is_unordered(group)
                for i, label in enumerate(labels)
            }

    def expected_cards(self) -> dict[str, ExpectedCard]:
        """The cards that lie on the table by what is confirmed, by the group of places that their spaces are.

        What is bare is only sure in the turn of a person: nobody touches the cards then.
        """
        with self._changed:
            at_rest = self.rules.to_move(self.state) is not None and self.rules.forced(self.state) is None
            visible = self.rules.visible(self.state)
            return {
                group: ExpectedCard(
                    card.number, tuple(label == EMPTY and (at_rest or None) for label in visible[group])
                )
                for group, card in self.rules.cards(self.state).items()
            }

    def changed_places(self, seq: int | None) -> list[str]:
        """Places that look otherwise after the unit *seq* than before it; with None, by what is proposed now."""
        with self._changed:
            if seq is not None:
                unit = next((unit for unit in self._history.units if unit.seq == seq), None)
                before, moves = (
                    (self.state, ()) if unit is None else (self._history.state_before(seq), unit.moves)
                )
            else:
                shown = self._verdict.explanations[self._chosen : self._chosen + 1]
                before, moves = self.state, shown[0].moves if shown else ()
            was, now = self.rules.visible(before), self.rules.visible(self._state_after(moves, before))
            return [
                f"{group}:{i}"
                for group, labels in was.items()
                for i, (label, after) in enumerate(zip_longest(labels, now[group]))
                if after != label
            ]

    def snapshot(self) -> dict[str, Any]:
        """Everything a page needs, as plain data in neutral words."""
        with self._changed:
            status = self.status
            shown = self._drafted_state() if status == DRAFTING else self.state
            told, refused, question = self._told, self._refused, self.question
            sighting = self._belief.sighting
            return {
                "version": self.version,
                "status": status,
                "seen": self._seen,
                "confirmed": len(self._history.units),
                "help": self._help,
                "game": self.rules.name,
                "picture": {**self.rules.picture(shown), "names": dict(self._history.names)},
                "proposal": self._proposal_json() if status in (PROPOSAL, PUZZLED) else None,
                "draft": [self.rules.describe(move) for move in self._draft],
                "draft_of": self._draft_of,
                "legal": [self.rules.describe(move) for move in self.rules.legal_moves(shown)],
                "question": None if question is None else self._question_json(question),
                "notice": {"code": self._verdict.notice, **self._verdict.notice_data}
                if self._verdict.notice
                else None,
                "refused": None if refused is None else {"code": refused.code, **refused.data},
                "told": None
                if told is None
                else {"by": told.by, "player": told.player, "events": list(told.events)},
                "can_undo": self._undo_json(),
                "opponents": dict(self._opponents.bots),
                "planned": None if status == DRAFTING else self._planned_json(),
                "slips": [asdict(slip) for slip in self._verdict.slips],
                "insisting": self._insisted is not None and self._insisted == self._amiss,
                "open_turns": [self._open_json(unit) for unit in self._history.open_units],
                "dropped": self._dropped_json(),
                "watched": sorted(self.watched),
                "confirm_when_clear": self._confirm_when_clear,
                "sighting": None if sighting is None else sighting.to_json(),
            }

    # --- inside ---

    def _command(self) -> _Command:
        return _Command(self)

    def _touch(self) -> None:
        self.version += 1
        self._changed.notify_all()

    def _forget_turn(self) -> None:
        """Drops all that concerned the turn just recorded or taken back."""
        self._verdict = Verdict()
        self._traceless = False
        """Whether the best explanation of a turn changes nothing that can be seen."""
        self._chosen = 0
        self._belief.forget_answers()
        self._draft = []
        self._draft_of = None
        self._ask_first = False
        """Whether a press has met something that is asked for before it counts."""
        self._meant = ""
        """Notation of a turn that people have said they meant, though another was planned."""
        self._confirm_when_clear = False
        self._insisted = None

    @property
    def _drafting(self) -> bool:
        """Whether moves are being entered by taps."""
        return bool(self._draft) or self._draft_of is not None

    def _open_turn(self) -> tuple[Explanation, ...]:
        """The turns that were proposed or asked about, and that nobody has confirmed."""
        is_turn = self.rules.to_move(self.state) is not None
        return self._verdict.explanations if is_turn and self.status in (PROPOSAL, ASKING) else ()

    def _go_on_from(self, before: Sequence[Explanation]) -> None:
        """Records the likeliest turn *before*, if the next player's turn then explains what is seen."""
        for explanation in before[: referee.OPTIONS]:
            state = self._state_after(explanation.moves)
            if self.rules.to_move(state) is None or explanation.unexplained:
                continue
            found = self._belief.turn(state).explanations[:1]
            if found and not found[0].unexplained:
                alike = [e for e in before[: referee.OPTIONS] if e.probability >= STILL_OPEN]
                options = [notation(e.moves) for e in alike] if len(alike) > 1 else []
                self._commit(explanation, "assumed", options=options)
                return

    def _answer_late(self, seq: int, value: str) -> None:
        """A question about a turn that play has gone on from."""
        unit = next((unit for unit in self._history.open_units if unit.seq == seq), None)
        if unit is None:
            raise RefusedError("question_is_gone", about=f"unit:{seq}")
        if value not in unit.options:
            raise RefusedError("no_such_answer", value=value)
        if value != notation(unit.moves):
            self._amend(seq, [self._parsed(part) for part in value.split("; ")])
            return
        with self._recording():
            self._history.close(seq)

    def _amend(self, seq: int, moves: Sequence[Move]) -> None:
        try:
            with self._recording():
                self._dropped = self._history.amend(seq, moves, "tap")
        except LookupError as error:
            raise RefusedError("no_such_turn") from error
        except ValueError as error:
            raise RefusedError("not_possible_then") from error
        self._told = None
        self._forget_turn()
        self._judge()

    def _parsed(self, text: str) -> Move:
        try:
            return self.rules.parse_move(text)
        except ValueError as error:
            raise RefusedError("not_a_move", text=text) from error

    @contextmanager
    def _recording(self) -> Iterator[None]:
        """Refuses a command whose record the journal cannot take; nothing has changed then."""
        try:
            yield
        except JournalError as error:
            raise RefusedError("not_recorded", reason=str(error)) from error

    @property
    def _amiss(self) -> tuple[Slip, ...]:
        """What of a planned turn has gone wrong, and what is still to do."""
        return (*self._verdict.slips, *self._verdict.left)

    def _confirm_as_told(self) -> None:
        """Answers with what is amiss in a planned turn; to the same press again, by recording it.

        People know better then than the eye, whose reading is set aside.

        :raises RefusedError: the first time.
        """
        amiss = self._amiss
        if self._insisted != amiss:
            self._insisted = amiss
            code = "not_as_told" if self._verdict.slips else "not_done_yet" if amiss else "not_seen_yet"
            raise RefusedError(code, slips=[asdict(slip) for slip in self._verdict.slips or amiss])
        self._belief.take_for_granted(self._state_after(self.planned))
        self._commit(Explanation(self.planned, 1.0), "confirm")

    def _accept(self, explanation: Explanation) -> None:
        """Records what is seen; a turn that was planned otherwise is asked for first."""
        if self.planned not in ((), explanation.moves) and notation(explanation.moves) != self._meant:
            self._ask_first, self._confirm_when_clear = True, False
        else:
            self._commit(explanation, "confirm")

    def _against(self) -> list[Contradiction]:
        """What is read at the places that no legal turn explains."""
        explanation = self._verdict.explanations[self._chosen]
        return self._belief.against(self._state_after(explanation.moves), explanation)

    def _judge(self) -> None:
        """Explains what is seen, or was said by hand, from the confirmed state."""
        self._verdict = Verdict()
        self._traceless = False
        if self.rules.is_over(self.state) or self._drafting:
            return
        self._verdict = self._belief.verdict(self.state, self._history.dice, self.planned)
        best = self._verdict.explanations[:1]
        if self.planned:
            self._ask_first = self._ask_first and bool(best) and best[0].moves != self.planned
        elif best and self.rules.to_move(self.state) is not None:
            after = self.rules.visible(self._state_after(best[0].moves))
            self._traceless = after == self.rules.visible(self.state)
        self._chosen = min(self._chosen, max(0, self._alternatives() - 1))

    def _settle_what_is_clear(self) -> None:
        """A clear roll is recorded by itself; a confirmation given while the table moved is honoured now."""
        if not self._verdict.clear:
            return
        if self.rules.dice_wanted(self.state):
            sighting = self._belief.sighting
            dice = () if sighting is None else sighting.dice
            self._record_roll(self._verdict.explanations[0], dice)
        elif self.rules.reports(self.state):
            self._commit(self._verdict.explanations[0], "tap")
        elif self._confirm_when_clear and self.status == PROPOSAL:
            self._accept(self._verdict.explanations[0])

    def _take_die_as_it_lies(self) -> None:
        """Somebody says that the die which is awaited was rolled, though it lies and shows as before."""
        assert self._belief.sighting is not None
        dice = self._belief.sighting.dice
        self._verdict = self._belief.roll_of(self.state, dice)
        if self._verdict.clear:
            self._record_roll(self._verdict.explanations[0], dice)

    def _record_roll(self, roll: Explanation, dice: tuple[DieReading, ...]) -> None:
        try:
            self._commit(
                roll,
                SEEN if DICE_SEEN in self.watched and self.rules.dice_are_seen(self.state) else "tap",
                dice,
            )
        except RefusedError as error:
            self._refused = error

    def _answer(self, about: str, value: str) -> None:
        self._belief.answers[about] = value
        if about == "turn" and self._ask_first:
            self._meant = value
        self._ask_first = False
        self._chosen = 0
        if about == "turn" and self._traceless:
            chosen = [e for e in self._verdict.explanations if notation(e.moves) == value]
            self._commit(chosen[0], "confirm")
            return
        self._judge()
        self._settle_what_is_clear()

    def _alternatives(self) -> int:
        question = self.question
        return len(question.options) if question is not None else len(self._verdict.explanations)

    def _state_after(self, moves: Iterable[Move], state: Any = None) -> Any:
        """The position after *moves*, from the confirmed one or from *state*."""
        after = (self.state if state is None else state).copy()
        for move in moves:
            self.rules.apply(after, move)
        return after

    def _drafted_state(self) -> Any:
        """The position after what has been entered by taps."""
        begun = None if self._draft_of is None else self._history.state_before(self._draft_of)
        return self._state_after(self._draft, begun)

    def _commit(
        self,
        explanation: Explanation,
        by: str,
        dice: tuple[DieReading, ...] = (),
        options: Sequence[str] = (),
    ) -> None:
        """Records moves and goes on from there (see :meth:`History.record`).

        :raises RefusedError: when the journal cannot be written; nothing has changed then.
        """
        player = self.rules.to_move(self.state)
        with self._recording():
            events = self._history.record(explanation.moves, by, explanation.probability, dice, options)
        self._told = Told(by, player, tuple(event.to_json() for event in events))
        self._dropped = None
        self._forget_turn()
        self._judge()

    def _proposal_json(self) -> dict[str, Any]:
        explanation = self._verdict.explanations[self._chosen]
        state = self.state.copy()
        events = [event.to_json() for move in explanation.moves for event in self.rules.apply(state, move)]
        return {
            "player": self.rules.to_move(self.state),
            "moves": [self.rules.describe(move) for move in explanation.moves],
            "events": events,
            "probability": round(explanation.probability, 4),
            "unexplained": list(explanation.unexplained),
            "overlooked": list(explanation.overlooked),
            "breaches": self._breaches_json(explanation),
            "chosen": self._chosen,
            "alternatives": len(self._verdict.explanations),
        }

    def _question_json(self, question: Question) -> dict[str, Any]:
        return {**asdict(question), "chosen": self._chosen}

    def _breaches_json(self, explanation: Explanation) -> list[dict[str, Any]]:
        """What breaks which rule; empty when all is explained."""
        if not explanation.unexplained or self._verdict.slips:
            return []
        found = referee.breaches(self.rules, self.state, explanation.moves, self._against())
        return [
            {
                "place": breach.seen.place,
                "expected": breach.seen.expected,
                "read": breach.seen.read,
                "move": None if breach.move is None else self.rules.describe(breach.move),
                "reason": None
                if breach.reason is None
                else {"code": breach.reason.code, **breach.reason.data},
            }
            for breach in found
        ]

    def _planned_json(self) -> dict[str, Any] | None:
        """What the companion plays now, or has to choose at set-up."""
        moves = self.planned or self._opponents.start(self.state)
        if not moves:
            return None
        state = self.state.copy()
        steps = [self._step_json(state, move) for move in moves]
        return {"player": self.rules.to_move(self.state), "steps": steps}

    def _step_json(self, state: Any, move: Move) -> dict[str, Any]:
        """A planned move, made in *state*: what it brings about, and whether it is seen done."""
        was = self.rules.visible(state)
        events = [event.to_json() for event in self.rules.apply(state, move)]
        is_seen = self._belief.shows(was, self.rules.visible(state))
        return {"move": self.rules.describe(move), "events": events, "seen": is_seen}

    def _open_json(self, unit: Unit) -> dict[str, Any]:
        """A turn that play has gone on from though it was not clear."""
        return {
            "seq": unit.seq,
            "player": unit.player,
            "options": list(unit.options),
            "assumed": notation(unit.moves),
        }

    def _dropped_json(self) -> dict[str, Any] | None:
        if self._dropped is None:
            return None
        units = [
            {"player": unit.player, "moves": [self.rules.describe(move) for move in unit.moves]}
            for unit in self._dropped.units
        ]
        return {"units": units, "reason": {"code": self._dropped.reason.code, **self._dropped.reason.data}}

    def _undo_json(self) -> dict[str, Any] | None:
        last = self._history.last_by_people
        if last is None:
            return None
        return {"player": last.player, "moves": [self.rules.describe(move) for move in last.moves]}


class _Command:
    """One press or tap: runs alone, remembers why it was refused, and counts as a change either way."""

    def __init__(self, session: TableSession) -> None:
        self._session = session

    def __enter__(self) -> None:
        self._session._changed.acquire()
        self._session._refused = None
        self._session._help = False

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, RefusedError):
            self._session._refused = error
        self._session._touch()
        self._session._changed.release()


def _group(place: str) -> str:
    """``depot:1`` of ``depot:1:0``."""
    return place.rpartition(":")[0]
