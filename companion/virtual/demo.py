"""The demo: a complete game at a virtual table, seen, explained, confirmed and recorded as at a real one."""

from __future__ import annotations

import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.games.registry import default_plugin, rules_of
from companion.journal import Journal, JournalError
from companion.players.bots import BOTS
from companion.players.errors import SetupError
from companion.players.opponents import with_opponents
from companion.runtime.allocator import give_back
from companion.runtime.table_loop import PERIOD_S
from companion.runtime.wiring import Table, open_table
from companion.session import TableSession

from .misreadings import NO_MISREADINGS, MisreadingRates, MisreadingReader, MisreadingSimulator
from .simulated_players import SimulatedPlayers, compare
from .virtual_game import LabelsAt, virtual_game

if TYPE_CHECKING:
    from hardware.cameras import Camera, SupervisedCamera
    from hardware.virtual_table import TableLayout

FAST_PERIOD_S = 0.25
"""Simulated time between two frames of a headless game: the longest at which a still table is still noticed."""
PAUSES_S = {"hand": 0.3, "look": 1.5, "turn": 1.0}
"""How long players pause after each kind of action at speed 1, so that people can follow."""


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """What a demo game is played with."""

    setup: Mapping[str, Any]
    """See :func:`demo_setup`."""
    seed: int
    bot: str = "greedy"
    """Who the simulated people think like (:data:`companion.players.bots.BOTS`)."""
    journal_path: str | None = None
    """None for a file that goes when the demo ends."""
    noise: MisreadingRates = NO_MISREADINGS
    """What the reader gets wrong besides its own mistakes."""


@dataclass
class Demo:
    """Everything that a demo game needs, wired as at a real table."""

    rules: Any
    setup: Mapping[str, Any]
    journal: Journal
    table: Table
    simulated: SimulatedPlayers
    press: Callable[[str, float | None], None]
    """Presses a button of the simulated panel."""

    @property
    def session(self) -> TableSession:
        return self.table.session


def demo_setup(
    players: int,
    seed: int,
    *,
    game: str | None = None,
    modules: Sequence[str] = (),
    opponents: Sequence[str] = (),
    **options: Any,
) -> dict[str, Any]:
    """Returns the set-up of a demo game; without *game*, of the default one.

    *opponents* are the bots by which the companion plays the last of the people; *options* are the game's own
    (:meth:`.virtual_game.VirtualGame.setup`).

    :raises NoVirtualTableError: if the game cannot be played at a virtual table.
    :raises SetupError: when no person is left.
    """
    table = virtual_game(game or default_plugin().id)
    setup = table.setup(players, seed, modules=modules, **options)
    people = [player["colour"] for player in setup["players"]]
    if opponents and len(opponents) >= len(people):
        raise SetupError(
            f"--opponents {len(opponents)} leaves no person at the table: it can be {len(people) - 1} at most here"
        )
    last = people[len(people) - len(opponents) :]
    return with_opponents(setup, dict(zip(last, opponents, strict=True)))


def layout_for(setup: Mapping[str, Any]) -> TableLayout:
    """Returns the layout of a virtual table for a game with this set-up."""
    rules = rules_of(setup)
    return virtual_game(rules.name).table(rules.new(setup))


def labels_for(setup: Mapping[str, Any]) -> LabelsAt:
    """Returns which labels a reader may confuse in a game with this set-up."""
    rules = rules_of(setup)
    return virtual_game(rules.name).labels(rules.new(setup))


@contextmanager
def open_demo(
    options: DemoOptions,
    *,
    stores_pictures: bool = False,
    through: Callable[[Camera], Camera | SupervisedCamera] = lambda camera: camera,
) -> Iterator[Demo]:
    """Sets up a virtual table and a companion that sees it by a camera, which *through* may wrap in another.

    *stores_pictures* is whether what the camera read and what turns rest on is kept for a page to show.
    """
    import cv2

    from calibration.table_file import parse
    from hardware.panel import SimulatedFinger, open_panel
    from hardware.virtual_table import VirtualTable, enrolment_frames
    from vision.gallery import Gallery
    from vision.reader import TableReader, enrol_places

    give_back()
    seed, setup = options.seed, options.setup
    rules, layout = rules_of(setup), layout_for(setup)
    with (
        tempfile.TemporaryDirectory(prefix="table-companion-") as folder,
        closing(_new_journal(options.journal_path or Path(folder) / "demo.journal")) as journal,
        open_panel(simulate=True) as panel,
        VirtualTable(layout, seed=seed) as camera,
    ):
        gallery = Gallery()
        for frame, sheet, labels in enrolment_frames(seed, layout=layout):
            enrol_places(gallery, frame, parse(sheet, "enrolment sheet"), labels)
        cv2.setRNGSeed(seed)
        session = TableSession(rules, journal, setup)
        table_file = parse(camera.table_file(), "virtual table")
        reader = TableReader(
            table_file, gallery, session.expected_cards, session.visible_labels(), session.awaited_dice
        )
        eye = MisreadingReader(
            reader,
            MisreadingSimulator(options.noise, labels_for(setup), random.Random(f"eyes {seed}")),
        )
        press = SimulatedFinger(panel).press
        simulated = SimulatedPlayers(rules, setup, camera, session, press, BOTS[options.bot](seed), seed)
        with open_table(
            session,
            through(camera),
            eye,
            panel,
            stores_pictures=stores_pictures,
            on_certain=reader.learn_bare,
        ) as table:
            yield Demo(rules, setup, journal, table, simulated, press)


def _new_journal(path: str | Path) -> Journal:
    """Returns the journal at *path*, which is created; nothing is drawn for a game that cannot be saved.

    :raises JournalError: if it cannot be created, or contains a game already.
    """
    journal = Journal(path)
    if journal.lines():
        journal.close()
        raise JournalError(f"journal {path} already contains a game: name a new file for the demo")
    return journal


def play_headless(options: DemoOptions) -> dict[str, Any]:
    """Plays one game as fast as it can."""
    started = time.perf_counter()
    with open_demo(options) as demo:
        for _ in play_fast(demo):
            pass
        return report(demo, options.seed, time.perf_counter() - started)


def play_fast(demo: Demo) -> Iterator[str]:
    """Plays one game; time at the table is counted in frames, not waited for. Yields after each frame what the players
    are doing (:meth:`.SimulatedPlayers.play`)."""
    now = 0.0
    for what in demo.simulated.play():
        now += FAST_PERIOD_S
        demo.table.loop.step(now)
        yield what


def play_live(demo: Demo, speed: float, stop: threading.Event) -> None:
    """Plays one game at a pace that people can follow, until it ends or *stop* is set."""
    for what in demo.simulated.play():
        until = time.monotonic() + PAUSES_S.get(what, 0.0) / speed
        while True:
            demo.table.loop.step(time.monotonic())
            if stop.wait(PERIOD_S / max(1.0, speed)):
                return
            if time.monotonic() >= until:
                break


def report(demo: Demo, seed: int, seconds: float) -> dict[str, Any]:
    """Returns the figures of a demo whose game has ended."""
    comparison = compare(demo.rules, demo.journal, demo.simulated)
    counts, truth = demo.simulated.counts, demo.simulated.truth
    return {
        "seed": seed,
        "players": len(demo.rules.ranking(truth)),
        "turns": counts.turns,
        "presses": counts.presses,
        "questions": counts.questions,
        "corrections": counts.corrections,
        "first_right": counts.first_proposals_right,
        "wrong": comparison.wrong,
        "journal_equals_truth": not comparison.differences,
        "differences": list(comparison.differences),
        "scores": {colour: sum(points.values()) for colour, points in demo.rules.score_sheet(truth).items()},
        "seconds": round(seconds, 1),
    }
