"""An evening at one table: game after game, with the same camera, panel and address of the page."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from companion.archive import Archive
from companion.doctor import Machine
from companion.doctor.camera import seen_by
from companion.doctor.health import Health
from companion.doctor.machine import find
from companion.doctor.panel import pins_of
from companion.journal.backup import Backup
from companion.journal.files import journals_in
from companion.journal.saving import Saving
from companion.network.page_address import NetworkName
from companion.privacy.erasure import DataPaths
from companion.privacy.picture_retention import PictureRetention
from companion.service.power import power_switch
from companion.service.watchdog import Watchdog, moves_on
from companion.session import TableSession
from companion.session.evidence_pictures import EvidencePictures
from companion.storage.notices import StorageNotice, storage_notices
from companion.storage.picture_store import PictureStore

from .allocator import give_back
from .learnt_tiles import LearntTiles, gallery_of
from .table_loop import TableLoop

if TYPE_CHECKING:
    import numpy as np

    from calibration.table_file import TableFile
    from vision.sighting import Sighting

NO_CAMERA = "none"
EVENING_S = 12 * 3600
"""Within that time a game that was interrupted goes on, whatever the date."""
ANSWER_S = 0.3
"""How long the page is still answered when people go on to another game."""
NAMING_S = 5.0
"""How long who asks about the page's name waits for one that is just being announced."""


@dataclass(frozen=True, slots=True)
class NextGame:
    """What people want to play next."""

    game: str | None = None
    """The name of a game to go on with; None for a new one."""
    reseats: bool = False
    """Whether the new one is this one with its seats put right."""
    erases: bool = False
    """Whether all that is kept of people is deleted first."""
    gives_up: int = 0
    """How many records that could not be saved people leave behind: they were told so."""

    def check_saved(self, session: TableSession) -> None:
        """Saves the game of *session* before it is left, unless all is deleted.

        :raises RefusedError: when that is not possible, and people have not been told what would be lost.
        """
        if self.erases:
            return
        command = {"do": "reseat" if self.reseats else "new_game"}
        if self.game is not None:
            command = {"do": "go_on", "game": self.game}
        session.check_saved(self.gives_up, **command)


@dataclass
class GameRunner:
    """Represents what stays on the table from game to game."""

    data: Path
    """The folder of all that is kept."""
    camera_name: str
    """NO_CAMERA where everything is tapped."""
    table_file: TableFile | None
    gallery: Path | None
    panel: Path | None
    pin: str | None
    key: bytes
    language: str
    host: str
    port: int
    hosts: tuple[str, ...]
    """Further names by which browsers may call this machine."""
    say: Callable[[str], None]
    """Takes the page's address, where the companion was started."""
    remark: Callable[[str], None]
    """Takes what else there is to be told there."""
    voice: Callable[[TableSession], AbstractContextManager[None]]
    data_paths: DataPaths
    """The places of all that is kept."""
    settings: Path
    """The file of what the owner chose."""
    watchdog: Watchdog = field(default_factory=Watchdog)
    """Sees to it that a loop that hangs is noticed."""
    name: NetworkName = field(default_factory=NetworkName)
    """Leads to the page, from before the first game to after the last."""

    def __post_init__(self) -> None:
        self.name.on_address = lambda address: self.remark(f"page: also called {address}")

    def play(
        self, session: TableSession, games: Archive, at_start: list[StorageNotice], headline: str
    ) -> NextGame | None:
        """Plays the game of *session* until people want another one; None when the companion is ended (Ctrl-C).

        *at_start* is what people should know about the journal; the *headline* is told where the companion was started.
        """
        from calibration.table_file import TableFile
        from hardware.cameras import DEVICES, kind_of, left_to_itself, watch_camera
        from hardware.panel import SimulatedFinger, open_panel
        from vision.reader import TableReader
        from vision.settle import SettleDetector

        from .server import LastFrame, PageServer

        give_back()
        gallery, is_unusable = gallery_of(self.gallery, self.remark)
        if is_unusable:
            at_start = [*at_start, StorageNotice("gallery_unusable", {"file": str(self.gallery)})]
        reader = TableReader(self.table_file or TableFile((1, 1)), gallery)
        reader.expected = session.expected_cards
        if self.camera_name == NO_CAMERA:
            session.watch(dice=False, boards=False)
        last_frame = LastFrame()
        next_games: list[NextGame] = []
        stop = threading.Event()

        def next_game(next_: NextGame) -> None:
            next_.check_saved(session)
            next_games.append(next_)
            threading.Timer(ANSWER_S, stop.set).start()

        with ExitStack() as open_:
            backup = None
            if (folder := self.data_paths.backup) is not None:
                backup = open_.enter_context(Backup(session.journal, folder, say=self.remark))
            open_.enter_context(Saving(session.journal, say=self.remark))
            picture_store = PictureStore(f"{session.journal.path}.album")
            open_.callback(picture_store.close)
            evidence_pictures = EvidencePictures(session, reader.pictures, picture_store)

            def note_read(frame: np.ndarray, sighting: Sighting) -> None:
                last_frame.note(frame, sighting)
                evidence_pictures.note(frame, sighting)

            def forget_frames() -> None:
                evidence_pictures.forget()
                last_frame.forget()

            pictures = open_.enter_context(
                PictureRetention(
                    self.data_paths, picture_store, self.settings, forget_frames, warn=self.remark
                )
            )
            settings = self.table_file.camera_settings if self.table_file else None
            camera = open_.enter_context(watch_camera(self.camera_name, settings, time.monotonic))
            is_device = kind_of(self.camera_name) in DEVICES
            adjusts_itself = left_to_itself(self.camera_name, settings)
            if adjusts_itself:
                self.remark("camera: it adjusts itself; './run calibrate light' fixes it to your lamp")
            panel = open_.enter_context(open_panel(self.panel))
            open_.enter_context(self.voice(session))
            tiles = None
            if gallery is not None and self.gallery is not None:
                tiles = open_.enter_context(LearntTiles(reader, self.gallery, self.remark))
            table = TableLoop(
                session,
                camera,
                reader,
                SettleDetector(),
                panel,
                on_read=note_read,
                on_certain=None if tiles is None else tiles.learn,
                on_loss=lambda error: self.remark(f"camera: {error or 'OK'}"),
                power=power_switch(),
            )

            def machine() -> Machine:
                """As it is now, with camera and panel as the game uses them."""
                return Machine(
                    data=self.data,
                    games_folder=games.folder,
                    host=self.host,
                    port=self.port,
                    table=reader.table if self.table_file else None,
                    camera=None
                    if table.camera.absent
                    else seen_by(table, last_frame, is_device, adjusts_itself),
                    pins=pins_of(panel),
                    announce=lambda port: self.name.address(NAMING_S),
                    load=find,
                    playing=True,
                )

            health = Health(machine)
            server = PageServer(
                session,
                table,
                last_frame,
                host=self.host,
                port=self.port,
                press=None if panel.status.startswith("buttons: OK") else SimulatedFinger(panel).press,
                evidence_pictures=evidence_pictures,
                games=games,
                next_game=next_game,
                pin=self.pin,
                key=self.key,
                language=self.language,
                storage_notices=storage_notices(session.journal, at_start, picture_store, backup, tiles),
                pictures=pictures,
                health=health,
                name=self.name,
                hosts=self.hosts,
            )
            open_.callback(server.close)
            self.port = server.port
            self.remark(panel.status)
            self.remark(headline)
            self.remark(f"journal: {session.journal.path}")
            self.say(f"Open {server.address}  (Ctrl-C ends the companion; the game is kept)")
            health.begin(self.remark, self.language)
            self.watchdog.say(f"{server.address}; {panel.status}")
            open_.enter_context(self.watchdog.watching("page", server.answers))
            open_.enter_context(self.watchdog.watching("table", moves_on(lambda: table.steps)))
            try:
                table.run(time.monotonic, stop)
            except KeyboardInterrupt:
                return None
        return next_games[-1] if next_games else None


def latest_of(folder: Path, day: str, now: float) -> Path | None:
    """The game of that day, or of an evening that has passed midnight, that was played last; None when there is none.

    *now* is in seconds since 1970.
    """
    played: dict[Path, float] = {}
    for path in journals_in(folder):
        with suppress(FileNotFoundError):  # it is being taken away
            played[path] = path.stat().st_mtime
    games = [path for path in played if path.name.startswith(day) or abs(now - played[path]) < EVENING_S]
    return max(games, key=played.__getitem__, default=None)
