"""Runs games at one table, with the same camera, panel and page address."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration.table_file import TableFile
from companion.archive import Archive
from companion.doctor import Machine
from companion.doctor.health import Health
from companion.doctor.machine import find_module
from companion.doctor.panel import panel_pins
from companion.games.lesson import LESSON
from companion.games.registry import plugin
from companion.journal.autosave import AutoSave
from companion.journal.backup import Backup
from companion.journal.files import journals_in
from companion.privacy.erasure import DataPaths
from companion.privacy.picture_retention import PictureRetention
from companion.service.power import power_switch
from companion.service.watchdog import is_progressing
from companion.session import TableSession
from companion.session.lesson_guide import LessonGuide
from companion.session.next_game import NextGame
from companion.storage.notices import StorageNotice, storage_notices
from companion.text.translator import Translator

from .allocator import give_back
from .camera_health import latest_shot
from .learnt_print import LearntPrint
from .learnt_tiles import LearntTiles, gallery_of
from .server import PageServer, PageSettings
from .wiring import Table, open_table, page_of

if TYPE_CHECKING:
    import numpy as np

    from calibration.camera_settings import CameraSettings
    from hardware.cameras import CameraError, SupervisedCamera
    from hardware.panel import Panel
    from vision.gallery import Gallery
    from vision.reader import TableReader
    from web.own_phones import OwnPhones

NO_CAMERA = "none"
RESUME_WITHIN_S = 12 * 3600
"""Seconds within which an interrupted game is continued although the date has changed."""
ANSWER_S = 0.3
"""Seconds for which the page is still served when people go on to another game."""
NAMING_S = 5.0
"""Seconds to wait for the page's name while it is being announced."""


@dataclass
class GameRunner:
    """Represents what stays the same from game to game."""

    data: Path
    """The folder of all stored data."""
    camera_name: str
    """NO_CAMERA if everything is tapped."""
    table_file: TableFile | None
    gallery: Path | None
    panel: Path | None
    page: PageSettings
    """Its port is the one that was used last."""
    announce: Callable[[str], None]
    """Prints the page's address."""
    remark: Callable[[str], None]
    """Prints any other line."""
    voice: Callable[[TableSession], AbstractContextManager[None]]
    data_paths: DataPaths
    settings: Path
    """The owner's settings file."""
    print_path: Path
    """The file with what is printed in the owner's copy."""
    _own_phones: dict[str, OwnPhones] = field(default_factory=dict, init=False)
    """The phones that have joined each game by the path of its journal: they are still in when it goes on."""

    def __post_init__(self) -> None:
        if self.page.name is not None:
            self.page.name.on_address = lambda address: self._remark_text("also_called", address=address)

    def play(
        self, session: TableSession, games: Archive, at_start: list[StorageNotice], headline: str
    ) -> NextGame | None:
        """Plays the game of *session*; returns the next game that people ask for, None if they end the companion.

        *at_start* are notices about the journal; the *headline* is printed.
        """
        give_back()
        with ExitStack() as open_:
            running = self._open(session, games, at_start, open_)
            self._announce(running, headline)
            watching = self.page.watchdog.watching
            open_.enter_context(watching("page", running.server.answers))
            open_.enter_context(watching("table", is_progressing(lambda: running.table.loop.steps)))
            try:
                running.table.loop.run(time.monotonic, running.exit_.stop)
            except KeyboardInterrupt:
                return None
        return running.exit_.next_game

    def _open(
        self, session: TableSession, games: Archive, at_start: list[StorageNotice], open_: ExitStack
    ) -> _Running:
        """Opens everything that the game needs; *open_* closes it."""
        from hardware.panel import SimulatedFinger

        gallery, unusable = gallery_of(self.gallery, self.remark)
        if unusable:
            at_start = [*at_start, StorageNotice("gallery_unusable", {"file": str(self.gallery)})]
        reader = self._reader(session, gallery)
        backup = self._backup(session, open_)
        open_.enter_context(AutoSave(session.journal, log=self.remark))
        guide = _guide_of(session)
        if guide is None:
            open_.enter_context(LearntPrint(session, self.print_path, self.remark))
        camera, panel = self._devices(open_)
        tiles = None
        if gallery is not None and self.gallery is not None:
            tiles = open_.enter_context(LearntTiles(reader, self.gallery, self.remark))
        table = open_.enter_context(
            open_table(
                session,
                camera,
                reader,
                panel,
                on_certain=partial(_learn_from, reader, tiles),
                on_loss=self._remark_on_camera,
                power=power_switch(),
            )
        )
        open_.enter_context(self.voice(session))
        pictures = open_.enter_context(
            PictureRetention(
                self.data_paths, table.picture_store, self.settings, table.forget_frames, warn=self.remark
            )
        )
        exit_ = _GameExit(session)
        health = Health(lambda: self._machine(table, games, reader))
        served = page_of(
            table,
            press=None if panel.status.startswith("buttons: OK") else SimulatedFinger(panel).press,
            archive=games,
            next_game=exit_.ask,
            storage_notices=storage_notices(session.journal, at_start, table.picture_store, backup, tiles),
            pictures=pictures,
            health=health,
            own_phones=self._phones_of(session),
            guide=guide,
        )
        server = PageServer(served, self.page)
        open_.callback(server.close)
        self.page = replace(self.page, port=server.port)
        return _Running(table, server, exit_, health)

    def _phones_of(self, session: TableSession) -> OwnPhones:
        from web.own_phones import OwnPhones

        return self._own_phones.setdefault(str(session.journal.path), OwnPhones())

    def _reader(self, session: TableSession, gallery: Gallery | None) -> TableReader:
        from vision.reader import TableReader

        reader = TableReader(self.table_file or TableFile((1, 1)), gallery)
        reader.expected = session.expected_cards
        reader.labels = session.visible_labels()
        reader.awaited_dice = session.awaited_dice
        if self.camera_name == NO_CAMERA:
            session.watch_nothing()
        return reader

    def _backup(self, session: TableSession, open_: ExitStack) -> Backup | None:
        if (folder := self.data_paths.backup) is None or session.setup.get(LESSON):
            return None
        return open_.enter_context(Backup(session.journal, folder, log=self.remark))

    def _devices(self, open_: ExitStack) -> tuple[SupervisedCamera, Panel]:
        from hardware.cameras import is_automatic, open_supervised_camera
        from hardware.panel import open_panel

        camera = open_.enter_context(
            open_supervised_camera(self.camera_name, self._camera_settings, time.monotonic)
        )
        if is_automatic(self.camera_name, self._camera_settings):
            self._remark_text("camera_adjusts")
        return camera, open_.enter_context(open_panel(self.panel))

    @property
    def _camera_settings(self) -> CameraSettings | None:
        return self.table_file.camera_settings if self.table_file else None

    def _machine(self, table: Table, games: Archive, reader: TableReader) -> Machine:
        """Returns the machine as it is now, with camera and panel as the game uses them."""
        from hardware.cameras import DEVICES, is_automatic, kind_of

        shot = latest_shot(
            table.loop,
            table.last_frame,
            kind_of(self.camera_name) in DEVICES,
            is_automatic(self.camera_name, self._camera_settings),
        )
        name = self.page.name
        return Machine(
            data=self.data,
            games_folder=games.folder,
            host=self.page.host,
            port=self.page.port,
            table=reader.table if self.table_file else None,
            camera=None if table.loop.camera.absent else shot,
            pins=panel_pins(table.panel),
            announce=lambda port: None if name is None else name.address(NAMING_S),
            load=find_module,
            playing=True,
        )

    def _announce(self, running: _Running, headline: str) -> None:
        """Prints the page's address, and which game is played."""
        address = running.server.address
        panel = running.health.of_panel(self.page.language)
        self.remark(panel)
        self.remark(headline)
        self._remark_text("saved_in", file=running.table.session.journal.path)
        self.announce(self._translator("command.open", address=address))
        running.health.start(self.remark, self.page.language)
        self.page.watchdog.set_status(f"{address}; {panel}")

    @property
    def _translator(self) -> Translator:
        """Returns a translator for those who read the terminal."""
        return Translator(self.page.language)

    def _remark_text(self, key: str, **data: Any) -> None:
        self.remark(self._translator(f"command.{key}", **data))

    def _remark_on_camera(self, error: CameraError | None) -> None:
        """Reports that the camera has failed, or that it is back."""
        code, data = ("back", {}) if error is None else (error.code, error.data)
        self._remark_text("camera_line", sentence=self._translator(f"camera.{code}", **data))


class _GameExit:
    """Ends a game when people ask for another one."""

    def __init__(self, session: TableSession) -> None:
        self.stop = threading.Event()
        self.next_game: NextGame | None = None
        self._session = session

    def ask(self, next_game: NextGame) -> None:
        """Ends the game once the page has answered.

        :raises CommandRejectedError: if the game cannot be saved, and people have not been warned of the loss.
        """
        next_game.check_saved(self._session)
        self.next_game = next_game
        threading.Timer(ANSWER_S, self.stop.set).start()


@dataclass(frozen=True, slots=True)
class _Running:
    """Represents a game that is being played."""

    table: Table
    server: PageServer
    exit_: _GameExit
    health: Health


def _guide_of(session: TableSession) -> LessonGuide | None:
    """Returns who leads through the game of *session*, which is begun; None if it is no lesson."""
    lesson = plugin(session.rules.name).lesson
    if lesson is None or not session.setup.get(LESSON):
        return None
    session.watch_nothing()
    guide = LessonGuide(session, lesson)
    guide.begin()
    return guide


def _learn_from(
    reader: TableReader, tiles: LearntTiles | None, frame: np.ndarray, labels: Mapping[str, str]
) -> None:
    """Learns what the places *labels* look like in *frame*: the empty spaces, and what lies on others if there is a
    gallery."""
    reader.learn_bare(frame, labels)
    if tiles is not None:
        tiles.learn(frame, labels)


def latest_of(folder: Path, day: str, now: float) -> Path | None:
    """Returns the latest game of *day* or of the last RESUME_WITHIN_S; None if there is none.

    *now* is in seconds since 1970.
    """
    played: dict[Path, float] = {}
    for path in journals_in(folder):
        with suppress(FileNotFoundError):  # it has been deleted meanwhile
            played[path] = path.stat().st_mtime
    games = [
        path for path in played if path.name.startswith(day) or abs(now - played[path]) < RESUME_WITHIN_S
    ]
    return max(games, key=played.__getitem__, default=None)
