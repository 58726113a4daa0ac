"""The session as others see it: commands from any thread are carried out one after the other.

Buttons are bound to commands in :mod:`companion.runtime.table_loop`; questions are made in :mod:`companion.referee`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NoReturn, TypeVar

from companion.games.api import Count, ExpectedLayout, Move, Rules
from companion.journal import Entry, Journal, JournalError
from companion.referee import Explanation, PlaceStatus, Question
from vision.expected import ExpectedCard
from vision.sighting import DieReading, Sighting

from . import (
    adjust,
    confirm,
    corrections,
    leave_to_chance,
    manual_entry,
    observe,
    places,
    reseat,
    snapshot,
    undo,
)
from .belief import LOOKS
from .context import SessionContext
from .errors import CommandRejectedError
from .snapshot import IllegalMoveView, MoveChoiceView, MoveView, PreviewView, Snapshot

T = TypeVar("T")


class TableSession:
    """Represents one game at one table, from the first tile to the winner.

    It is a small state machine (see :mod:`.status`). Presses, taps and sightings may come from different threads.
    *setup* begins a new game in an empty journal. For a journal that holds a game, it may be ``None``.

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
        """Number of sightings so far."""

    # --- input ---

    def observe(self, sighting: Sighting, looks: int = LOOKS) -> bool:
        """Processes a settled sighting, and records at once what it makes clear (a roll).

        *looks* is the number of looks since the table came to rest that it combines. Before :data:`.LOOKS` of them,
        nothing is asked that another look may answer (:attr:`looks_again`).

        If the next turn has begun although the one before was not confirmed, records the likeliest turn, which can be
        corrected later. Returns False if the journal could not be written: the snapshot says so, and the same sighting
        may be observed again.
        """
        with self._changed:
            self._sightings += 1
            is_recorded = observe.observe(self._context, sighting, looks)
            self._touch()
            return is_recorded

    def watch(self, **parts: bool | None) -> None:
        """Sets which parts of the table the camera reads from now on (:attr:`watchable`); ``None`` leaves one
        unchanged."""
        with self._command():
            self._context.belief.watch(**parts)
            self._context.update_verdict()

    def watch_nothing(self) -> None:
        """Has people enter everything by taps from now on."""
        self.watch(**dict.fromkeys(self.watchable, False))

    def observe_roll(self, dice: tuple[DieReading, ...], looks: int = LOOKS) -> None:
        """Processes settled dice before the places are read, as people wait for them.

        Records a clear roll; anything else waits for the sighting that follows.
        """
        with self._changed:
            if observe.observe_roll(self._context, dice, looks):
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
        """Marks the next explanation, or the next answer to the open question.

        :raises CommandRejectedError: when there is only one.
        """
        with self._command():
            confirm.next_alternative(self._context)

    def undo(self, *, everything: bool = False) -> None:
        """Takes back the last tap of a draft, else the last answer, else the last user action.

        With *everything*, takes back all taps, or all answers. What the camera alone confirmed since the last user
        action is undone with it.

        :raises CommandRejectedError: when nothing has been confirmed yet.
        """
        with self._command():
            undo.undo(self._context, everything=everything)

    def redo(self) -> None:
        """Restores the tap that was retracted last; if none was, redoes the user action that was undone last.

        :raises CommandRejectedError: when nothing was taken back, or something else was done since.
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
        """Overrides the rules: records the nearest legal turn, and the table as it is seen.

        :raises CommandRejectedError: when a legal turn explains the table, or the table is impossible.
        """
        with self._command():
            corrections.override(self._context)

    def amend(self, seq: int, text: str) -> None:
        """Corrects the entry *seq*: *text* is the notation of the moves that were really made. Replays later turns.

        :raises CommandRejectedError: when there is no such entry, or the moves are not legal there; nothing has changed
            then.
        """
        with self._command():
            self._context.amend(seq, self._context.parsed_turn(text))

    def reenter(self, seq: int) -> None:
        """Begins to enter the entry *seq* again by taps; undo with nothing entered leaves it unchanged.

        :raises CommandRejectedError: when there is no such entry, or it is no turn.
        """
        with self._command():
            manual_entry.reenter(self._context, seq)

    def rename_player(self, player: str, name: str) -> None:
        """Sets a player's name; an empty *name* removes it.

        :raises CommandRejectedError: when no person plays that colour, or the name is too long or taken.
        """
        with self._command():
            corrections.rename_player(self._context, player, name)

    def ask_help(self) -> None:
        """Shows what players can do now, until the next press or tap."""
        with self._command():
            self._help = True

    def reject(self, code: str) -> NoReturn:
        """Rejects a command that does not concern the game (switching off), shown as any other rejection.

        :raises CommandRejectedError: always.
        """
        with self._command():
            raise CommandRejectedError(code)

    def continue_unsaved(self) -> None:
        """Lets play go on although records cannot be written: they stay in memory until they can."""
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
        """Says what is really on a place; its reading is ignored for this turn."""
        with self._command():
            confirm.record_answer(self._context, place, label)

    def correct_die(self, die: str, value: int) -> None:
        """Corrects a die of the last roll (``red:0``, ``6``), which is recorded again.

        :raises CommandRejectedError: when there is no such die or value, or a turn since needs the recorded value.
        """
        with self._command():
            corrections.correct_die(self._context, die, value)

    def tap(self, text: str, viewer: str | None = None) -> None:
        """Enters one move by its notation; a turn is recorded when the move that ends it is entered.

        What a player does out of turn is recorded at once, and the turn goes on.

        *viewer* is the player on whose own page it is entered; None for the shared screen.

        :raises CommandRejectedError: when the text is no move, or the move is not legal, or not the viewer's to enter.
        """
        with self._command(viewer):
            manual_entry.tap(self._context, text, viewer)

    def draw(self) -> None:
        """Rolls for the table, or lays out and deals what is due: fairly, from what is left in the game.

        :raises CommandRejectedError: when nothing is awaited from chance, or a turn is being entered.
        """
        with self._command():
            leave_to_chance.draw(self._context)

    def enter_roll(self, values: Mapping[str, Sequence[int]]) -> None:
        """Records the awaited roll with these *values* by colour, as people have read it.

        :raises CommandRejectedError: when no such dice are awaited, or they cannot show that.
        """
        with self._command():
            leave_to_chance.enter_roll(self._context, values)

    def carry_over(self, before: TableSession) -> None:
        """Records the entries of the game *before*, which had wrong players, as far as they are legal here.

        :raises CommandRejectedError: when the journal cannot be written.
        """
        with self._command():
            colours = reseat.match_players(before._context, self._context)
            reseat.carry_over(self._context, before.entries(), colours)

    def announce_change(self) -> None:
        """Has everybody who waits for a change look again: something beside the game has changed that they show."""
        with self._changed:
            self._touch()

    # --- output ---

    @property
    def setup(self) -> Mapping[str, Any]:
        return self._context.history.setup

    @property
    def state(self) -> Any:
        """The position after everything that is recorded."""
        return self._context.state

    @property
    def shown_state(self) -> Any:
        """The position to show: the recorded one, or the one that is being entered."""
        return self._context.shown_state

    @property
    def bot_turn(self) -> tuple[Move, ...]:
        """The turn that the companion chooses for the player in turn (see :meth:`.Opponents.turn`)."""
        with self._changed:
            return self._context.bot_turn

    @property
    def watched(self) -> frozenset[str]:
        """What the camera reads, of :attr:`watchable`."""
        return self._context.belief.watched

    @property
    def watchable(self) -> tuple[str, ...]:
        """The parts of the table that the camera can read, or people enter by taps instead."""
        return self._context.belief.watchable

    @property
    def status(self) -> str:
        """What the session waits for (see :mod:`.status`)."""
        return self._context.status

    @property
    def looks_again(self) -> bool:
        """Whether something is not asked before the table, if it stays at rest, has been looked at once more."""
        with self._changed:
            return self._context.belief.looks_again

    @property
    def awaits_roll(self) -> bool:
        """Whether the game waits for a roll."""
        with self._changed:
            return bool(self._context.dice.expected_dice(self.state))

    @property
    def question(self) -> Question | None:
        """The open question, if any."""
        return self._context.question

    @property
    def explanations(self) -> tuple[Explanation, ...]:
        """The explanations of the last sighting, most probable first."""
        with self._changed:
            return self._context.turn.verdict.explanations

    def wait_for_change(
        self, version: int, timeout: float, is_ended: Callable[[], bool] = lambda: False
    ) -> int:
        """Blocks until the version differs from *version* or *timeout* seconds have passed; returns the version.

        Whoever makes *is_ended* true calls :meth:`wake_waiting`, which ends the wait as well.
        """
        with self._changed:
            self._changed.wait_for(lambda: self.version != version or is_ended(), timeout)
            return self.version

    def wake_waiting(self) -> None:
        """Lets all calls of :meth:`wait_for_change` check whether they have ended."""
        with self._changed:
            self._changed.notify_all()

    def entries(self) -> list[Entry]:
        """Returns the effective entries of the journal, oldest first."""
        with self._changed:
            return list(self._context.history.entries)

    def read(self, query: Callable[[TableSession], T]) -> T:
        """Returns *query* of this session, which does not change meanwhile."""
        with self._changed:
            return query(self)

    def counts(self, player: str) -> list[Count]:
        """Returns the counts of *player* that can be adjusted now; empty if nobody plays that colour."""
        with self._changed:
            return [count for count in self._context.correctable.counts(self.state) if count.player == player]

    def move_choices(self, path: Sequence[str] = (), viewer: str | None = None) -> list[MoveChoiceView]:
        """Returns what *viewer* can choose next on the way to a move, after the *path* of keys chosen so far."""
        with self._changed:
            return snapshot.move_choices(self._context, path, viewer)

    def legal_moves(self, viewer: str | None = None) -> list[MoveView]:
        """Returns every legal move that *viewer* may enter: a player on their own page, or None on the shared one."""
        with self._changed:
            return snapshot.legal_moves(self._context, viewer)

    def preview(self, text: str) -> PreviewView:
        """Returns what the legal move *text* would bring about now, and what could be entered after it."""
        with self._changed:
            return snapshot.preview(self._context, text)

    def secret_reports(self, viewer: str) -> list[MoveView]:
        """Returns the secrets that chance may have given to *viewer*, who alone can say which."""
        with self._changed:
            return snapshot.secret_reports(self._context, viewer)

    def illegal_moves(self, place: str) -> list[IllegalMoveView]:
        """Returns the moves at *place* that the player in turn cannot make, each with the reason."""
        with self._changed:
            return snapshot.illegal_moves(self._context, place)

    def certain_places(self) -> dict[str, str]:
        """Returns what is on each place by the recorded moves, except in groups whose order is free."""
        with self._changed:
            return places.certain_places(self._context)

    def expected_cards(self) -> dict[str, ExpectedCard]:
        """Returns the cards on the table, by the group of places that their spaces are."""
        with self._changed:
            return places.expected_cards(self._context)

    def awaited_dice(self) -> Mapping[str, int]:
        """Returns how many dice of each colour the camera should see rolled now; empty if it awaits no roll."""
        with self._changed:
            return self._context.belief.awaited_dice(self.state)

    def visible_labels(self) -> Collection[str]:
        """Returns the labels of all things that may lie on the table during this game."""
        with self._changed:
            return self._context.observable.visible_labels(self.state)

    def layout_progress(self) -> list[tuple[ExpectedLayout, list[PlaceStatus]]]:
        """Returns each part of the layout that is awaited, and what is known of its places."""
        with self._changed:
            return self._context.belief.layout_progress(self.state)

    def choices(self, place: str) -> tuple[str, ...]:
        """Returns the labels that may be on *place* of the awaited layout; empty if it has no such place."""
        with self._changed:
            return self._context.belief.choices(self.state, place)

    def changed_places(self, seq: int | None) -> list[str]:
        """Returns the places that the entry *seq* changes; with ``None``, those that the proposal changes."""
        with self._changed:
            return places.changed_places(self._context, seq)

    def snapshot(self, viewer: str | None = None) -> Snapshot:
        """Returns everything there is to show to *viewer*, as plain data: a player, or None for the shared screen."""
        with self._changed:
            return snapshot.snapshot(
                self._context,
                version=self.version,
                sightings=self._sightings,
                is_help_shown=self._help,
                viewer=viewer,
            )

    # --- internals ---

    @contextmanager
    def _command(self, viewer: str | None = None) -> Iterator[None]:
        """Runs one press or tap alone, remembers why it was rejected, and notifies of a change in either case.

        Why it was rejected on *viewer*'s own page is not remembered: it may tell a secret.
        """
        with self._changed:
            self._context.rejection, self._help = None, False
            try:
                yield
            except CommandRejectedError as error:
                self._context.rejection = error if viewer is None else None
                raise
            finally:
                self._touch()

    def _touch(self) -> None:
        self.version += 1
        self._changed.notify_all()
