"""The voice beside a game: optional, and play goes on without it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from companion.session import TableSession
from companion.text.narrator import Narrator, speak_announcements
from companion.text.turn_log import TurnLog

from .errors import warn


@contextmanager
def speaking(session: TableSession, wanted: bool, language: str) -> Iterator[None]:
    """Says what happens in *session* on this machine while the block runs, where that is *wanted* and possible."""
    from hardware.voice import VoiceUnavailableError, open_voice

    if not wanted:
        yield
        return
    try:
        voice = open_voice(language, on_failure=_complain)
    except VoiceUnavailableError as error:
        _complain(str(error))
        yield
        return
    with voice, speak_announcements(session, Narrator(session, TurnLog(session)), language, voice.say):
        yield


def _complain(sentence: str) -> None:
    warn(sentence)
