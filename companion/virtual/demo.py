"""The demo: a complete game at a virtual table, seen, explained, confirmed and recorded as at a real one."""

from __future__ import annotations

import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.games.api import Rules
from companion.games.burgundy.assumed_print import answers, assumed
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules.modules.chateauma import VIRTUAL, Chateauma
from companion.journal import Journal, JournalError
from companion.players.bots import BOTS
from companion.players.opponents import with_opponents
from companion.runtime.allocator import give_back
from companion.runtime.table_loop import PERIOD_S, TableLoop
from companion.session import TableSession
from companion.session.evidence_pictures import EvidencePictures
from companion.storage.picture_store import PictureStore

from .misreadings import NO_MISREADINGS, MisreadingRates, MisreadingReader, MisreadingSimulator
from .simulated_players import SimulatedPlayers, compare

if TYPE_CHECKING:
    import numpy as np

    from hardware.cameras import Camera, WatchedCamera
    from hardware.virtual_table import TableLayout
    from vision.sighting import Sighting

COLOURS = ("red", "blue", "green", "black")
DUCHIES = {
    "special": tuple(f"se-{number}" for number in range(1, 11)),
    "2011": tuple(f"2011-{number}" for number in range(1, 10)),
}
"""By edition, the duchies of its base game."""
FAST_PERIOD_S = 0.25
"""Simulated time between two frames of a headless game: the longest at which a still table is still noticed."""
PAUSES_S = {"hand": 0.3, "look": 1.5, "turn": 1.0}
"""How long players pause after each kind of action at speed 1, so that people can follow."""


@dataclass
class Demo:
    """Everything that a demo game needs, wired as at a real table."""

    rules: Any
    setup: Mapping[str, Any]
    journal: Journal
    session: TableSession
    table: TableLoop
    simulated: SimulatedPlayers
    evidence_pictures: EvidencePictures


def demo_setup(
    players: int,
    seed: int,
    edition: str = "special",
    chateauma: str | None = None,
    opponents: Sequence[str] = (),
    pieces: str = VIRTUAL,
) -> dict[str, Any]:
    """Returns the set-up of a demo game; everybody has another duchy.

    With *chateauma*, its level, one of the *players* is the Châteauma; its *pieces* stay in the box, or lie on the
    table. *opponents* are the bots by which the companion plays the last of the others.

    :raises ValueError: when no person is left.
    """
    people = players - (chateauma is not None)
    duchies = random.Random(seed).sample(DUCHIES[edition], people)
    chosen = zip(COLOURS, duchies, strict=False)
    setup: dict[str, Any] = {
        "edition": edition,
        "players": [{"colour": colour, "duchy": duchy} for colour, duchy in chosen],
    }
    if chateauma is not None:
        automa = {"colour": COLOURS[people], "level": chateauma, "pieces": pieces}
        setup["chateauma"] = {**automa, **answers(assumed(burgundy().chateauma_prints[edition], "", {}))}
    if opponents and len(opponents) >= people:
        raise ValueError(
            f"--opponents {len(opponents)} leaves no person at the table: it can be {people - 1} at most here"
        )
    last = COLOURS[people - len(opponents) : people]
    return with_opponents(setup, dict(zip(last, opponents, strict=True)))


def all_labels(rules: Rules, setup: Mapping[str, Any]) -> list[str]:
    """Returns all labels that a reader may read."""
    state: Any = rules.new(setup)
    goods = (f"goods/{kind}" for kind in range(1, len(state.goods_supply)))
    return sorted({tile.label for tile in state.supply} | set(goods))


def layout_for(truth: Any) -> TableLayout:
    """Returns the layout of a virtual table for the game *truth*."""
    from hardware.virtual_table import standard_layout, with_automa

    on_table = [seat for seat in truth.seats if isinstance(seat, Chateauma) and not seat.virtual]
    layout = standard_layout(
        [player.colour for player in truth.players],
        {p.colour: [(s.colour, s.die) for s in p.duchy.spaces] for p in truth.players},
        depot_slots={
            number: [slot.colour for slot in slots] for number, slots in enumerate(truth.main_board.depots, 1)
        },
        black_slots=len(truth.black),
        spare_seats=[seat.colour for seat in on_table],
    )
    for seat in on_table:
        layout = with_automa(layout, seat.colour)
    return layout


@contextmanager
def open_demo(
    players: int,
    seed: int,
    *,
    bot: str = "greedy",
    journal_path: str | None = None,
    on_read: Callable[..., None] | None = None,
    keep_evidence_pictures: bool = False,
    noise: MisreadingRates = NO_MISREADINGS,
    chateauma: str | None = None,
    opponents: Sequence[str] = (),
    pieces: str = VIRTUAL,
    through: Callable[[Camera], Camera | WatchedCamera] = lambda camera: camera,
) -> Iterator[Demo]:
    """Sets up a virtual table and a companion that sees it through a camera, which *through* may wrap in another one.

    *keep_evidence_pictures* is whether evidence pictures are stored for a page to show. *noise* adds misreadings to the
    reader's own mistakes.
    """
    import cv2

    from calibration.table_file import parse
    from hardware.panel import SimulatedFinger, open_panel
    from hardware.virtual_table import VirtualTable, enrolment_frames
    from vision.gallery import Gallery
    from vision.reader import TableReader, learn_places
    from vision.settle import SettleDetector

    give_back()
    rules = burgundy()
    setup = demo_setup(players, seed, chateauma=chateauma, opponents=opponents, pieces=pieces)
    layout = layout_for(rules.new(setup))
    gallery = Gallery()
    for frame, sheet, labels in enrolment_frames(seed, layout=layout):
        learn_places(gallery, frame, parse(sheet, "enrolment sheet"), labels)
    with (
        tempfile.TemporaryDirectory(prefix="table-companion-") as folder,
        open_panel(simulate=True) as panel,
        VirtualTable(layout, seed=seed) as camera,
    ):
        cv2.setRNGSeed(seed)
        journal = Journal(journal_path or str(Path(folder) / "demo.journal"))
        if journal.records():
            raise JournalError(f"journal {journal.path} holds a game already: name a new file for the demo")
        session = TableSession(rules, journal, setup)
        reader = TableReader(parse(camera.table_file(), "virtual table"), gallery, session.expected_cards)
        picture_store = PictureStore(f"{journal.path}.album")
        evidence_pictures = EvidencePictures(session, reader.pictures, picture_store)

        def note_read(frame: np.ndarray, sighting: Sighting) -> None:
            if on_read is not None:
                on_read(frame, sighting)
            if keep_evidence_pictures:
                evidence_pictures.note(frame, sighting)

        eye = MisreadingReader(
            reader, MisreadingSimulator(noise, all_labels(rules, setup), random.Random(f"eyes {seed}"))
        )
        table = TableLoop(session, through(camera), eye, SettleDetector(), panel, on_read=note_read)
        finger = SimulatedFinger(panel)
        simulated = SimulatedPlayers(rules, setup, camera, session, finger.press, BOTS[bot](seed), seed)
        try:
            yield Demo(rules, setup, journal, session, table, simulated, evidence_pictures)
        finally:
            picture_store.close()
            journal.close()


def play_headless(
    players: int,
    seed: int,
    bot: str = "greedy",
    journal_path: str | None = None,
    noise: MisreadingRates = NO_MISREADINGS,
    chateauma: str | None = None,
    opponents: Sequence[str] = (),
    pieces: str = VIRTUAL,
) -> dict[str, Any]:
    """Plays one game as fast as possible, in simulated time; returns its figures."""
    started = time.perf_counter()
    with open_demo(
        players,
        seed,
        bot=bot,
        journal_path=journal_path,
        noise=noise,
        chateauma=chateauma,
        opponents=opponents,
        pieces=pieces,
    ) as demo:
        now = 0.0
        for _ in demo.simulated.play():
            now += FAST_PERIOD_S
            demo.table.step(now)
        return report(demo, seed, time.perf_counter() - started)


def play_live(demo: Demo, speed: float, stop: threading.Event) -> None:
    """Plays one game at a pace that people can follow, until it ends or *stop* is set."""
    for what in demo.simulated.play():
        until = time.monotonic() + PAUSES_S.get(what, 0.0) / speed
        while True:
            demo.table.step(time.monotonic())
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
        "first_right": counts.first_right,
        "wrong": comparison.wrong,
        "journal_equals_truth": not comparison.differences,
        "differences": list(comparison.differences),
        "scores": {colour: sum(points.values()) for colour, points in demo.rules.score_sheet(truth).items()},
        "seconds": round(seconds, 1),
    }
