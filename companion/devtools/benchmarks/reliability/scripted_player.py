"""A player that plays a game on one journal, and reports each confirmation after it was made."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from companion.games import capabilities
from companion.games.api import Move
from companion.games.registry import rules_of
from companion.journal import setup_of
from companion.journal.recovery import open_journal, quarantine
from companion.players.bots import BOTS
from companion.session import TableSession
from companion.virtual.demo import demo_setup

P_UNDO, P_AMEND, P_RENAME = 0.1, 0.1, 0.05
"""Probabilities of undoing, correcting, and renaming a player, among all confirmations."""
NAMES = ("Zoé", "Ida", "Ada")


class Sender(Protocol):
    """Receives the messages: a pipe that outlives the process that writes to it."""

    def send(self, message: Any) -> None: ...


@dataclass(frozen=True, slots=True)
class Resumed:
    """The game was resumed."""

    ms: float
    """From the file on the disk to a session that can confirm."""
    written: tuple[tuple[str, str], ...]
    """Digest and time of every record in the journal."""
    repaired: bool
    """Whether the file had to be repaired."""


@dataclass(frozen=True, slots=True)
class Confirming:
    """A confirmation begins."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """It was confirmed."""

    digest: str
    """Digest of the last record."""


def resumed(path: Path, seed: int) -> tuple[TableSession, Resumed]:
    """Returns the game in the file *path*; begins one if there is none."""
    started = perf_counter()
    journal, repaired = open_journal(path)
    setup = setup_of(journal.records()) or demo_setup(2, seed)
    rules = rules_of(setup)
    set_aside = quarantine(rules, journal)
    session = TableSession(rules, journal, setup)
    ms, lines = 1000 * (perf_counter() - started), journal.lines()
    written = tuple((line.digest, line.at) for line in lines)
    return session, Resumed(ms, written, repaired is not None or set_aside is not None)


def play(path: Path, seed: int, sender: Sender) -> None:
    """Plays the game in the file *path* until it is over or the process is killed."""
    session, start = resumed(path, seed)
    sender.send(start)
    for action in actions(session, random.Random(f"{seed} {len(start.written)}")):
        sender.send(Confirming())
        action()
        sender.send(Confirmed(session.journal.lines()[-1].digest))
    session.journal.close()


def actions(session: TableSession, rng: random.Random) -> Iterator[Callable[[], None]]:
    """Yields what players do, one confirmation after the other, until the game is over."""
    bot = BOTS["random"](rng.randrange(1000))
    while not session.rules.is_over(session.state):
        chance = rng.random()
        turns = [entry for entry in session.entries() if entry.player is not None]
        if chance < P_UNDO and turns:
            yield session.undo
        elif chance < P_UNDO + P_AMEND and turns:
            yield partial(session.amend, turns[-1].seq, "; ".join(map(str, turns[-1].moves)))
        elif chance < P_UNDO + P_AMEND + P_RENAME:
            yield partial(session.rename_player, "red", rng.choice(NAMES))
        else:
            yield partial(_tap, session, _unit(session, bot, rng))


def _tap(session: TableSession, moves: Iterable[Move]) -> None:
    for move in moves:
        session.tap(str(move))


def _unit(session: TableSession, bot: Any, rng: random.Random) -> list[Move]:
    """Returns moves that are confirmed together: a complete turn, or a chance event."""
    rules, state = session.rules, session.state.copy()
    moves: list[Move] = []
    while True:
        is_turn = rules.to_move(state) is not None
        moves.append(capabilities.chance(rules).sample_chance(state, rng) or bot(rules, state))
        rules.apply(state, moves[-1])
        if not is_turn or rules.ends_turn(moves[-1]):
            return moves
