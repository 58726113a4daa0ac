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
from companion.privacy.picture_retention import KeptPictures
from companion.runtime.game_runner import Wish
from companion.service.power import PowerSwitch
from companion.session import TableSession
from companion.session.evidence_pictures import Proofs
from companion.storage.notices import Keeping
from companion.text.narrator import Announcer
from companion.text.translator import Words
from companion.text.turn_log import Story

from .reader import asked_for
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
class Served:
    """One table, as the page sees it."""

    session: TableSession
    story: Story
    announcer: Announcer
    streams: Streams
    camera: Callable[[], Camera | None]
    frame: Callable[[], bytes | None] | None
    crop: Callable[[Box], bytes | None]
    panel: Callable[[str, float | None], None] | None
    buttons: Collection[str]
    buzzer: Buzzer | None
    proofs: Proofs | None
    archive: Archive | None
    addresses: Callable[[], list[str]]
    wish: Callable[[Wish], None] | None
    light: Callable[[], str] | None
    page_language: str
    keeping: Keeping
    pictures: KeptPictures | None
    power: PowerSwitch | None
    health: Health | None
    finger: threading.Lock = field(default_factory=threading.Lock)
    """Held by who holds a key of the panel."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    """Shown to this page only: a command without it comes from elsewhere."""


def served() -> Served:
    """What the current app serves."""
    return cast(Served, current_app.extensions[EXTENSION])


def language() -> str:
    """The reader's language."""
    return asked_for(served().page_language)


def words(picture: Mapping[str, Any] | None = None) -> Words:
    """The words of the reader's language about what *picture* shows."""
    return Words(language(), picture=picture, strict=current_app.testing)
