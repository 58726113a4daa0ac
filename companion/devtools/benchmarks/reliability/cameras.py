"""A camera that disconnects again and again during a game, which continues by taps meanwhile."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from companion.journal import replay
from companion.runtime.table_loop import PERIOD_S
from companion.session import TableSession
from companion.virtual.demo import Demo, DemoOptions, demo_setup, open_demo
from hardware.cameras.camera import Camera
from hardware.cameras.faulty import Fault, FaultyCamera
from hardware.cameras.supervised import SupervisedCamera

from .scripted_player import actions

NOTICE_AIM_S = 3.0
RECOVERY_AIM_S = 12.0
"""The longest pause between two attempts to open a camera, plus the time to see that nothing moves."""
MAX_GONE_S = 20.0
DROPS_A_GAME = 25


@dataclass
class CameraDropFigures:
    """Figures of games whose camera disconnected."""

    drops: int = 0
    notified_s: list[float] = field(default_factory=list)
    """Table time until the players were notified."""
    back_s: list[float] = field(default_factory=list)
    """Table time from the return of the camera until the table was read again."""
    failures: list[str] = field(default_factory=list)


def drop(drops: int, seed: int = 1) -> CameraDropFigures:
    """Lets a camera fail *drops* times, each time in one of the ways in which cameras fail.

    A driver that hangs is left out: it would block this loop, which simulates table time.
    """
    figures, rng = CameraDropFigures(), random.Random(seed)
    while figures.drops < drops:
        cameras: list[FaultyCamera] = []

        def through(camera: Camera, opened: list[FaultyCamera] = cameras) -> SupervisedCamera:
            opened.append(FaultyCamera(camera))
            return SupervisedCamera(opened[0].open, camera.name)

        game = seed + figures.drops
        with open_demo(DemoOptions(demo_setup(2, game), game), through=through) as demo:
            _play_with_drops(demo, cameras[0], min(drops, figures.drops + DROPS_A_GAME), rng, figures)
    return figures


def _play_with_drops(
    demo: Demo, camera: FaultyCamera, drops: int, rng: random.Random, figures: CameraDropFigures
) -> None:
    table, session = demo.table.loop, demo.session
    now = 0.0
    faults = [fault for fault in Fault if fault is not Fault.HUNG]

    def until(what: str, done: Callable[[], bool], most_s: float) -> float:
        """Steps until *done*; returns how long that took."""
        nonlocal now
        begun = now
        while not done() and now - begun < most_s:
            now += PERIOD_S
            table.step(now)
        if not done():
            figures.failures.append(f"drop {figures.drops}, {camera.fault}: {what} within {most_s:g} s")
        return now - begun

    next(iter(demo.simulated.play()))  # everything is on the table
    until("the table was not read", lambda: table.settled, RECOVERY_AIM_S)
    for act in actions(session, rng):
        if figures.drops == drops:
            break
        camera.fault = rng.choice(faults)
        figures.drops += 1
        figures.notified_s.append(
            until("the players were not notified", lambda: table.error is not None, NOTICE_AIM_S)
        )
        confirmed = len(session.journal.lines())
        act()
        if len(session.journal.lines()) == confirmed:
            figures.failures.append(f"drop {figures.drops}: play does not go on by taps")
        for _ in range(int(rng.uniform(0, MAX_GONE_S) / PERIOD_S)):
            now += PERIOD_S
            table.step(now)
        seen, camera.fault = session.snapshot()["sightings"], None
        back = until("the table was not read again", partial(_has_seen_more, session, seen), RECOVERY_AIM_S)
        figures.back_s.append(back)
    if _replayed(demo) != session.state.state_hash():
        figures.failures.append("the journal contains another game")


def _has_seen_more(session: TableSession, seen: int) -> bool:
    return bool(session.snapshot()["sightings"] > seen)


def _replayed(demo: Demo) -> str:
    """Returns the hash of the state that the journal leads to."""
    state = demo.rules.new(demo.setup)
    for _, reached in replay(demo.rules, demo.journal.records()):
        state = reached
    return str(state.state_hash())
