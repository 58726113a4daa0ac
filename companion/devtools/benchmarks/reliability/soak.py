"""A long evening at high speed: games one after the other at a virtual table, with pictures kept and a page open."""

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
from companion.virtual.demo import FAST_PERIOD_S, Demo, DemoOptions, open_demo

from .page_probe import PAGES_TO_FETCH, fetch

HOUR_S = 3600.0
TURN_S = 60.0
"""Of table time, in which nothing moves: players think."""
STILL_PERIOD_S = 1.0
"""Of table time between two looks then: a tenth of the looks at a real table."""
PAGE_PERIOD_S = 0.5
"""Of real time between two looks at the page."""
MB = 1e6
WARM_UP = 1 / 3
"""Of the evening: until then everything has been used once."""
WINDOW = 1 / 6
"""Of the evening, in which the least memory counts: pictures come and go, and what stays is what has grown."""


@dataclass(frozen=True, slots=True)
class SoakFigures:
    """Memory of the one process that does everything: eye, referee, journal, backup, page."""

    hours: float
    """Of table time."""
    games: int
    """Begun."""
    looks: int
    """At the table."""
    pages: int
    """Fetched."""
    growth_mb: float
    """From the end of the warm-up to the end of the evening, each by the least in the time before it: of two games, at
    different hours of each."""
    between_games_mb: float | None
    """From after the first game to after the last, with nothing of either left to do; None where there was but one."""
    peak_mb: float
    """The most that was ever in memory, with the virtual table, which a real one does not need."""
    failures: tuple[str, ...]
    """Pages that ended in an error."""


def soak(hours: float, players: int) -> SoakFigures:
    """Plays so many hours in a process of its own."""
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run_evening, args=(hours, players, sender))
    process.start()
    sender.close()
    try:
        figures = receiver.recv()
        assert isinstance(figures, SoakFigures)
        return figures
    except EOFError:
        process.join()
        raise RuntimeError(f"the long evening ended with exit code {process.exitcode}") from None
    finally:
        receiver.close()
        process.join()


def _run_evening(hours: float, players: int, told: Any) -> None:
    evening = _Evening(hours * HOUR_S)
    with tempfile.TemporaryDirectory(prefix="table-companion-") as folder:
        while evening.now < evening.end:
            evening.play(Path(folder), players)
            evening.rest()
    told.send(evening.figures())


class Window:
    """Represents the last part of the evening until a moment: the least memory in it.

    What is measured is not kept: a number for each look would itself be two megabytes of growth.
    """

    def __init__(self, until: float, length: float) -> None:
        self.least = math.inf
        self._since, self._until = until - length, until

    def note(self, now: float, mb: float) -> None:
        if self._since <= now <= self._until:
            self.least = min(self.least, mb)


class _Evening:
    """Represents games one after the other. Nothing holds a game that has ended, as at a real table."""

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
        """Before the next game, as :meth:`companion.runtime.game_runner.GameRunner.play` begins."""
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
    """Seconds of table time until each look."""
    for what in demo.simulated.play():
        yield FAST_PERIOD_S
        if what == "turn":
            for _ in range(int(TURN_S / STILL_PERIOD_S)):
                yield STILL_PERIOD_S


@contextmanager
def _table(folder: Path, players: int, seed: int) -> Iterator[tuple[Demo, _Reader]]:
    """A game with everything on: pictures are kept, copies made, the page is looked at."""
    journal, copies = folder / f"{seed}.journal", folder / "copies"
    copies.mkdir(exist_ok=True)
    with open_demo(DemoOptions(players, seed, journal_path=str(journal)), keeps_pictures=True) as demo:
        games = Archive(folder, demo.rules)
        server = PageServer(page_of(demo.table, archive=games), PageSettings())
        try:
            with Backup(demo.journal, copies), _Reader(server.address) as page:
                yield demo, page
        finally:
            server.close()
            games.close()


class _Reader:
    """Somebody with a tablet: a live stream is open, and everything there is to see is looked at in turn."""

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
    """Memory that the process has in use (proc(5): resident pages)."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MB
