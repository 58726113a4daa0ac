"""Game after game at one table: which is opened or begun, and what people are told about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from calibration.documents import MALFORMED
from calibration.errors import CompanionError
from companion.archive import Archive, new_journal_path
from companion.games.api import Rules
from companion.journal import Journal, JournalError, setup_of
from companion.journal.disk_errors import UnusableError
from companion.journal.files import DAMAGED, SUFFIX, quarantine_file
from companion.journal.recovery import open_journal, quarantine
from companion.players.errors import SetupError
from companion.players.setup import check_existing_setup
from companion.session import CommandRejectedError, TableSession
from companion.session.next_game import NextGame
from companion.storage.notices import StorageNotice, repair_notices
from companion.text.translator import Translator

from .game_runner import GameRunner
from .resume import TABLE, RequestedGame, told
from .server import NotServedError
from .setup_pages import SetupPages, check_named

UNATTENDED_WAIT_S = 40.0
"""For who has the game open; systemd gives up on what ends ten times within 300 s."""


class OtherGameError(CompanionError, ValueError):
    """The game that lies there is not the one that was named; the message names both cures."""


@dataclass
class Next:
    """What is to be played."""

    path: Path | None
    """The journal of a game to go on with, or to begin in; None for a new file."""
    setup: Mapping[str, Any] | None = None
    """With which a new game begins; None: people are asked who plays."""
    named: RequestedGame = field(default_factory=RequestedGame)
    """What the game must be that is gone on with."""
    is_chosen: bool = False
    """Whether somebody named that file: then no other is taken in its place."""
    is_start: bool = False
    """Whether it is the companion's first game: then it is told that it goes on."""
    before: TableSession | None = None
    """The game whose seats are put right."""
    notices: list[StorageNotice] = field(default_factory=list)
    """What people should know."""
    headline: str = ""
    """Which game it has become, who plays, and how far it is."""


@dataclass
class GameSequence:
    """Represents the games of one *runner*, each kept in the folder of *games*."""

    rules: Rules
    runner: GameRunner
    games: Archive
    setup_pages: SetupPages
    translator: Translator
    day: str
    """Of which a new game gets its name."""
    on_table: Mapping[str, Any] | None
    """The set-up of the boards that the camera sees."""
    edition: str
    table_rules: Mapping[str, str]
    is_unattended: bool = False
    """Whether the system has started the companion: nobody reads a refusal, and the same start would come again."""

    def play(self, first: Next) -> bool:
        """Plays *first*, then what people want next; returns whether that is to have everything deleted.

        What cannot be opened or begun leads back to the game before.

        :raises JournalError: when not even the first game can be opened; so are the other errors of play.
        """
        wanted, last = first, None
        while True:
            try:
                session = self._opened(wanted)
            except NotServedError:
                raise
            except (JournalError, CommandRejectedError, OSError) as error:
                if last is None:
                    raise
                wanted, last = Next(last, notices=[StorageNotice("not_left", {"why": str(error)})]), None
                continue
            with self._kept(session.journal):
                next_game = self.runner.play(session, self.games, wanted.notices, wanted.headline)
            if next_game is None or next_game.erases:
                return next_game is not None
            last = Path(session.journal.path)
            wanted = self._next(next_game, session)

    def _next(self, next_game: NextGame, session: TableSession) -> Next:
        here = Path(session.journal.path)
        if next_game.game is None:
            setup = self.setup_pages.seats(self.on_table, self.edition, self.table_rules, left=here)
            if setup is None:  # back to where they have come from: nothing of another game is there yet
                return Next(here, is_chosen=True)
            return Next(None, setup=setup, before=session if next_game.reseats else None)
        with suppress(LookupError):
            return Next(self.games.path(next_game.game), is_chosen=True)
        return Next(
            here, notices=[StorageNotice("not_left", {"why": f"{next_game.game} is not there any more"})]
        )

    @contextmanager
    def _kept(self, journal: Journal) -> Iterator[None]:
        """Closes the *journal* in the end, and says what could not be saved."""
        try:
            yield
        finally:
            journal.close()
            if journal.unsaved:
                where = "a copy elsewhere has them" if not journal.at_risk else "they are lost"
                self.runner.remark(
                    f"journal: {journal.unsaved} records could not be saved in {journal.path}; {where}"
                )

    # --- going on, and beginning ---

    def _opened(self, wanted: Next) -> TableSession:
        """The session of the *wanted* game, which is gone on with, or begun."""
        if wanted.path is None:
            return self._begun(wanted, self._open(new_journal_path(self.games.folder, self.day), wanted))
        try:
            journal = self._open(wanted.path, wanted)
            if setup_of(journal.records()) is not None:
                return self._going_on(wanted, journal)
        except (UnusableError, OtherGameError):
            raise
        except MALFORMED as error:
            if wanted.is_chosen and not (self.is_unattended and wanted.is_start):
                raise JournalError(f"{wanted.path} cannot go on: {error}") from error
            return self._instead(
                wanted, StorageNotice("left_unread", {"game": wanted.path.stem, "why": str(error)})
            )
        return self._begun(wanted, journal)

    def _instead(self, wanted: Next, why: StorageNotice) -> TableSession:
        """A new game in place of the one that was to go on, with the notice *why*."""
        self._tell(wanted, why)
        wanted.path = None
        return self._opened(wanted)

    def _open(self, path: Path, wanted: Next) -> Journal:
        """The journal at *path*; one with whose set-up no game can be played is put aside, and a new one made."""
        wait_s = UNATTENDED_WAIT_S if self.is_unattended else None
        journal, repaired = open_journal(path, self.runner.data_paths.backups, wait_s)
        for notice in repair_notices(repaired, None):
            self._tell(wanted, notice)
        if (setup := setup_of(journal.records())) is None:
            return journal
        try:
            check_existing_setup(self.rules, setup)
            return journal
        except SetupError as error:
            journal.close()
            if path.suffix != SUFFIX:
                raise JournalError(f"{path} cannot be played: {error}") from error
            kept = quarantine_file(path, DAMAGED)
            notice = StorageNotice("unplayable", {"game": path.stem, "why": str(error), "kept": kept.name})
        self._tell(wanted, notice)
        return Journal(path)

    def _tell(self, wanted: Next, notice: StorageNotice) -> None:
        """Says *notice* where the companion was started, as the page may never be opened, and in the *wanted* game."""
        self.runner.remark(self.translator(f"storage_notices.{notice.code}", **notice.data))
        wanted.notices.append(notice)

    def _begun(self, wanted: Next, journal: Journal) -> TableSession:
        """A new game in the empty *journal*."""
        with _closing_on_error(journal):
            setup = self.setup_pages.with_print(dict(self._setup(wanted)))
            session = TableSession(self.rules, journal, setup)
            if wanted.before is not None:
                session.carry_over(wanted.before)
        wanted.headline = self._said("begins", session)
        return session

    def _setup(self, wanted: Next) -> Mapping[str, Any]:
        """The set-up that was named, or that people choose."""
        if wanted.setup is not None:
            try:
                check_named(self.rules, wanted.setup)
                return wanted.setup
            except SetupError as error:
                if not self.is_unattended:
                    raise
                self.runner.remark(str(error))
                wanted.notices.append(StorageNotice("bad_options", {"why": str(error)}))
        chosen = self.setup_pages.seats(self.on_table, self.edition, self.table_rules)
        assert chosen is not None, "nobody goes back who has come from nowhere"
        return chosen

    def _going_on(self, wanted: Next, journal: Journal) -> TableSession:
        """The game in the *journal*; another one, if it is not the one that was named, and nobody reads a refusal.

        :raises OtherGameError: when it is not the one that was named.
        """
        with _closing_on_error(journal):
            wanted.notices += repair_notices(None, quarantine(self.rules, journal))
            session = TableSession(self.rules, journal)
            table_rules = {name: value for name, value, _ in self.rules.table_rules(session.state)}
            otherwise = wanted.named.otherwise(session.setup, table_rules)
            if otherwise and not self.is_unattended:
                raise OtherGameError(self._refusal(wanted, session, otherwise))
        if TABLE in otherwise:
            journal.close()
            return self._instead(wanted, StorageNotice("left_for_table", told(session)))
        is_over = self.rules.is_over(session.state)
        if otherwise:
            wanted.notices.append(StorageNotice("named_otherwise", told(session)))
        elif wanted.is_start and not is_over:
            wanted.notices.append(StorageNotice("goes_on", told(session)))
        wanted.headline = self._said("goes_on_over" if is_over else "goes_on", session)
        return session

    def _refusal(self, wanted: Next, session: TableSession, otherwise: Sequence[str]) -> str:
        key = "other_game"
        if wanted.is_chosen:
            is_over = self.rules.is_over(session.state)
            key = "other_game_in_file_over" if is_over else "other_game_in_file"
        elif TABLE in otherwise:
            key = "other_game_at_table"
        file = {"game": wanted.path} if wanted.is_chosen else {}
        return self._said(key, session, options=self.translator.join(otherwise), count=len(otherwise), **file)

    def _said(self, key: str, session: TableSession, **others: Any) -> str:
        """The text *key* about the game of *session*, whose players are called by their names."""
        translator = Translator(self.translator.language, view=session.snapshot()["view"])
        return translator(f"command.{key}", **told(session) | others)


@contextmanager
def _closing_on_error(journal: Journal) -> Iterator[None]:
    """Lets go of the *journal* if the block fails."""
    try:
        yield
    except BaseException:
        journal.close()
        raise
