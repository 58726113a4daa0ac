"""The optional voice of a game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from companion.session import TableSession
from companion.text.narrator import Narrator, speak_announcements
from companion.text.turn_log import TurnLog

from .errors import warn


@contextmanager
def speaking(session: TableSession, enabled: bool, language: str) -> Iterator[None]:
    """Returns a context in which this machine announces the turns of *session*, if *enabled* and possible."""
    from hardware.voice import VoiceUnavailableError, open_voice

    if not enabled:
        yield
        return
    try:
        voice = open_voice(language, on_failure=_warn_about)
    except VoiceUnavailableError as error:
        _warn_about(str(error))
        yield
        return
    with voice, speak_announcements(session, Narrator(session, TurnLog(session)), language, voice.speak):
        yield


def _warn_about(sentence: str) -> None:
    warn(sentence)
