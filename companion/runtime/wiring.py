"""Puts a table together: the one place where camera, reader, panel, session and page meet.

A real game, the demo, the screenshots and the benches differ in what they hand in, not in how it is connected.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from companion.journal.database import MEMORY
from companion.session import TableSession
from companion.session.evidence_pictures import Cut, EvidencePictures
from companion.session.last_frame import LastFrame
from companion.storage.picture_store import PictureStore

from .table_loop import Reader, TableLoop

if TYPE_CHECKING:
    import numpy as np

    from companion.archive import Archive
    from companion.doctor.health import Health
    from companion.privacy.picture_retention import PictureRetention
    from companion.service.power import PowerSwitch
    from companion.session.lesson_guide import LessonGuide
    from companion.session.next_game import NextGame
    from companion.storage.notices import StorageNotices
    from hardware.cameras import Camera, CameraError, SupervisedCamera
    from hardware.panel import Panel
    from vision.sighting import Sighting
    from web.context import PageContext
    from web.own_phones import OwnPhones


class TableReader(Reader, Protocol):
    """A reader that can also cut pictures of places out of a frame (:class:`vision.reader.TableReader`)."""

    @property
    def pictures(self) -> Cut: ...


@dataclass(frozen=True, slots=True)
class Table:
    """What is open around one session while its game is played."""

    session: TableSession
    loop: TableLoop
    panel: Panel
    last_frame: LastFrame
    picture_store: PictureStore
    evidence_pictures: EvidencePictures

    def forget_frames(self) -> None:
        """Drops the pictures in memory."""
        self.evidence_pictures.clear_frames()
        self.last_frame.forget()


@contextmanager
def open_table(
    session: TableSession,
    camera: Camera | SupervisedCamera,
    reader: TableReader,
    panel: Panel,
    *,
    stores_pictures: bool = True,
    on_certain: Callable[[np.ndarray, Mapping[str, str]], None] | None = None,
    on_loss: Callable[[CameraError | None], None] | None = None,
    power: PowerSwitch | None = None,
) -> Iterator[Table]:
    """Connects *session* with the devices around it; what they show is stored beside its journal.

    *camera* and *panel* are closed by whoever opened them. Without *stores_pictures* the page shows none.
    See :class:`.table_loop.TableLoop` for the callbacks.
    """
    from vision.settle import SettleDetector

    last_frame = LastFrame()
    path = session.journal.path
    picture_store = PictureStore(path if path == MEMORY else f"{path}.album")
    evidence_pictures = EvidencePictures(session, reader.pictures, picture_store)

    def note_read(frame: np.ndarray, sighting: Sighting) -> None:
        last_frame.note(frame, sighting)
        evidence_pictures.add_frame(frame, sighting)

    loop = TableLoop(
        session,
        camera,
        reader,
        SettleDetector(),
        panel,
        on_read=note_read if stores_pictures else None,
        on_certain=on_certain,
        on_loss=on_loss,
        power=power,
    )
    try:
        yield Table(session, loop, panel, last_frame, picture_store, evidence_pictures)
    finally:
        picture_store.close()


def page_of(
    table: Table,
    *,
    press: Callable[[str, float | None], None] | None = None,
    archive: Archive | None = None,
    next_game: Callable[[NextGame], None] | None = None,
    storage_notices: StorageNotices | None = None,
    pictures: PictureRetention | None = None,
    health: Health | None = None,
    own_phones: OwnPhones | None = None,
    guide: LessonGuide | None = None,
) -> PageContext:
    """Returns what the page about *table* serves.

    *press* presses buttons of a simulated panel; without it the page shows none. See :class:`web.context.PageContext`
    for the others.
    """
    from web.context import PageContext
    from web.own_phones import OwnPhones

    loop, panel = table.loop, table.panel
    return PageContext(
        table.session,
        camera=lambda: loop.status(time.monotonic()),
        frame=table.last_frame.jpeg,
        crop=table.last_frame.crop,
        panel=press,
        buttons=tuple(panel.buttons),
        buzzer=panel,
        light=lambda: panel.light,
        evidence_pictures=table.evidence_pictures,
        power=loop.power,
        archive=archive,
        next_game=next_game,
        storage_notices=storage_notices or list,
        pictures=pictures,
        health=health,
        own_phones=own_phones or OwnPhones(),
        guide=guide,
    )
