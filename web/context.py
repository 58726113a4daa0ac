"""What every request needs: the session and the devices around it, and the user's language."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from flask import current_app

from companion.archive import Archive
from companion.doctor.health import Health
from companion.privacy.picture_retention import PictureRetention
from companion.runtime.game_runner import NextGame
from companion.service.power import PowerSwitch
from companion.session import TableSession
from companion.session.evidence_pictures import EvidencePictures
from companion.storage.notices import StorageNotices
from companion.text.narrator import Narrator
from companion.text.translator import Translator
from companion.text.turn_log import TurnLog

from .preferences import preferred_language
from .streams import StreamLimit

EXTENSION = "companion"

Camera = Mapping[str, Any]
"""``settled`` (bool), ``age`` (seconds since the last frame, or None), ``name``, ``error`` (None, or ``code`` and
the other data of the text ``camera.CODE``), ``back`` (whether it has just recovered), ``unkept`` (settings that the
camera has changed by itself), ``boards`` (player -> ``nudged`` or ``lost``)."""


Box = tuple[int, int, int, int]
"""x, y, width, height in pixels of the frame that was read last."""


class Buzzer(Protocol):
    """The part of ``hardware.panel.Panel`` that beeps."""

    muted: bool

    def mute(self, muted: bool) -> None: ...


@dataclass(frozen=True)
class PageContext:
    """What the page needs to know about one table; ``page_context()`` returns that of the current app."""

    session: TableSession
    turn_log: TurnLog
    narrator: Narrator
    streams: StreamLimit
    camera: Callable[[], Camera | None]
    frame: Callable[[], bytes | None] | None
    crop: Callable[[Box], bytes | None]
    panel: Callable[[str, float | None], None] | None
    buttons: Collection[str]
    buzzer: Buzzer | None
    evidence_pictures: EvidencePictures | None
    archive: Archive | None
    addresses: Callable[[], list[str]]
    next_game: Callable[[NextGame], None] | None
    light: Callable[[], str] | None
    page_language: str
    storage_notices: StorageNotices
    pictures: PictureRetention | None
    power: PowerSwitch | None
    health: Health | None
    press_lock: threading.Lock = field(default_factory=threading.Lock)
    """Held while a request holds down a key of the panel."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    """Only this page contains it: a command without it comes from another site."""


def page_context() -> PageContext:
    """Returns the context of the current app."""
    return cast(PageContext, current_app.extensions[EXTENSION])


def language() -> str:
    """Returns the code of the user's language."""
    return preferred_language(page_context().page_language)


def translator(view: Mapping[str, Any] | None = None) -> Translator:
    """Returns a translator for the user's language, with the players' names of *view*."""
    return Translator(language(), view=view, strict=current_app.testing)
