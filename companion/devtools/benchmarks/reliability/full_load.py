"""Memory and processor time of one process with everything on and pages connected, while the players think.

``companion bench idle`` measures the loop alone. The camera is simulated, with the rate and sizes of a Raspberry Pi's;
nothing is rendered in the process that is measured.
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
from companion.games.registry import rules_of
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
"""Connected pages: a tablet and a phone."""
WARM_UP_S = 5.0
"""Time until the table is at rest, and has been read."""
PREVIEWS = 16
"""Number of different previews, as with a sensor's noise."""
MB = 1e6


@dataclass(frozen=True, slots=True)
class LoadFigures:
    """Figures of one process with reader, referee, journal, picture store, backup and page."""

    percent: float
    """Of one core of this machine."""
    read: int
    """Places that were read before; 0 would mean that the reader did not work."""
    memory_mb: float
    """The most that was in memory."""


def measure_load(seconds: float, seed: int = 1) -> LoadFigures:
    """Measures for *seconds* in a process of its own."""
    context = get_context("spawn")
    with tempfile.TemporaryDirectory(prefix="table-companion-") as folder:
        for step in (
            _prepare,
            _measure_still_table,
        ):  # each in a process of its own: rendering is not measured
            receiver, sender = context.Pipe(duplex=False)
            process = context.Process(target=step, args=(Path(folder), seconds, seed, sender))
            process.start()
            sender.close()
            try:
                figures = receiver.recv()
            except EOFError:
                raise RuntimeError(f"the table could not be prepared: exit code {process.exitcode}") from None
            finally:
                process.join()
                receiver.close()
    assert isinstance(figures, LoadFigures)
    return figures


def _prepare(folder: Path, seconds: float, seed: int, sender: Any) -> None:
    """Renders a table, learns its tiles, and writes picture, previews, table file and gallery to *folder*."""
    import cv2
    import numpy as np

    from calibration.table_file import parse
    from hardware.virtual_table import VirtualTable, enrolment_frames
    from vision.gallery import Gallery
    from vision.reader import enrol_places

    layout = layout_for(demo_setup(PLAYERS, seed))
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
    sender.send("ready")


class _StillCamera(Camera):
    """A camera in front of a table on which nothing moves."""

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
        """Does nothing: no device is open."""


def _measure_still_table(folder: Path, seconds: float, seed: int, sender: Any) -> None:
    """Runs a table on which nothing moves for *seconds*, and sends the figures."""
    with _table(folder, seed) as (table, address):
        stop = threading.Event()
        used: list[float] = []

        def measure() -> None:
            time.sleep(WARM_UP_S)
            for path in PAGES_TO_FETCH * THREADS:  # so that every thread has answered
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
    sender.send(LoadFigures(100 * used[0] / seconds, len(sighting["places"]) if sighting else 0, _peak_mb()))


def _peak_mb() -> float:
    """Returns the peak memory of this process (proc(5): VmHWM); getrusage(2) would include that of its parent."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.findall(r"VmHWM:\s+([0-9]+) kB", status)[0]) * 1024 / MB


@contextmanager
def _table(folder: Path, seed: int) -> Iterator[tuple[TableLoop, str]]:
    """Returns a context with what :class:`companion.runtime.game_runner.GameRunner` sets up, and the page's address."""
    from calibration.table_file import load
    from hardware.panel import open_panel
    from vision.gallery import Gallery
    from vision.reader import TableReader

    (folder / "copies").mkdir()
    journal = Journal(folder / "1.journal")
    setup = demo_setup(PLAYERS, seed)
    session = TableSession(rules_of(setup), journal, setup)
    reader = TableReader(
        load(folder / "table.json"),
        Gallery.load(folder / "gallery.npz"),
        session.expected_cards,
        awaited_dice=session.awaited_dice,
    )
    with ExitStack() as open_:
        open_.enter_context(Backup(journal, folder / "copies"))
        panel = open_.enter_context(open_panel(simulate=True))
        camera = open_.enter_context(SupervisedCamera(lambda: _StillCamera(folder), "still camera"))
        camera.run_in_background(time.monotonic)
        table = open_.enter_context(open_table(session, camera, reader, panel))
        games = Archive(folder)
        open_.callback(games.close)
        server = PageServer(page_of(table, archive=games), PageSettings())
        open_.callback(server.close)
        for _ in range(PAGES):
            open_.enter_context(urlopen(f"{server.address}/events", timeout=30))
        yield table.loop, server.address
