"""What the page serves: one session and the devices around it, reachable from every request."""

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

from .preferences import asked_for
from .streams import Streams

EXTENSION = "companion"

Camera = Mapping[str, Any]
"""``settled`` (bool), ``age`` (seconds since the last frame, or None), ``name``, ``error`` (None, or ``code`` and
what else ``camera.CODE`` says), ``back`` (whether it just sees again), ``unkept`` (settings that it does not
keep), ``boards`` (player -> ``nudged`` or ``lost``)."""


Box = tuple[int, int, int, int]
"""x, y, width, height in px of the frame that was read last."""


class Buzzer(Protocol):
    """What of the panel sounds (``hardware.panel.Panel``)."""

    muted: bool

    def mute(self, muted: bool) -> None: ...


@dataclass(frozen=True)
class PageContext:
    """One table, as the page sees it."""

    session: TableSession
    turn_log: TurnLog
    narrator: Narrator
    streams: Streams
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
    finger: threading.Lock = field(default_factory=threading.Lock)
    """Held by who holds a key of the panel."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    """Shown to this page only: a command without it comes from elsewhere."""


def page_context() -> PageContext:
    """What the current app serves."""
    return cast(PageContext, current_app.extensions[EXTENSION])


def language() -> str:
    """The reader's language."""
    return asked_for(page_context().page_language)


def translator(view: Mapping[str, Any] | None = None) -> Translator:
    """The words of the reader's language about what *view* shows."""
    return Translator(language(), view=view, strict=current_app.testing)
