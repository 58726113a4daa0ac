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
from .snapshot import IllegalMoveView, Snapshot


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
        self._context = SessionContext(rules, journal, setup)
        self._changed = threading.Condition(threading.RLock())
        self._help = False
        self._sightings = 0
        """How many sightings have come."""

    # --- what comes in ---

    def observe(self, sighting: Sighting) -> bool:
        """Takes a settled sighting; what it makes clear by itself (a roll) is recorded at once.

        Where play has gone on though the turn before was not confirmed, that turn is taken for the likeliest one, and
        stays open to be put right. Returns False when the journal could not take what is clear: people are told, and
        the same sighting may come again later.
        """
        with self._changed:
            self._sightings += 1
            is_recorded = observe.observe(self._context, sighting)
            self._touch()
            return is_recorded

    def watch(self, *, dice: bool | None = None, boards: bool | None = None) -> None:
        """Says what is to be read from the table from now on: the dice, the boards, or neither; None leaves it so."""
        with self._command():
            self._context.belief.watch(dice=dice, boards=boards)
            self._context.update_verdict()

    def observe_roll(self, dice: tuple[DieReading, ...]) -> None:
        """Takes settled dice before the places are read, for everybody waits for them.

        A roll that they make clear is recorded; all else waits for the sighting that follows.
        """
        with self._changed:
            if observe.observe_roll(self._context, dice):
                self._touch()

    def confirm(self, *, settled: bool = True, player: str | None = None) -> None:
        """Accepts the proposal or the chosen answer. *settled* is False while things on the table still move.

        Anybody may confirm a turn that the companion plays. A second press accepts it even if the camera does not see
        it done. If another turn was played instead, the session asks first whether that was meant.

        :raises CommandRejectedError: when there is nothing to confirm, or *player* is given and it is not their turn.
        """
        with self._command():
            confirm.confirm(self._context, settled=settled, player=player)

    def next_alternative(self) -> None:
        """Shows the next explanation, or the next answer of an open question.

        :raises CommandRejectedError: when there is only one.
        """
        with self._command():
            confirm.next_alternative(self._context)

    def undo(self, *, whole: bool = False) -> None:
        """Takes back the last tap of what is being entered, or all of it if *whole*; else the last thing that was said
        of the table, or all that was; else the last thing that a person confirmed, and what was seen by itself since.

        :raises CommandRejectedError: when nothing has been confirmed yet.
        """
        with self._command():
            undo.undo(self._context, whole=whole)

    def redo(self) -> None:
        """Enters again the tap that was taken back last; when nothing was, does again the act that undo took back last.

        :raises CommandRejectedError: when nothing was taken back, or something else has been done since.
        """
        with self._command():
            undo.redo(self._context)

    def adjust(self, player: str, counts: Mapping[str, tuple[int, int]], reason: str) -> None:
        """Corrects counts of *player* by hand; *counts* maps what is counted to its recorded and its true value.

        The pending turn goes on. *reason* is one of REASONS, or the players' own words.

        :raises CommandRejectedError: when there is no reason, a recorded value has changed since, or a true value is
            not possible; nothing has changed then.
        """
        with self._command():
            adjust.adjust(self._context, player, counts, reason)

    def override(self) -> None:
        """That is how we play it: records the turn that comes nearest, and the table as it is seen.

        :raises CommandRejectedError: when what is seen fits a legal turn, or cannot be on this table.
        """
        with self._command():
            undo.override(self._context)

    def amend(self, seq: int, text: str) -> None:
        """Corrects the entry *seq*: *text* is the notation of the moves that were really made. Replays later turns.

        :raises CommandRejectedError: when there is no such entry, or the moves are not legal there; nothing has changed
            then.
        """
        with self._command():
            self._context.amend(seq, self._context.parsed_turn(text))

    def reenter(self, seq: int) -> None:
        """Begins to enter the unit *seq* anew by taps; undo with nothing entered leaves it as it was.

        :raises CommandRejectedError: when there is no such unit.
        """
        with self._command():
            manual_entry.reenter(self._context, seq)

    def rename_player(self, player: str, name: str) -> None:
        """Says what a player is called, from now on; an empty *name* is none.

        :raises CommandRejectedError: when no person plays that colour, the name is too long, or another is called so.
        """
        with self._command():
            undo.rename_player(self._context, player, name)

    def ask_help(self) -> None:
        """Shows what can be done now, until the next press or tap."""
        with self._command():
            self._help = True

    def reject(self, code: str) -> NoReturn:
        """Says no to something that was asked beside the game, as to any other press.

        :raises CommandRejectedError: always.
        """
        with self._command():
            raise CommandRejectedError(code)

    def continue_unsaved(self) -> None:
        """Has play go on though what is confirmed cannot be saved for now: until it can, it is held in memory."""
        with self._command():
            self.journal.allow_unsaved = True

    def check_saved(self, accepted_loss: int = 0, **command: str) -> None:
        """Writes the records that are only in memory, before players leave the game by *command* of the page.

        :raises CommandRejectedError: when more records than *accepted_loss*, the number that players agreed to lose,
            cannot be written.
        """
        with self._command():
            with suppress(JournalError):
                self.journal.save()
            if (lost := self.journal.at_risk) > accepted_loss:
                raise CommandRejectedError("would_be_lost", count=lost, **command)

    def answer(self, about: str, value: str) -> None:
        """Answers the open question.

        :raises CommandRejectedError: when that is not what is asked, or not an answer to it.
        """
        with self._command():
            confirm.answer(self._context, about, value)

    def correct(self, place: str, label: str) -> None:
        """Says what really lies on a place; the reading of it is set aside for this turn."""
        with self._command():
            confirm.record_answer(self._context, place, label)

    def correct_die(self, die: str, value: int) -> None:
        """Says what a die of the roll just recorded shows (``red:0``, ``6``); the roll is recorded anew.

        :raises CommandRejectedError: when something has been confirmed since, or there is no such die or value.
        """
        with self._command():
            undo.correct_die(self._context, die, value)

    def tap(self, text: str) -> None:
        """Enters one move by its notation; a turn is recorded when the move that ends it is entered.

        :raises CommandRejectedError: when the text is no move, or the move is not legal.
        """
        with self._command():
            manual_entry.tap(self._context, text)

    def carry_over(self, before: TableSession) -> None:
        """Takes what was told in the game *before*, whose seats were put right, as far as it fits here.

        :raises CommandRejectedError: when the journal cannot be written.
        """
        with self._command():
            colours = reseat.match_players(before._context, self._context)
            reseat.carry_over(self._context, before.entries(), colours)

    # --- what can be seen of it ---

    @property
    def setup(self) -> Mapping[str, Any]:
        return self._context.history.setup

    @property
    def state(self) -> Any:
        """The position that everything confirmed has led to."""
        return self._context.state

    @property
    def bot_turn(self) -> tuple[Move, ...]:
        """The turn that the companion plays for whoever is in turn (see :meth:`.Opponents.turn`)."""
        with self._changed:
            return self._context.bot_turn

    @property
    def watched(self) -> frozenset[str]:
        """What is read from the table, of WATCHABLE."""
        return self._context.belief.watched

    @property
    def status(self) -> str:
        """What the session waits for (see :mod:`.status`)."""
        return self._context.status

    @property
    def awaits_roll(self) -> bool:
        """Whether dice are the next thing that the game must be told."""
        with self._changed:
            return bool(self.rules.expected_dice(self.state))

    @property
    def question(self) -> Question | None:
        """The open question, if any."""
        return self._context.question

    @property
    def explanations(self) -> tuple[Explanation, ...]:
        """How what was seen last can have come about, most probable first."""
        with self._changed:
            return self._context.turn.verdict.explanations

    def wait_for_change(self, version: int, timeout: float) -> int:
        """Blocks until the version differs from *version* or *timeout* seconds have passed; returns it."""
        with self._changed:
            self._changed.wait_for(lambda: self.version != version, timeout)
            return self.version

    def entries(self) -> list[Entry]:
        """What stands in the journal, oldest first."""
        with self._changed:
            return list(self._context.history.entries)

    def read(self, look: Callable[[TableSession], Any]) -> Any:
        """Runs *look* while nothing changes."""
        with self._changed:
            return look(self)

    def counts(self, player: str) -> list[Count]:
        """What of a player's can be put right by hand now; nothing where nobody plays that colour."""
        with self._changed:
            return [count for count in self.rules.counts(self.state) if count.player == player]

    def illegal_moves(self, place: str) -> list[IllegalMoveView]:
        """Returns the moves at *place* that the player in turn cannot make, each with the reason."""
        with self._changed:
            return snapshot.illegal_moves(self._context, place)

    def certain_places(self) -> dict[str, str]:
        """Place -> what lies there by the moves confirmed so far; places whose order is free are left out."""
        with self._changed:
            return places.certain_places(self._context)

    def expected_cards(self) -> dict[str, ExpectedCard]:
        """The cards that lie on the table by what is confirmed, by the group of places that their spaces are."""
        with self._changed:
            return places.expected_cards(self._context)

    def layout_progress(self) -> list[tuple[ExpectedLayout, list[PlaceStatus]]]:
        """Each part of the layout that is awaited, and how far its places are known."""
        with self._changed:
            return self._context.belief.layout_progress(self.state)

    def choices(self, place: str) -> tuple[str, ...]:
        """What may lie on a *place* of the layout that is awaited; nothing where it has no such place."""
        with self._changed:
            return self._context.belief.choices(self.state, place)

    def changed_places(self, seq: int | None) -> list[str]:
        """Places that look otherwise after the unit *seq* than before it; with None, by what is proposed now."""
        with self._changed:
            return places.changed_places(self._context, seq)

    def snapshot(self) -> Snapshot:
        """Returns everything there is to show of the session, as plain data."""
        with self._changed:
            return snapshot.snapshot(
                self._context, version=self.version, sightings=self._sightings, is_help_shown=self._help
            )

    # --- inside ---

    @contextmanager
    def _command(self) -> Iterator[None]:
        """One press or tap: runs alone, remembers why it was refused, and counts as a change either way."""
        with self._changed:
            self._context.rejection, self._help = None, False
            try:
                yield
            except CommandRejectedError as error:
                self._context.rejection = error
                raise
            finally:
                self._touch()

    def _touch(self) -> None:
        self.version += 1
        self._changed.notify_all()
