"""Plays game after game at one table: opens or begins each, and reports which one it is."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from calibration.documents import MALFORMED, explained
from calibration.errors import CompanionError, Problem
from companion.archive import Archive, new_journal_path
from companion.games.lesson import LESSON
from companion.games.registry import plugin, rules_of
from companion.journal import Journal, JournalError, check_can_begin, setup_of
from companion.journal.disk_errors import BLOCKED, UnusableError, problem_of
from companion.journal.files import DAMAGED, SUFFIX, quarantine_file
from companion.journal.recovery import open_journal, quarantine
from companion.players.errors import SetupError
from companion.players.setup import check_existing_setup
from companion.session import CommandRejectedError, TableSession
from companion.session.next_game import NextGame
from companion.storage.notices import StorageNotice, repair_notices
from companion.text.translator import Translator

from .game_runner import GameRunner
from .remarks import remark_on
from .resume import TABLE, RequestedGame, game_fields
from .server import NotServedError
from .setup_pages import SetupPages, check_named

UNATTENDED_WAIT_S = 40.0
"""Seconds to wait for another process that has the game open; systemd stops restarting after ten ends within 300 s."""


class UnplayableGameError(JournalError):
    """The game that a person has chosen cannot be played; the message names its file."""

    def __init__(self, message: str, error: Exception) -> None:
        super().__init__(message)
        self.problem = problem_of(error)


class OtherGameError(CompanionError, ValueError):
    """The existing game is not the requested one; the message names both cures."""


@dataclass
class GameRequest:
    """Represents the game to play next."""

    path: Path | None
    """The journal of the game to continue, or to begin in; None for a new file."""
    setup: Mapping[str, Any] | None = None
    """The setup of a new game; None if people are asked who plays."""
    named: RequestedGame = field(default_factory=RequestedGame)
    """The game that the options ask for; only that one is continued."""
    is_chosen: bool = False
    """Whether the file was named by a person, so that no other game replaces it."""
    is_start: bool = False
    """Whether it is the first game since the start, so that a notice says that it is continued."""
    reseated: TableSession | None = None
    """The game whose seats are being corrected."""
    notices: list[StorageNotice] = field(default_factory=list)
    """Notices for the page."""
    headline: str = ""
    """Names the game that was opened, its players and its progress."""


@dataclass
class GameSequence:
    """Represents the games of one *runner*, all stored in the folder of *games*."""

    runner: GameRunner
    games: Archive
    setup_pages: SetupPages
    translator: Translator
    day: str
    """The date that names a new game."""
    on_table: Mapping[str, Any] | None
    """The setup of the boards that the camera sees; None without a table file."""
    edition: str
    variant: Mapping[str, Any]
    """Parts of a new game's setup besides edition and players: table rules and modules."""
    is_unattended: bool = False
    """Whether the system has started the companion: nobody reads an error, and the same start would be repeated."""
    _lessons: TemporaryDirectory[str] | None = field(default=None, init=False)
    """The folder of the latest lesson."""

    def play(self, first: GameRequest) -> bool:
        """Plays *first* and then each game that people ask for; returns whether they want everything deleted.

        If a game cannot be opened or begun, the one before it is opened again.

        :raises JournalError: if the first game cannot be opened; likewise for the other errors of opening one.
        """
        request, last = first, None
        while True:
            try:
                session = self._open_session(request)
            except NotServedError:
                raise
            except (JournalError, CommandRejectedError, OSError) as error:
                if last is None:
                    raise
                request, last = GameRequest(last), None
                self._report(request, StorageNotice("not_left", {"problem": problem_of(error)}), str(error))
                continue
            with self._closing_at_end(session):
                next_game = self.runner.play(session, self.games, request.notices, request.headline)
            if next_game is None or next_game.erases:
                return next_game is not None
            if not session.setup.get(LESSON):
                last = Path(session.journal.path)
            request = self._next(next_game, session, last)

    def _next(self, next_game: NextGame, session: TableSession, here: Path | None) -> GameRequest:
        """Returns what people ask for when they leave *session*; *here* is the game to which they can go back."""
        if next_game.learns:
            lesson = plugin(session.rules.name).lesson
            return GameRequest(None, setup=None if lesson is None else lesson.setup)
        if next_game.game is None:
            repeated = _with_names(session) if next_game.repeats else None
            setup = self.setup_pages.seats(
                self.on_table,
                self.edition,
                self.variant,
                partial(self._check_can_begin, None),
                previous=here,
                repeated=repeated,
            )
            if setup is None:  # they go back to the current game; no other has been begun
                return GameRequest(here, is_chosen=True)
            return GameRequest(None, setup=setup, reseated=session if next_game.reseats else None)
        with suppress(LookupError):
            return GameRequest(self.games.path(next_game.game), is_chosen=True)
        gone = Problem("game_gone", {"game": next_game.game})
        return GameRequest(here, notices=[StorageNotice("not_left", {"problem": gone})])

    @contextmanager
    def _closing_at_end(self, session: TableSession) -> Iterator[None]:
        """Closes the journal at the end, and reports how many records could not be saved; deletes that of a lesson."""
        journal = session.journal
        try:
            yield
        finally:
            journal.close()
            if session.setup.get(LESSON) and self._lessons is not None:
                self._lessons.cleanup()
            if journal.unsaved:
                key = "unsaved_lost" if journal.at_risk else "unsaved_copied"
                self.runner.remark(
                    self.translator(f"command.{key}", count=journal.unsaved, file=journal.path)
                )

    # --- continuing and beginning a game ---

    def _open_session(self, request: GameRequest) -> TableSession:
        """Returns the session of the requested game, which is continued or begun."""
        if request.path is None or not os.path.lexists(request.path):
            return self._begin_new(request)
        try:
            journal = self._open_journal(request.path, request)
            with _closing_on_error(journal):
                records = [line.checked_record() for line in journal.lines()]
                if records and setup_of(records) is None:
                    raise JournalError(
                        "it holds records, but does not say how its game began; name another file"
                    )
            if records:
                return self._resume(request, journal)
        except OtherGameError:
            raise
        except MALFORMED as error:
            if isinstance(error, UnusableError) and error.cause != BLOCKED:
                raise
            if request.is_chosen and not (self.is_unattended and request.is_start):
                raise UnplayableGameError(
                    f"{request.path} cannot be continued: {explained(error)}", error
                ) from error
            notice = StorageNotice("left_unread", {"game": request.path.stem, "problem": problem_of(error)})
            return self._begin_instead(request, notice, explained(error))
        journal.close()
        return self._begin_new(request)

    def _begin_new(self, request: GameRequest) -> TableSession:
        """Returns a new game in a file that holds none yet.

        People who have chosen it on the page are asked again if the disk has failed since.
        """
        while True:
            # Asked before there is a file: a start that is given up leaves none, which would be continued.
            setup = self._setup(request)
            try:
                path = self._lesson_path() if setup.get(LESSON) else self._new_path(request.path)
                journal = self._open_journal(path, request)
                return self._begin(request, journal, setup)
            except UnusableError as error:
                if request.setup is not None:
                    raise
                self.runner.remark(str(error))

    def _lesson_path(self) -> Path:
        """Returns the journal of a lesson, which is deleted when the companion ends: it is nobody's result."""
        self._lessons = TemporaryDirectory(prefix="table-companion-lesson-")
        return Path(self._lessons.name) / f"{LESSON}{SUFFIX}"

    def _new_path(self, named: Path | None) -> Path:
        return named or new_journal_path(self.games.folder, self.day)

    def _check_can_begin(self, named: Path | None, setup: Mapping[str, Any]) -> None:
        """Checks that a new game with *setup* can be saved, in the file that is *named* if there is one.

        :raises JournalError: if it cannot, which is also reported where the companion was started.
        """
        try:
            check_can_begin(self._new_path(named), setup)
        except JournalError as error:
            self.runner.remark(str(error))
            raise

    def _begin_instead(self, request: GameRequest, why: StorageNotice, found: str = "") -> TableSession:
        """Returns a new game in place of the one that cannot be continued; *why* and *found* are reported."""
        self._report(request, why, found)
        request.path = None
        return self._open_session(request)

    def _open_journal(self, path: Path, request: GameRequest) -> Journal:
        """Returns the journal at *path*; if no game can be played with its setup, that one is quarantined first."""
        wait_s = UNATTENDED_WAIT_S if self.is_unattended else None
        journal, repaired = open_journal(path, self.runner.data_paths.backups, wait_s)
        for notice in repair_notices(repaired, None):
            self._report(request, notice)
        with _closing_on_error(journal):
            if (setup := setup_of(journal.records())) is None:
                return journal
            rules = rules_of(setup)
        try:
            check_existing_setup(rules, setup)
            return journal
        except SetupError as error:
            journal.close()
            if path.suffix != SUFFIX:
                raise UnplayableGameError(f"{path} cannot be played: {error}", error) from error
            saved_as, why = quarantine_file(path, DAMAGED).name, error
        about = {"game": path.stem, "problem": problem_of(why), "saved_as": saved_as}
        self._report(request, StorageNotice("unplayable", about), str(why))
        return Journal(path)

    def _report(self, request: GameRequest, notice: StorageNotice, found: str = "") -> None:
        """Reports *notice* where the companion was started, as the page may never be opened, and in the game.

        What was *found*, in English, is reported only there.
        """
        remark_on(notice, found, self.translator, self.runner.remark)
        request.notices.append(notice)

    def _begin(self, request: GameRequest, journal: Journal, setup: Mapping[str, Any]) -> TableSession:
        """Returns a new game with this *setup* in the empty *journal*."""
        with _closing_on_error(journal):
            session = TableSession(rules_of(setup), journal, setup)
            if request.reseated is not None:
                session.carry_over(request.reseated)
        request.headline = self._game_text("begins", session)
        return session

    def _setup(self, request: GameRequest) -> Mapping[str, Any]:
        """Returns the setup with which the requested game begins, complete with what the owner's copy prints."""
        return self.setup_pages.with_print(
            dict(self._chosen(request)), partial(self._check_can_begin, request.path)
        )

    def _chosen(self, request: GameRequest) -> Mapping[str, Any]:
        """Returns the requested setup, or the one that people choose."""
        if request.setup is not None:
            try:
                check_named(rules_of(request.setup), request.setup)
                return request.setup
            except SetupError as error:
                if not self.is_unattended:
                    raise
                self._report(
                    request, StorageNotice("bad_options", {"problem": problem_of(error)}), str(error)
                )
        chosen = self.setup_pages.seats(
            self.on_table, self.edition, self.variant, partial(self._check_can_begin, request.path)
        )
        assert chosen is not None, "there is no game to go back to"
        return chosen

    def _resume(self, request: GameRequest, journal: Journal) -> TableSession:
        """Returns the game in the *journal*; if unattended and the table has other boards, a new one.

        :raises OtherGameError: if it is not the requested game and a person has started the companion.
        """
        with _closing_on_error(journal):
            rules = rules_of(setup_of(journal.records()) or {})
            for notice in repair_notices(None, quarantine(rules, journal)):
                self._report(request, notice)  # also when another game was asked for: it is said once
            session = TableSession(rules, journal)
            table_rules = {name: value for name, value, _ in rules.table_rules(session.state)}
            modules = rules.modules_of(session.state)
            differences = request.named.differences(session.setup, table_rules, modules)
            if differences and not self.is_unattended:
                raise OtherGameError(self._mismatch_text(request, session, differences))
        if TABLE in differences:
            journal.close()
            return self._begin_instead(request, StorageNotice("left_for_table", game_fields(session)))
        is_over = rules.is_over(session.state)
        if differences:
            request.notices.append(StorageNotice("named_otherwise", game_fields(session)))
        elif request.is_start and not is_over:
            request.notices.append(StorageNotice("goes_on", game_fields(session)))
        request.headline = self._game_text("goes_on_over" if is_over else "goes_on", session)
        return session

    def _mismatch_text(self, request: GameRequest, session: TableSession, differences: Sequence[str]) -> str:
        key = "other_game"
        if request.is_chosen:
            is_over = session.rules.is_over(session.state)
            key = "other_game_in_file_over" if is_over else "other_game_in_file"
        elif TABLE in differences:
            key = "other_game_at_table"
        file = {"game": request.path} if request.is_chosen else {}
        return self._game_text(
            key, session, options=self.translator.join(differences), count=len(differences), **file
        )

    def _game_text(self, key: str, session: TableSession, **others: Any) -> str:
        """Returns the text *key* about the game of *session*, with the names of its players."""
        translator = self.translator.of_game(session.rules.name, session.snapshot()["view"])
        return translator(f"command.{key}", **game_fields(session) | others)


def _with_names(session: TableSession) -> dict[str, Any]:
    """Returns the setup of a game, with the names by which its players are called now."""
    return {**session.setup, "names": session.snapshot()["view"]["names"]}


@contextmanager
def _closing_on_error(journal: Journal) -> Iterator[None]:
    """Closes the *journal* if the block fails."""
    try:
        yield
    except BaseException:
        journal.close()
        raise
