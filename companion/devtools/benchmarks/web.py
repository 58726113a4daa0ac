"""The page in a real browser: time from press to page, first load, idle cost, and accessibility (axe)."""

from __future__ import annotations

import math
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.games.registry import rules_of
from companion.journal import Journal
from companion.players.bots import BOTS
from companion.runtime.server import PageServer, PageSettings
from companion.runtime.wiring import open_table, page_of
from companion.session import TableSession
from companion.virtual.demo import demo_setup, labels_for
from companion.virtual.misreadings import NO_MISREADINGS
from companion.virtual.simulated_players import SimulatedPlayers
from hardware.cameras.absent import NoCamera

from ..browser import chromium
from .referee import SightingTable

if TYPE_CHECKING:
    from hardware.panel import SimulatedFinger

PRESS_AIM_MS, LOAD_AIM_MS, SIZE_AIM_KB, IDLE_AIM_PERCENT = 100, 1000, 300, 10
PAGES = 10
"""Number of pages connected to the idle server."""
SHOWN = """
window.shown = [];
new MutationObserver(() => {
  const state = document.getElementById("state");
  const newest = window.shown.at(-1)?.[0];
  const shown = state && Number(state.dataset.version);
  if (state && shown !== newest) window.shown.push([shown, performance.timeOrigin + performance.now()]);
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-version"] });
"""
"""Records in the page when it shows which version, in ms since 1970."""
FOUND = "window.shown.find(([version]) => version >= v)"
AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
VIEWS = (
    ("/", None),
    ("/", "[data-open='/menu']"),
    ("/", ".score .points"),
    ("/games", None),
    ("/games/now", None),
)
"""Path, and the element that is tapped there."""
TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class WebFigures:
    """All figures."""

    press_ms: tuple[float, ...]
    """Time from the pin to the page, for each press that changed something."""
    first_load_ms: float
    page_kb: float
    idle_cpu_percent: float
    """Of one core."""
    axe_violations: int

    @property
    def press_p95(self) -> float:
        ordered = sorted(self.press_ms)
        return ordered[max(0, math.ceil(0.95 * len(ordered)) - 1)]

    @property
    def press_median(self) -> float:
        return statistics.median(self.press_ms)


def measure(presses: int, idle_s: float) -> WebFigures:
    """Measures *presses* presses, and an idle server for *idle_s* seconds.

    :raises companion.devtools.browser.BrowserMissingError: if Playwright or chromium is missing.
    """
    with chromium() as browser, _table() as (table, server, simulated, press):
        load_ms, kilobytes = _first_load(browser, server.address)
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.add_init_script(SHOWN)
        page.goto(server.address)
        press.page = page
        for _ in simulated.play():
            table.see(simulated)
            if len(press.times) >= presses:
                break
        violations = sum(_axe(context, server.address, *view) for view in VIEWS)
    return WebFigures(tuple(press.times), load_ms, kilobytes, _idle(idle_s), violations)


class _Press:
    """Presses buttons of the panel, and measures the time until the page shows the result."""

    def __init__(self, session: TableSession, finger: SimulatedFinger) -> None:
        self.page: Any = None
        self.times: list[float] = []
        self._session = session
        self._finger = finger

    def __call__(self, button: str) -> None:
        before = self._session.version
        self._shown(before)  # players look at the page before they press
        started = time.time()
        self._finger.press(button)
        after = self._session.wait_for_change(before, TIMEOUT_S)
        self.times.append(self._shown(after) - 1000 * started)

    def _shown(self, version: int) -> float:
        """Waits until the page shows *version*; returns when it first did, in ms since 1970."""
        self.page.wait_for_function(f"v => {FOUND}", arg=version)
        return float(self.page.evaluate(f"v => {FOUND}[1]", version))


@dataclass
class _PerfectReader:
    """Gives the session the true sighting, as a perfect reader would, when no hand covers the table."""

    simulated_table: SightingTable
    session: TableSession

    def see(self, simulated: SimulatedPlayers) -> None:
        if self.simulated_table.covered:
            return
        sighting = self.simulated_table.sighting()
        if self.session.awaits_roll:
            self.session.observe_roll(sighting.dice)
        self.session.observe(sighting)


@contextmanager
def _table() -> Iterator[tuple[_PerfectReader, PageServer, SimulatedPlayers, _Press]]:
    """Returns a context with a game without pictures, with panel, loop and page."""
    from calibration.table_file import TableFile
    from hardware.panel import SimulatedFinger, open_panel
    from vision.reader import TableReader

    setup = demo_setup(4, 1)
    rules = rules_of(setup)
    journal = Journal(":memory:")
    session = TableSession(rules, journal, setup)
    simulated_table = SightingTable(labels_for(setup), NO_MISREADINGS, random.Random(1))
    reader = TableReader(TableFile((1, 1)))
    with (
        open_panel(simulate=True) as panel,
        open_table(session, NoCamera(), reader, panel, stores_pictures=False) as table,
    ):
        press = _Press(session, SimulatedFinger(panel))
        simulated = SimulatedPlayers(rules, setup, simulated_table, session, press, BOTS["greedy"](1), 1)
        stop = threading.Event()
        loop = threading.Thread(target=table.loop.run, args=(time.monotonic, stop), daemon=True)
        server = PageServer(page_of(table), PageSettings())
        loop.start()
        try:
            yield _PerfectReader(simulated_table, session), server, simulated, press
        finally:
            stop.set()
            loop.join()
            server.close()
            journal.close()


def _first_load(browser: Any, address: str) -> tuple[float, float]:
    """Returns the milliseconds of the first load with an empty cache, and its size in kB."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    sizes: list[int] = []
    page.on("requestfinished", lambda request: sizes.append(sum(request.sizes().values())))
    page.goto(address)
    loaded = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    context.close()
    return float(loaded), sum(sizes) / 1000


def _axe(context: Any, address: str, path: str, tapped: str | None) -> int:
    """Returns how many of axe's rules a view violates."""
    from axe_playwright_python.sync_playwright import Axe

    page = context.new_page()
    page.goto(address + path)
    if tapped:
        page.locator(tapped).first.click()
        page.locator("dialog[open] header").wait_for()
    found = Axe().run(page, options={"runOnly": AXE_RULES}).response
    page.close()
    return len(found["violations"])


def _idle(seconds: float) -> float:
    """Returns the percentage of one core that the companion uses with PAGES connected pages and nothing happening."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/idle.journal"
        _begin(path)
        place = ["--journal", path, "--host", "127.0.0.1", "--port", "0"]
        command = [sys.executable, "-m", "companion", "play", *place]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            try:
                return 100 * _used_s(process, seconds) / seconds
            finally:
                process.terminate()


def _begin(path: str) -> None:
    """Begins a game of two in a new journal."""
    with closing(Journal(path)) as journal:
        setup = demo_setup(2, 1)
        TableSession(rules_of(setup), journal, setup)


def _used_s(process: subprocess.Popen[str], seconds: float) -> float:
    """Returns the processor time that *process* uses in *seconds* with pages connected."""
    assert process.stdout is not None
    port = next(int(found[1]) for line in process.stdout if (found := re.search(r":([0-9]+) ", line)))
    with ExitStack() as connected:
        for _ in range(PAGES):
            stream = connected.enter_context(socket.create_connection(("127.0.0.1", port)))
            stream.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(1)  # until all are open
        before = _cpu_s(process.pid)
        time.sleep(seconds)
        return _cpu_s(process.pid) - before


def _cpu_s(pid: int) -> float:
    """Returns the processor time of a process (proc(5): fields 14 and 15)."""
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
