"""Accuracy and speed of explaining turns, in bot games whose sightings are computed, not read from pictures.

The players are those of :class:`companion.virtual.simulated_players.SimulatedPlayers`. The sightings are those of a
perfect reader, or have the misreadings of :mod:`companion.virtual.misreadings`.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from time import process_time
from typing import Any

from companion.games.positions import position_after
from companion.games.registry import rules_of
from companion.journal import Journal
from companion.players.bots import BOTS
from companion.session import LOOKS, CommandRejectedError, TableSession
from companion.virtual.demo import demo_setup, labels_for
from companion.virtual.misreadings import (
    NO_MISREADINGS,
    TYPICAL_MISREADINGS,
    MisreadingRates,
    MisreadingSimulator,
)
from companion.virtual.simulated_players import SimulatedPlayers, StuckError, compare
from companion.virtual.virtual_game import LabelsAt
from hardware.scene import Scene
from vision.several_looks import combined, combined_dice
from vision.sighting import DieReading, PlaceReading, Sighting

from ..game_part import game_part

MS_PER_S = 1e3
SURE, DIE_SURE = 0.998, 0.99
"""Confidence of a good reader for a place, and for a die."""
DIE_PX = 30
PLAYERS = (2, 3, 4)
FIRST_THREE = 3


class SightingTable:
    """Represents a table whose sightings are computed from its scene."""

    def __init__(self, labels_at: LabelsAt, noise: MisreadingRates, rng: random.Random) -> None:
        self._faults = MisreadingSimulator(noise, labels_at, rng)
        self._labels_at = labels_at
        self.scene = Scene()
        """The pieces on the table."""

    def show(self, scene: Scene) -> None:
        self.scene = scene

    @property
    def covered(self) -> bool:
        """Returns whether a hand is over the table."""
        return self.scene.hand is not None

    def truth(self) -> dict[str, Any]:
        """Returns the dice, in the form of a virtual table's truth."""
        return {
            "dice": [
                {"colour": die.colour, "value": die.value, "centre": (x + DIE_PX / 2, y + DIE_PX / 2)}
                for die, (x, y) in zip(self.scene.dice, self._corners(), strict=True)
            ]
        }

    def _corners(self) -> Iterator[tuple[int, int]]:
        """Returns the position of each die; each throw has another one."""
        return ((2 * DIE_PX * i, 2 * DIE_PX * die.throw) for i, die in enumerate(self.scene.dice))

    def sighting(self) -> Sighting:
        """Returns what a reader would read now."""
        places = {
            (place := f"{group}:{i}"): self._reading(place, label)
            for group, labels in self.scene.places.items()
            for i, label in enumerate(labels)
        }
        dice = [
            DieReading(die.value, die.colour, (x, y, DIE_PX, DIE_PX), DIE_SURE)
            for die, (x, y) in zip(self.scene.dice, self._corners(), strict=True)
        ]
        return self._faults.distort(Sighting(places, tuple(dice)))

    def _reading(self, place: str, label: str) -> PlaceReading:
        """Returns what a reader is sure of at a place: of a bare tile also that nothing lies on it."""
        with_token = (other for other in self._labels_at(place) if other.startswith(f"{label}/"))
        return PlaceReading({label: SURE, **dict.fromkeys(with_token, 0.0)})


@dataclass
class GameFigures:
    """Represents the figures of one game."""

    players: int
    seed: int
    turns: int = 0
    presses: int = 0
    questions: int = 0
    asked: Counter[int] = field(default_factory=Counter)
    """How many turns there are with so many questions."""
    corrections: int = 0
    first: int = 0
    """Turns whose true moves were the likeliest explanation at the first sighting."""
    first_three: int = 0
    """Turns whose true moves were among the three likeliest."""
    wrong: int = 0
    """Confirmed moves that led to a state that the true game never had."""
    differences: tuple[str, ...] = ()
    stuck: str = ""
    """Why the simulated players gave up; empty if they did not."""
    ms: list[float] = field(default_factory=list)
    """Processor time for each sighting of a turn."""


def play_game(
    players: int,
    seed: int,
    noise: MisreadingRates,
    is_print_unknown: bool = False,
    **options: Any,
) -> GameFigures:
    """Plays one game of *players*, read with the misreadings *noise*.

    *options* are those of its set-up (:func:`companion.virtual.demo.demo_setup`). With *is_print_unknown*, the
    companion knows nothing about the print of the copy that people can be asked about in passing.
    """
    setup, bot = demo_setup(players, seed, **options), BOTS["greedy"](seed)
    rules = rules_of(setup)
    if is_print_unknown:
        people = game_part(rules.name, "people")
        setup = people.without_print(setup)
        bot = people.reporting(bot, setup, seed)
    journal = Journal(":memory:")
    session = TableSession(rules, journal, setup)
    table = SightingTable(labels_for(setup), noise, random.Random(f"eyes {seed}"))
    figures = GameFigures(players, seed)
    buttons: dict[str, Callable[[], None]] = {
        "confirm": session.confirm,
        "undo": session.undo,
        "next_alternative": session.next_alternative,
        "help": session.ask_help,
    }

    def press(button: str) -> None:
        try:
            buttons[button]()
        except CommandRejectedError:
            return  # the light answers, and the session shows why

    simulated = SimulatedPlayers(rules, setup, table, session, press, bot, seed)
    seen: Scene | None = None
    looks = deque[Sighting](maxlen=LOOKS)
    before = (0, 0)
    try:
        for what in simulated.play():
            if what == "turn":
                now = (simulated.counts.turns, simulated.counts.questions)
                figures.asked[now[1] - before[1]] += now[0] - before[0]
                before = now
            if table.covered:
                continue
            if table.scene is not seen:
                seen = table.scene
                looks.clear()
            elif not session.looks_again:
                continue
            _look(session, table, looks, simulated, figures)
    except StuckError as error:
        figures.stuck = str(error)
    count, comparison = simulated.counts, compare(rules, journal, simulated)
    figures.turns, figures.presses, figures.questions = count.turns, count.presses, count.questions
    figures.corrections, figures.wrong, figures.differences = (
        count.corrections,
        comparison.wrong,
        comparison.differences,
    )
    journal.close()
    return figures


def _look(
    session: TableSession,
    table: SightingTable,
    looks: deque[Sighting],
    simulated: SimulatedPlayers,
    figures: GameFigures,
) -> None:
    """Passes what was seen of a table at rest to the session, and counts how its first sighting explains a turn.

    It looks once more, as :mod:`companion.runtime.table_loop` does: *looks* are those so far.
    """
    looks.append(table.sighting())
    if session.awaits_roll:
        session.observe_roll(combined_dice([look.dice for look in looks]), len(looks))
    state = session.state
    turn = session.rules.to_move(state) is not None and not session.awaits_roll and _is_new(state, simulated)
    started = process_time()
    session.observe(combined(looks), len(looks))
    if not turn or len(looks) > 1:
        return
    figures.ms.append((process_time() - started) * MS_PER_S)
    true = simulated.truth.state_hash()
    right = [_outcome(session.rules, state, e.moves) == true for e in session.explanations[:FIRST_THREE]]
    figures.first += right[:1] == [True]
    figures.first_three += any(right)


def _is_new(state: Any, simulated: SimulatedPlayers) -> bool:
    """Returns whether the table is ahead of *state*."""
    return bool(simulated.truth.state_hash() != state.state_hash())


def _outcome(rules: Any, state: Any, moves: Sequence[Any]) -> str:
    return str(position_after(rules, state, moves).state_hash())


@dataclass(frozen=True)
class RefereeFigures:
    """Games read without errors, and games read with errors."""

    clean: tuple[GameFigures, ...]
    noisy: tuple[GameFigures, ...]


def measure(
    games: int, processes: int, modules: Sequence[str] = (), is_print_unknown: bool = False
) -> RefereeFigures:
    """Plays *games* of each kind with *modules*, with 2, 3 and 4 players in turn (see :func:`play_game`)."""
    tasks = [
        (PLAYERS[seed % len(PLAYERS)], seed, noise, modules, is_print_unknown)
        for noise in (NO_MISREADINGS, TYPICAL_MISREADINGS)
        for seed in range(1, games + 1)
    ]
    with get_context("spawn").Pool(processes) as pool:
        played = pool.starmap(_play_with, tasks, chunksize=1)
    return RefereeFigures(tuple(played[:games]), tuple(played[games:]))


def _play_with(
    players: int, seed: int, noise: MisreadingRates, modules: Sequence[str], is_print_unknown: bool
) -> GameFigures:
    return play_game(players, seed, noise, is_print_unknown, modules=modules)
