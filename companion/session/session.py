"""The session as others see it: every command is handled whole, one after the other, whoever gives it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

from companion.games.api import Count, ExpectedLayout, Move, Rules
from companion.journal import Entry, Journal, JournalError
from companion.referee import Explanation, PlaceStatus, Question
from vision.expected import ExpectedCard
from vision.sighting import DieReading, Sighting

from . import (
    adjust,
    confirm,
    manual_entry,
    observe,
    places,
    reseat,
    snapshot,
    undo,
)
from .context import SessionContext
from .errors import CommandRejectedError


class TableSession:
    """Represents one game at one table, from the first tile to the winner.

    A small state machine (its *status* is told in :mod:`.status`). Presses, taps and sightings may come from different
    threads. *setup* begins a new game in an empty journal; a journal that holds a game is resumed, and *setup* may be
    left out.

    :raises JournalError: when the journal does not replay, or is empty and there is no *setup*.
    :raises ValueError: when the set-up is not possible.
    """

    def __init__(self, rules: Rules, journal: Journal, setup: Mapping[str, Any] | None = None) -> None:
        self.rules = rules
        self.journal = journal
        self.version = 0
        self._desk = SessionContext(rules, journal, setup)
        self._changed = threading.Condition(threading.RLock())
        self._help = False
        self._seen = 0
        """How many sightings have come."""

    # --- what comes in ---

    def see(self, sighting: Sighting) -> bool:
        """Takes a settled sighting; what it makes clear by itself (a roll) is recorded at once.

        Where play has gone on though the turn before was not confirmed, that turn is taken for the likeliest one, and
        stays open to be put right. Returns False when the journal could not take what is clear: people are told, and
        the same sighting may come again later.
        """
        with self._changed:
            self._seen += 1
            is_recorded = observe.see(self._desk, sighting)
            self._touch()
            return is_recorded

    def watch(self, *, dice: bool | None = None, boards: bool | None = None) -> None:
        """Says what is to be read from the table from now on: the dice, the boards, or neither; None leaves it so."""
        with self._command():
            self._desk.belief.watch(dice=dice, boards=boards)
            self._desk.judge()

    def see_roll(self, dice: tuple[DieReading, ...]) -> None:
        """Takes settled dice before the places are read, for everybody waits for them.

        A roll that they make clear is recorded; all else waits for the sighting that follows.
        """
        with self._changed:
            if observe.see_roll(self._desk, dice):
                self._touch()

    def confirm(self, *, settled: bool = True, player: str | None = None) -> None:
        """Accepts what is proposed or chosen. *settled* is False while the table is still moving.

        What the companion plays, anybody may confirm. It is accepted, too, when people confirm it again though it is
        not seen to be done. Another turn in its place is asked for first, for it may be a slip of the hand.

        :raises RefusedError: when there is nothing to confirm, or *player* is told and it is the turn of another.
        """
        with self._command():
            confirm.confirm(self._desk, settled=settled, player=player)

    def next_alternative(self) -> None:
        """Shows the next explanation, or the next answer of an open question.

        :raises RefusedError: when there is only one.
        """
        with self._command():
            confirm.next_alternative(self._desk)

    def undo(self, *, whole: bool = False) -> None:
        """Takes back the last tap of what is being entered, or all of it if *whole*; else the last thing that was said
        of the table, or all that was; else the last thing that a person confirmed, and what was seen by itself since.

        :raises RefusedError: when nothing has been confirmed yet.
        """
        with self._command():
            undo.undo(self._desk, whole=whole)

    def redo(self) -> None:
        """Enters again the tap that was taken back last; when nothing was, does again the act that undo took back last.

        :raises RefusedError: when nothing was taken back, or something else has been done since.
        """
        with self._command():
            undo.redo(self._desk)

    def adjust(self, player: str, counts: Mapping[str, tuple[int, int]], reason: str) -> None:
        """Puts right by hand what *player* has: what is counted -> what it was taken for, and what it is.

        What is being played, said or entered goes on. *reason* is one of REASONS, or in the table's own words.

        :raises RefusedError: when there is no reason, the counts are no longer what they were taken for, or they cannot
            be so on this table; nothing has changed then.
        """
        with self._command():
            adjust.adjust(self._desk, player, counts, reason)

    def rule(self) -> None:
        """That is how we play it: records the turn that comes nearest, and the table as it is seen.

        :raises RefusedError: when what is seen fits a legal turn, or cannot be on this table.
        """
        with self._command():
            undo.rule(self._desk)

    def amend(self, seq: int, text: str) -> None:
        """Puts the unit *seq* right: *text* is the notation of what was really done. Later turns are replayed.

        :raises RefusedError: when there is no such unit, or the moves are not possible there; nothing has changed then.
        """
        with self._command():
            self._desk.amend(seq, self._desk.parsed_turn(text))

    def enter_again(self, seq: int) -> None:
        """Begins to enter the unit *seq* anew by taps; undo with nothing entered leaves it as it was.

        :raises RefusedError: when there is no such unit.
        """
        with self._command():
            manual_entry.enter_again(self._desk, seq)

    def call(self, player: str, name: str) -> None:
        """Says what a player is called, from now on; an empty *name* is none.

        :raises RefusedError: when no person plays that colour, the name is too long, or another is called so.
        """
        with self._command():
            undo.call(self._desk, player, name)

    def ask_help(self) -> None:
        """Shows what can be done now, until the next press or tap."""
        with self._command():
            self._help = True

    def decline(self, code: str) -> NoReturn:
        """Says no to something that was asked beside the game, as to any other press.

        :raises RefusedError: always.
        """
        with self._command():
            raise CommandRejectedError(code)

    def play_on_unsaved(self) -> None:
        """Has play go on though what is confirmed cannot be saved for now: until it can, it is held in memory."""
        with self._command():
            self.journal.may_hold = True

    def check_saved(self, gives_up: int = 0, **command: str) -> None:
        """Saves what is held in memory alone, before people leave the game by that *command* of the page.

        :raises RefusedError: when it cannot be saved, and is more than the *gives_up* records that people want to lose.
        """
        with self._command():
            with suppress(JournalError):
                self.journal.save()
            if (lost := self.journal.at_risk) > gives_up:
                raise CommandRejectedError("would_be_lost", count=lost, **command)

    def answer(self, about: str, value: str) -> None:
        """Answers the open question.

        :raises RefusedError: when that is not what is asked, or not an answer to it.
        """
        with self._command():
            confirm.answer(self._desk, about, value)

    def correct(self, place: str, label: str) -> None:
        """Says what really lies on a place; the reading of it is set aside for this turn."""
        with self._command():
            confirm.say(self._desk, place, label)

    def correct_die(self, die: str, value: int) -> None:
        """Says what a die of the roll just recorded shows (``red:0``, ``6``); the roll is recorded anew.

        :raises RefusedError: when something has been confirmed since, or there is no such die or value.
        """
        with self._command():
            undo.correct_die(self._desk, die, value)

    def tap(self, text: str) -> None:
        """Enters one move by its notation; a turn is recorded when the move that ends it is entered.

        :raises RefusedError: when the text is no move, or the move is not legal.
        """
        with self._command():
            manual_entry.tap(self._desk, text)

    def take_over(self, before: TableSession) -> None:
        """Takes what was told in the game *before*, whose seats were put right, as far as it fits here.

        :raises RefusedError: when the journal cannot be written.
        """
        with self._command():
            colours = reseat.colours_now(before._desk, self._desk)
            reseat.take_over(self._desk, before.entries(), colours)

    # --- what can be seen of it ---

    @property
    def setup(self) -> Mapping[str, Any]:
        return self._desk.history.setup

    @property
    def state(self) -> Any:
        """The position that everything confirmed has led to."""
        return self._desk.state

    @property
    def bot_turn(self) -> tuple[Move, ...]:
        """The turn that the companion plays for whoever is in turn (see :meth:`.Opponents.turn`)."""
        with self._changed:
            return self._desk.bot_turn

    @property
    def watched(self) -> frozenset[str]:
        """What is read from the table, of WATCHABLE."""
        return self._desk.belief.watched

    @property
    def status(self) -> str:
        """What the session waits for (see :mod:`.status`)."""
        return self._desk.status

    @property
    def awaits_roll(self) -> bool:
        """Whether dice are the next thing that the game must be told."""
        with self._changed:
            return bool(self.rules.expected_dice(self.state))

    @property
    def question(self) -> Question | None:
        """The open question, if any."""
        return self._desk.question

    @property
    def explanations(self) -> tuple[Explanation, ...]:
        """How what was seen last can have come about, most probable first."""
        with self._changed:
            return self._desk.turn.verdict.explanations

    def wait_for_change(self, version: int, timeout: float) -> int:
        """Blocks until the version differs from *version* or *timeout* seconds have passed; returns it."""
        with self._changed:
            self._changed.wait_for(lambda: self.version != version, timeout)
            return self.version

    def entries(self) -> list[Entry]:
        """What stands in the journal, oldest first."""
        with self._changed:
            return list(self._desk.history.entries)

    def read(self, look: Callable[[TableSession], Any]) -> Any:
        """Runs *look* while nothing changes."""
        with self._changed:
            return look(self)

    def counts(self, player: str) -> list[Count]:
        """What of a player's can be put right by hand now; nothing where nobody plays that colour."""
        with self._changed:
            return [count for count in self.rules.counts(self.state) if count.player == player]

    def objections(self, place: str) -> list[dict[str, Any]]:
        """What the player in turn cannot do at *place*: each move with the code and data of the reason."""
        with self._changed:
            return snapshot.objections(self._desk, place)

    def certain_places(self) -> dict[str, str]:
        """Place -> what lies there by the moves confirmed so far; places whose order is free are left out."""
        with self._changed:
            return places.certain(self._desk)

    def expected_cards(self) -> dict[str, ExpectedCard]:
        """The cards that lie on the table by what is confirmed, by the group of places that their spaces are."""
        with self._changed:
            return places.cards(self._desk)

    def laid_out(self) -> list[tuple[ExpectedLayout, list[PlaceStatus]]]:
        """Each part of the layout that is awaited, and how far its places are known."""
        with self._changed:
            return self._desk.belief.laid_out(self.state)

    def choices(self, place: str) -> tuple[str, ...]:
        """What may lie on a *place* of the layout that is awaited; nothing where it has no such place."""
        with self._changed:
            return self._desk.belief.choices(self.state, place)

    def changed_places(self, seq: int | None) -> list[str]:
        """Places that look otherwise after the unit *seq* than before it; with None, by what is proposed now."""
        with self._changed:
            return places.changed(self._desk, seq)

    def snapshot(self) -> dict[str, Any]:
        """Everything a page needs, as plain data in neutral words."""
        with self._changed:
            return {
                "version": self.version,
                "seen": self._seen,
                "help": self._help,
                **snapshot.snapshot(self._desk),
            }

    # --- inside ---

    @contextmanager
    def _command(self) -> Iterator[None]:
        """One press or tap: runs alone, remembers why it was refused, and counts as a change either way."""
        with self._changed:
            self._desk.rejection, self._help = None, False
            try:
                yield
            except CommandRejectedError as error:
                self._desk.rejection = error
                raise
            finally:
                self._touch()

    def _touch(self) -> None:
        self.version += 1
        self._changed.notify_all()
