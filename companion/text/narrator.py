"""Announcements: what has just happened, and what is awaited now.

narrator = Narrator(session, TurnLog(session))
announcement = narrator.latest()                       # checks whether there is anything new to say
announcement.text(Translator("en", session.rules.name))  # "Red placed the watchtower: 4 points. Blue's turn."
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from companion.session import TableSession

from .sentences import sentences
from .translator import Translator
from .turn_log import TurnLog
from .update import Update, UpdateTracker

LOOK_S = 1.0
"""How often the thread that speaks checks whether it should end."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """What to say, and its *number* in the order of announcements."""

    number: int
    update: Update

    @property
    def view(self) -> Mapping[str, Any]:
        """The table that it is about, for its :class:`.Translator`."""
        view: Mapping[str, Any] = self.update.snapshot["view"]
        return view

    def text(self, translator: Translator) -> str:
        """Returns all sentences; empty when nothing is worth saying."""
        return " ".join(sentences(self.update, translator))


class Narrator:
    """Represents somebody who watches a session and announces each thing once.

    The session is read when somebody asks for the latest announcement; if nothing has changed, the announcement stays
    the same.
    """

    def __init__(self, session: TableSession, turn_log: TurnLog) -> None:
        self._session = session
        self._tracker = UpdateTracker(turn_log)
        self._version: int | None = None
        self._latest: Announcement | None = None

    def latest(self) -> Announcement:
        """Returns the latest announcement, made now if anything has changed."""
        announcement: Announcement = self._session.read(self._look)
        return announcement

    def _look(self, session: TableSession) -> Announcement:
        if self._latest is None or session.version != self._version:
            self._version = session.version
            update = self._tracker.next(session)
            if self._latest is None:
                self._latest = Announcement(1, update)
            elif update.undone or update.turn_entries or update.is_awaited_new or update.is_rejection_new:
                self._latest = Announcement(self._latest.number + 1, update)
        return self._latest


@contextmanager
def speak_announcements(
    session: TableSession, narrator: Narrator, language: str, speak: Callable[[str], None]
) -> Iterator[None]:
    """Passes the text of every announcement to *speak*, from a thread of its own, while the block runs."""
    stop = threading.Event()
    arguments = (session, narrator, language, speak, stop)
    thread = threading.Thread(target=_announce_changes, args=arguments, name="announcer", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        session.wake_waiting()
        thread.join()


def _announce_changes(
    session: TableSession,
    narrator: Narrator,
    language: str,
    speak: Callable[[str], None],
    stop: threading.Event,
) -> None:
    announced = 0
    while not stop.is_set():
        version = session.version
        announcement = narrator.latest()
        if announcement.number != announced:
            announced = announcement.number
            if text := announcement.text(Translator(language, session.rules.name, view=announcement.view)):
                speak(text)
        session.wait_for_change(version, LOOK_S, stop.is_set)
