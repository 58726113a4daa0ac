"""Somebody who plays without end on one journal, and tells what was confirmed only once it was."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from companion.games.api import Move
from companion.games.burgundy.plugin import burgundy
from companion.journal import setup_of
from companion.journal.recovery import open_journal, quarantine
from companion.players.bots import BOTS
from companion.session import TableSession
from companion.virtual.demo import demo_setup

P_UNDO, P_AMEND, P_RENAME = 0.1, 0.1, 0.05
"""How often, of all that is confirmed, something is taken back, put right, or a player called otherwise."""
NAMES = ("Zoé", "Ida", "Ada")


class Sender(Protocol):
    """Where what happens is told: a pipe that outlives who writes to it."""

    def send(self, told: Any) -> None: ...


@dataclass(frozen=True, slots=True)
class Resumed:
    """The game goes on."""

    ms: float
    """From the file on the disk to a session that can be confirmed in."""
    written: tuple[tuple[str, str], ...]
    """Digest of every record that is there, and when it was written."""
    mended: bool
    """Whether something was amiss with the file."""


@dataclass(frozen=True, slots=True)
class Confirming:
    """Something is being confirmed."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """It is confirmed."""

    digest: str
    """Of the last record."""


def resumed(path: Path, seed: int) -> tuple[TableSession, Resumed]:
    """The game in the file *path*, begun if there is none."""
    started = perf_counter()
    journal, mended = open_journal(path)
    aside = quarantine(burgundy(), journal)
    setup = setup_of(journal.records()) or demo_setup(2, seed)
    session = TableSession(burgundy(), journal, setup)
    ms, lines = 1000 * (perf_counter() - started), journal.lines()
    written = tuple((line.digest, line.at) for line in lines)
    return session, Resumed(ms, written, mended is not None or aside is not None)


def play(path: Path, seed: int, told: Sender) -> None:
    """Goes on with the game in the file *path* until it is over or the process is ended."""
    session, up = resumed(path, seed)
    told.send(up)
    for act in actions(session, random.Random(f"{seed} {len(up.written)}")):
        told.send(Confirming())
        act()
        told.send(Confirmed(session.journal.lines()[-1].digest))
    session.journal.close()


def actions(session: TableSession, rng: random.Random) -> Iterator[Callable[[], None]]:
    """What people do, one thing that is confirmed after the other, until the game is over."""
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
    """Moves that are confirmed together: a whole turn, or what chance brings."""
    rules, state = session.rules, session.state.copy()
    moves: list[Move] = []
    while True:
        is_turn = rules.to_move(state) is not None
        moves.append(rules.sample_chance(state, rng) or bot(rules, state))
        rules.apply(state, moves[-1])
        if not is_turn or rules.ends_turn(moves[-1]):
            return moves
