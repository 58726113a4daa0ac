"""Moments of seeded games, and how they are served for pictures.

Players are called by their colours; the games are played at virtual tables, or entered by taps.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

from companion.archive import Archive
from companion.games import capabilities
from companion.games.api import Rules
from companion.games.registry import rules_of
from companion.journal import Journal
from companion.players.bots import BOTS, Bot
from companion.runtime.server import AppServer, PageServer, PageSettings
from companion.runtime.wiring import TableReader, page_of
from companion.session import Snapshot, TableSession
from companion.virtual.demo import FAST_PERIOD_S, Demo, DemoOptions, demo_setup, labels_for, open_demo
from companion.virtual.misreadings import MisreadingRates, MisreadingReader, MisreadingSimulator
from hardware.cameras.faulty import Fault, FaultyCamera
from hardware.cameras.supervised import SupervisedCamera

from .view import Scenario

HOST = "127.0.0.1"
SEED = 1
ADDRESSES = ["http://table.local:8080", "http://192.168.1.20:8080"]
"""Addresses of the page, made up."""
LOOKS = 12
"""Number of frames after which a table at rest has been read."""
FIRST_GAME_AT = datetime(2026, 1, 9, 19, 30, tzinfo=UTC)
BETWEEN_RECORDS_S = 18
"""Average time between records, so that past games have a realistic length."""


class DemoGame:
    """Represents a demo game that is played up to a moment to show."""

    def __init__(self, demo: Demo) -> None:
        self.demo = demo
        self._now = time.monotonic()
        self._playing = demo.simulated.play()

    @property
    def snapshot(self) -> Snapshot:
        return self.demo.session.snapshot()

    def look(self, times: int = LOOKS) -> None:
        """Lets the companion take *times* frames."""
        for _ in range(times):
            self._now += FAST_PERIOD_S
            self.demo.table.loop.step(self._now)

    def until(self, condition: Callable[[Snapshot], bool]) -> None:
        """Plays on until the snapshot satisfies *condition*."""
        for _ in self._playing:
            self.look(1)
            if condition(self.snapshot):
                return
        raise LookupError("the game ended before the scenario was reached: try another seed")

    def misplace(
        self, changes: Iterator[tuple[str, int, str]], condition: Callable[[Snapshot], bool]
    ) -> None:
        """Changes one place at a time until the snapshot satisfies *condition*; changes are group, index, label."""
        scene = self.demo.simulated.scene
        for group, index, label in changes:
            labels = list(scene.places[group])
            labels[index] = label
            self.demo.simulated.table.show(replace(scene, places={**scene.places, group: tuple(labels)}))
            self.look()
            if condition(self.snapshot):
                return
        raise LookupError("no wrongly placed tile led to the scenario: try another seed")

    @contextmanager
    def unplugged(self) -> Iterator[None]:
        """Returns a context in which the camera is unplugged."""
        table = self.demo.table.loop
        faulty, working = FaultyCamera(self.demo.simulated.table, live=False), table.camera  # type: ignore[arg-type]
        faulty.fault = Fault.UNPLUGGED
        with SupervisedCamera(faulty.open, faulty.name) as table.camera:
            self.look()
            yield
        table.camera = working

    @contextmanager
    def misreading(self, rates: MisreadingRates) -> Iterator[None]:
        """Returns a context in which readings have faults."""
        table = self.demo.table.loop
        working = cast(TableReader, table.reader)
        rng = random.Random(SEED)
        faults = MisreadingSimulator(rates, labels_for(self.demo.setup), rng)
        table.reader = MisreadingReader(working, faults)
        yield
        table.reader = working

    def restore(self) -> None:
        """Shows the table as it was before :meth:`misplace`."""
        self.demo.simulated.table.show(self.demo.simulated.scene)
        self.look()


@contextmanager
def demo_game(players: int, **options: Any) -> Iterator[DemoGame]:
    """Opens a demo game; *options* are those of its set-up (:func:`companion.virtual.demo.demo_setup`)."""
    with open_demo(DemoOptions(demo_setup(players, SEED, **options), SEED), stores_pictures=True) as demo:
        yield DemoGame(demo)


class _HomePageServer(PageServer):
    """The page as in a home network."""

    def _addresses(self) -> list[str]:
        return ADDRESSES


def page(game: DemoGame, archive: Archive | None = None, pin: str | None = None) -> PageServer:
    """Serves the page of a demo game."""
    return _HomePageServer(page_of(game.demo.table, archive=archive), PageSettings(HOST, pin=pin))


@contextmanager
def timed_journal(path: Path, began: datetime = FIRST_GAME_AT + timedelta(days=28)) -> Iterator[Journal]:
    """Returns a context with a journal whose clock simulates a game's duration."""
    rng, at = random.Random(str(path.name)), began

    def clock() -> datetime:
        nonlocal at
        at += timedelta(seconds=rng.uniform(0.5, 1.5) * BETWEEN_RECORDS_S)
        return at

    journal = Journal(path, clock)
    try:
        yield journal
    finally:
        journal.close()


def played(journal: Journal, setup: Mapping[str, Any], seed: int) -> TableSession:
    """Plays a complete game between bots, entered by taps."""
    rules, rng, bot = rules_of(setup), random.Random(seed), BOTS["greedy"](seed)
    session = TableSession(rules, journal, setup)
    state: Any = rules.new(setup)
    while not rules.is_over(state):
        move = _next_move(rules, state, rng, bot)
        rules.apply(state, move)
        session.tap(str(move))
    return session


def _next_move(rules: Rules, state: Any, rng: random.Random, bot: Bot) -> Any:
    """Returns the next move: a chance event, unless it must be read from the table first, or one of the *bot*."""
    move = capabilities.chance(rules).sample_chance(state, rng)
    if move in capabilities.chance(rules).unobserved_chance_moves(state) and capabilities.observable(
        rules
    ).expected_layouts(state):
        move = None
    return move or bot(rules, state)


def served(scenario: str, server: AppServer) -> Iterator[Scenario]:
    """Yields the scenario that *server* serves, and closes it afterwards."""
    try:
        yield scenario, server.address
    finally:
        server.close()
