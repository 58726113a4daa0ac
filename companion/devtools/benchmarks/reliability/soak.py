"""Hours of play at high speed: games at a virtual table, with stored pictures and a connected page."""

from __future__ import annotations

import gc
import math
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from companion.archive import Archive
from companion.journal.backup import Backup
from companion.runtime.allocator import give_back
from companion.runtime.server import PageServer, PageSettings
from companion.runtime.wiring import page_of
from companion.virtual.demo import FAST_PERIOD_S, Demo, DemoOptions, demo_setup, open_demo

from .page_probe import PAGES_TO_FETCH, fetch

HOUR_S = 3600.0
TURN_S = 60.0
"""Table time of each turn in which nothing moves: the players think."""
STILL_PERIOD_S = 1.0
"""Table time between two frames then: a tenth of the frames at a real table."""
PAGE_PERIOD_S = 0.5
"""Real time between two requests to the page."""
MB = 1e6
WARM_UP = 1 / 3
"""Share of the run after which everything has been used once."""
WINDOW = 1 / 6
"""Share of the run in which the minimum memory counts: pictures come and go, and only growth stays."""


@dataclass(frozen=True, slots=True)
class SoakFigures:
    """Memory of one process with everything: reader, referee, journal, backup, page."""

    hours: float
    """Of table time."""
    games: int
    """Games begun."""
    looks: int
    """Frames of the table."""
    pages: int
    """Pages fetched."""
    growth_mb: float
    """From the end of the warm-up to the end of the run, each by the minimum of the window before it: of two games, at
    different stages."""
    between_games_mb: float | None
    """From after the first game to after the last one; `None` if there was only one."""
    peak_mb: float
    """Peak memory, including the virtual table, which a real game does not need."""
    failures: tuple[str, ...]
    """Requests that failed."""


def soak(hours: float, players: int) -> SoakFigures:
    """Plays for *hours* in a process of its own."""
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run_games, args=(hours, players, sender))
    process.start()
    sender.close()
    try:
        figures = receiver.recv()
        assert isinstance(figures, SoakFigures)
        return figures
    except EOFError:
        process.join()
        raise RuntimeError(f"the soak test ended with exit code {process.exitcode}") from None
    finally:
        receiver.close()
        process.join()


def _run_games(hours: float, players: int, sender: Any) -> None:
    run = _LongRun(hours * HOUR_S)
    with tempfile.TemporaryDirectory(prefix="table-companion-") as folder:
        while run.now < run.end:
            run.play(Path(folder), players)
            run.rest()
    sender.send(run.figures())


class Window:
    """Holds the minimum memory in a time window.

    The measurements are not stored: a number for each frame would itself be two megabytes of growth.
    """

    def __init__(self, until: float, length: float) -> None:
        self.least = math.inf
        self._since, self._until = until - length, until

    def note(self, now: float, mb: float) -> None:
        if self._since <= now <= self._until:
            self.least = min(self.least, mb)


class _LongRun:
    """Plays games one after the other. Nothing keeps a reference to a finished game, as at a real table."""

    def __init__(self, end: float) -> None:
        self.end = end
        """In seconds of table time."""
        self.now = 0.0
        self._games = self._looks = self._pages = 0
        self._failures: list[str] = []
        self._memory = [Window(until, end * WINDOW) for until in (end * WARM_UP, end)]
        self._most = 0.0
        self._between: list[float] = []

    def play(self, folder: Path, players: int) -> None:
        self._games += 1
        with _table(folder, players, seed=self._games) as (demo, page):
            for passed in _looks(demo):
                self.now += passed
                self._looks += 1
                demo.table.loop.step(self.now)
                self._note(_memory_mb())
                if self.now >= self.end:
                    break
        self._pages += page.fetched
        self._failures += page.failures

    def _note(self, mb: float) -> None:
        self._most = max(self._most, mb)
        for window in self._memory:
            window.note(self.now, mb)

    def rest(self) -> None:
        """Frees memory before the next game, as :meth:`companion.runtime.game_runner.GameRunner.play` does."""
        gc.collect()
        give_back()
        self._between.append(_memory_mb())

    def figures(self) -> SoakFigures:
        return SoakFigures(
            hours=self.now / HOUR_S,
            games=self._games,
            looks=self._looks,
            pages=self._pages,
            growth_mb=self._memory[-1].least - self._memory[0].least,
            between_games_mb=self._between[-1] - self._between[0] if self._games > 1 else None,
            peak_mb=self._most,
            failures=tuple(self._failures),
        )


def _looks(demo: Demo) -> Iterator[float]:
    """Yields the seconds of table time until each frame."""
    for what in demo.simulated.play():
        yield FAST_PERIOD_S
        if what == "turn":
            for _ in range(int(TURN_S / STILL_PERIOD_S)):
                yield STILL_PERIOD_S


@contextmanager
def _table(folder: Path, players: int, seed: int) -> Iterator[tuple[Demo, _Reader]]:
    """Returns a context with a game that uses everything: stored pictures, backups and a visited page."""
    journal, copies = folder / f"{seed}.journal", folder / "copies"
    copies.mkdir(exist_ok=True)
    options = DemoOptions(demo_setup(players, seed), seed, journal_path=str(journal))
    with open_demo(options, stores_pictures=True) as demo:
        games = Archive(folder)
        server = PageServer(page_of(demo.table, archive=games), PageSettings())
        try:
            with Backup(demo.journal, copies), _Reader(server.address) as page:
                yield demo, page
        finally:
            server.close()
            games.close()


class _Reader:
    """A client with an open event stream that fetches every page in turn."""

    def __init__(self, address: str) -> None:
        self.fetched = 0
        self.failures: list[str] = []
        self._address = address
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> _Reader:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _look(self) -> None:
        with urlopen(f"{self._address}/events", timeout=30):
            while not self._stop.wait(PAGE_PERIOD_S):
                if (
                    failure := fetch(self._address + PAGES_TO_FETCH[self.fetched % len(PAGES_TO_FETCH)])
                ) is not None:
                    self.failures.append(failure)
                self.fetched += 1


def _memory_mb() -> float:
    """Returns the memory of this process (proc(5): resident pages)."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MB
