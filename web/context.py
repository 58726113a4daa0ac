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
from companion.service.power import PowerSwitch
from companion.session import TableSession
from companion.session.evidence_pictures import EvidencePictures
from companion.session.lesson_guide import LessonGuide
from companion.session.next_game import NextGame
from companion.storage.notices import StorageNotices
from companion.text.catalogue import DEFAULT_LANGUAGE
from companion.text.narrator import Narrator
from companion.text.translator import Translator
from companion.text.turn_log import TurnLog

from .own_phones import OwnPhones
from .preferences import preferred_language
from .streams import StreamLimit

EXTENSION = "companion"
BUTTONS = ("confirm", "undo", "next_alternative", "help")
"""The buttons that every panel has."""
MAX_STREAMS = 10
"""Live pages at once; the server needs some threads more than that."""

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


@dataclass
class PageContext:
    """What the page needs to know about one table; everything but the session may be missing.

    ``page_context()`` returns that of the current app.
    """

    session: TableSession
    camera: Callable[[], Camera | None] = lambda: None
    """Returns the camera's status; None without a camera."""
    frame: Callable[[], bytes | None] | None = None
    """Returns the JPEG that the camera read last, None before the first; None if no frames are read."""
    crop: Callable[[Box], bytes | None] = lambda box: None
    """Returns the JPEG of a part of that frame."""
    panel: Callable[[str, float | None], None] | None = None
    """Presses a button of a simulated panel for a number of seconds, None for the shortest press; None if the panel is
    real, and the page draws none."""
    buttons: Collection[str] = BUTTONS
    """Names of the simulated panel's buttons."""
    buzzer: Buzzer | None = None
    """Can be muted; None if there is none."""
    evidence_pictures: EvidencePictures | None = None
    """Pictures of the places that each turn has changed; None without a camera."""
    archive: Archive | None = None
    """Past games; None if no games are stored."""
    addresses: Callable[[], list[str]] = list
    """Returns the addresses at which other browsers find the page."""
    next_game: Callable[[NextGame], None] | None = None
    """Takes the request for the next game; None if this is the only one."""
    light: Callable[[], str] | None = None
    """Returns the name of the panel's light; None derives it from the session's status."""
    page_language: str = DEFAULT_LANGUAGE
    """For browsers that accept none of the languages."""
    storage_notices: StorageNotices = list
    """Returns what people should know about saving the game."""
    pictures: PictureRetention | None = None
    """Stored pictures, which can be deleted; None if nothing is stored after this game."""
    power: PowerSwitch | None = None
    """Switches the machine off; None if that is not possible."""
    health: Health | None = None
    """The results of the doctor's checks of camera, disk and so on; None if nothing is checked."""
    streams: StreamLimit = field(default_factory=lambda: StreamLimit(MAX_STREAMS))
    """Live pages at once; further pages poll every few seconds."""
    own_phones: OwnPhones = field(default_factory=OwnPhones)
    """Players' phones with pages of their own."""
    guide: LessonGuide | None = None
    """Leads a learner through the game; None if it is no lesson."""
    turn_log: TurnLog = field(init=False)
    narrator: Narrator = field(init=False)
    press_lock: threading.Lock = field(default_factory=threading.Lock)
    """Held while a request holds down a key of the panel."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    """Only this page contains it: a command without it comes from another site."""

    def __post_init__(self) -> None:
        self.turn_log = TurnLog(self.session)
        self.narrator = Narrator(self.session, self.turn_log)


def page_context() -> PageContext:
    """Returns the context of the current app."""
    return cast(PageContext, current_app.extensions[EXTENSION])


def language() -> str:
    """Returns the code of the user's language."""
    return preferred_language(page_context().page_language)


def translator(view: Mapping[str, Any] | None = None, game: str | None = None) -> Translator:
    """Returns a translator for the user's language, with the players' names of *view*.

    *game* names the game that it is about; the default is the one on the table.
    """
    about = game or page_context().session.rules.name
    return Translator(language(), about, view=view, strict=current_app.testing)
