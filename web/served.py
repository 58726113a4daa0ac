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
from companion.service.power import PowerSwitch
from companion.session import TableSession
from companion.session.evidence_pictures import EvidencePictures
from companion.session.next_game import NextGame
from companion.storage.notices import StorageNotices
from companion.text.narrator import Narrator
from companion.text.translator import DEFAULT_LANGUAGE, Translator
from companion.text.turn_log import TurnLog

from .reader import asked_for
from .streams import Streams

EXTENSION = "companion"
BUTTONS = ("confirm", "undo", "next_alternative", "help")
"""Those that every panel has."""
MOST_STREAMS = 10
"""Live pages at once; the server needs some threads more than that."""

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


@dataclass
class Served:
    """One table, as the page sees it; everything but the session may be missing."""

    session: TableSession
    camera: Callable[[], Camera | None] = lambda: None
    """How the camera is; None when there is none."""
    frame: Callable[[], bytes | None] | None = None
    """The JPEG of what the camera read last, None before the first; None when no frames are read."""
    crop: Callable[[Box], bytes | None] = lambda box: None
    """The JPEG of a part of that frame."""
    panel: Callable[[str, float | None], None] | None = None
    """Presses a button of a simulated panel for so many seconds, None as briefly as possible; None when the panel is
    real: then the page shows none."""
    buttons: Collection[str] = BUTTONS
    """Names of the simulated panel's buttons."""
    buzzer: Buzzer | None = None
    """What can be muted, if anything."""
    evidence_pictures: EvidencePictures | None = None
    """Pictures of what turns rest on; None when there is no camera."""
    archive: Archive | None = None
    """Past games, where they are kept."""
    addresses: Callable[[], list[str]] = list
    """Where other browsers find the page."""
    next_game: Callable[[NextGame], None] | None = None
    """Takes what people want to play next; None where there is only this game."""
    light: Callable[[], str] | None = None
    """Name of the panel's light; None goes by the session's status."""
    page_language: str = DEFAULT_LANGUAGE
    """For readers whose browser asks for no language that there is."""
    storage_notices: StorageNotices = list
    """What people should know about how the game is stored."""
    pictures: PictureRetention | None = None
    """Stored pictures, to be deleted; None where nothing is stored after this game."""
    power: PowerSwitch | None = None
    """Switches the machine off; None where that cannot be done from here."""
    health: Health | None = None
    """Says whether camera, disk and the like are in order; None when nobody looks."""
    streams: Streams = field(default_factory=lambda: Streams(MOST_STREAMS))
    """Live pages at once; further ones poll every few seconds."""
    turn_log: TurnLog = field(init=False)
    narrator: Narrator = field(init=False)
    finger: threading.Lock = field(default_factory=threading.Lock)
    """Held while a key of the panel is held."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    """Shown to this page only: a command without it comes from elsewhere."""

    def __post_init__(self) -> None:
        self.turn_log = TurnLog(self.session)
        self.narrator = Narrator(self.session, self.turn_log)


def served() -> Served:
    """What the current app serves."""
    return cast(Served, current_app.extensions[EXTENSION])


def language() -> str:
    """The reader's language."""
    return asked_for(served().page_language)


def translator(view: Mapping[str, Any] | None = None) -> Translator:
    """The words of the reader's language about what *view* shows."""
    return Translator(language(), view=view, strict=current_app.testing)
