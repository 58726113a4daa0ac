"""What one process with everything on takes while people think: memory, and processor time with pages that look on.

``companion bench idle`` measures the loop alone, by how pictures come. The camera is made up, at the rate and sizes of
a Raspberry Pi's: nothing is drawn in the process that is measured.
"""

from __future__ import annotations

import json
import re
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

from companion.archive import Archive
from companion.games.burgundy.plugin import burgundy
from companion.journal import Journal
from companion.journal.backup import Backup
from companion.runtime.server import THREADS, PageServer, PageSettings
from companion.runtime.table_loop import TableLoop
from companion.runtime.wiring import open_table, page_of
from companion.session import TableSession
from companion.virtual.demo import demo_setup, layout_for
from hardware.cameras.camera import Camera, Look
from hardware.cameras.pi import PREVIEW_SIZE
from hardware.cameras.supervised import SupervisedCamera

from .page_probe import PAGES_TO_FETCH, fetch

if TYPE_CHECKING:
    import numpy as np

PLAYERS = 4
PAGES = 2
"""Open meanwhile: a tablet and a phone."""
SETTLING_S = 5.0
"""Until everything lies still, and has been read."""
PREVIEWS = 16
"""Different ones, as a sensor's noise makes them."""
MB = 1e6


@dataclass(frozen=True, slots=True)
class LoadFigures:
    """Of one process with eye, referee, journal, album, backup and page."""

    percent: float
    """Of one core of this machine."""
    read: int
    """Places of the table that were read before; 0 would mean that there was no eye."""
    memory_mb: float
    """The most that was in memory."""


def measure_load(seconds: float, seed: int = 1) -> LoadFigures:
    """Measures for so many seconds in a process of its own."""
    context = get_context("spawn")
    with tempfile.TemporaryDirectory(prefix="table-companion-") as folder:
        for step in (
            _prepare,
            _measure_still_table,
        ):  # each in a process of its own: what draws is not measured
            receiver, sender = context.Pipe(duplex=False)
            process = context.Process(target=step, args=(Path(folder), seconds, seed, sender))
            process.start()
            sender.close()
            try:
                figures = receiver.recv()
            except EOFError:
                raise RuntimeError(f"the table could not be set: exit code {process.exitcode}") from None
            finally:
                process.join()
                receiver.close()
    assert isinstance(figures, LoadFigures)
    return figures


def _prepare(folder: Path, seconds: float, seed: int, told: Any) -> None:
    """Draws a table, learns its tiles, and leaves picture, previews, table file and gallery in *folder*."""
    import cv2
    import numpy as np

    from calibration.table_file import parse
    from hardware.virtual_table import VirtualTable, enrolment_frames
    from vision.gallery import Gallery
    from vision.reader import enrol_places

    layout = layout_for(burgundy().new(demo_setup(PLAYERS, seed)))
    gallery = Gallery()
    for frame, sheet, labels in enrolment_frames(seed, layout=layout):
        enrol_places(gallery, frame, parse(sheet, "enrolment sheet"), labels)
    gallery.save(folder / "gallery.npz")
    with VirtualTable(layout, seed=seed) as camera:
        (folder / "table.json").write_text(json.dumps(camera.table_file()), encoding="utf-8")
        frames = [camera.read() for _ in range(PREVIEWS)]
    np.save(folder / "frame.npy", frames[0])
    grey = [cv2.cvtColor(cv2.resize(frame, PREVIEW_SIZE), cv2.COLOR_BGR2GRAY) for frame in frames]
    np.save(folder / "previews.npy", np.array(grey))
    told.send("ready")


class _StillCamera(Camera):
    """A camera before a table on which nothing moves."""

    name, live = "still camera", True

    def __init__(self, folder: Path) -> None:
        import numpy as np

        self._frame: np.ndarray = np.load(folder / "frame.npy")
        self._previews: np.ndarray = np.load(folder / "previews.npy")
        self._looks = 0

    def read(self) -> np.ndarray:
        return self._frame.copy()

    def look(self) -> Look:
        self._looks += 1
        return Look(self._previews[self._looks % PREVIEWS], self.read)

    def close(self) -> None:
        """There is nothing to let go of."""


def _measure_still_table(folder: Path, seconds: float, seed: int, told: Any) -> None:
    """Lets a table be still for so many seconds."""
    with _table(folder, seed) as (table, address):
        stop = threading.Event()
        used: list[float] = []

        def measure() -> None:
            time.sleep(SETTLING_S)
            for path in PAGES_TO_FETCH * THREADS:  # whichever thread answers
                fetch(address + path)
            before = time.process_time()
            time.sleep(seconds)
            used.append(time.process_time() - before)
            stop.set()

        watch = threading.Thread(target=measure)
        watch.start()
        table.run(time.monotonic, stop)
        watch.join()
        sighting = table.session.snapshot()["sighting"]
    told.send(LoadFigures(100 * used[0] / seconds, len(sighting["places"]) if sighting else 0, _peak_mb()))


def _peak_mb() -> float:
    """The most memory that this process has had in use (proc(5): VmHWM). What getrusage(2) tells begins with what the
    process that started this one had."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.findall(r"VmHWM:\s+([0-9]+) kB", status)[0]) * 1024 / MB


@contextmanager
def _table(folder: Path, seed: int) -> Iterator[tuple[TableLoop, str]]:
    """What :class:`companion.runtime.game_runner.GameRunner` sets up, with a made-up camera, and the page's address."""
    from calibration.table_file import load
    from hardware.panel import open_panel
    from vision.gallery import Gallery
    from vision.reader import TableReader

    (folder / "copies").mkdir()
    journal = Journal(folder / "1.journal")
    session = TableSession(burgundy(), journal, demo_setup(PLAYERS, seed))
    reader = TableReader(
        load(folder / "table.json"), Gallery.load(folder / "gallery.npz"), session.expected_cards
    )
    with ExitStack() as open_:
        open_.enter_context(Backup(journal, folder / "copies"))
        panel = open_.enter_context(open_panel(simulate=True))
        camera = open_.enter_context(SupervisedCamera(lambda: _StillCamera(folder), "still camera"))
        camera.run_in_background(time.monotonic)
        table = open_.enter_context(open_table(session, camera, reader, panel))
        games = Archive(folder, burgundy())
        open_.callback(games.close)
        server = PageServer(page_of(table, archive=games), PageSettings())
        open_.callback(server.close)
        for _ in range(PAGES):
            open_.enter_context(urlopen(f"{server.address}/events", timeout=30))
        yield table.loop, server.address
