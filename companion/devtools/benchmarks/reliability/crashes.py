"""Processes that are ended at any moment, also while they start and while they write."""

from __future__ import annotations

import random
import tempfile
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from .reference import Reference
from .scripted_player import play

MAX_LIFE_S = 0.4
"""How long a process lives at most; some are ended while they start, most between and in what they write."""
PATIENCE_S = 30.0


@dataclass
class CrashFigures:
    """What is left after processes were ended."""

    kills: int = 0
    while_starting: int = 0
    """Before the game was there again."""
    reference: Reference = field(default_factory=Reference)
    failures: list[str] = field(default_factory=list)
    """Processes that ended by themselves with an error."""


def crash(kills: int, seed: int = 1) -> CrashFigures:
    """Ends so many players by SIGKILL; each goes on with what the one before has left, until the game is over."""
    figures, rng = CrashFigures(), random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="table-companion-") as folder:
        for game in count(1):
            path = Path(folder) / f"{game}.journal"
            figures.reference.next_game()
            while figures.kills < kills and not _is_over_after_a_crash(path, rng, figures):
                pass
            _look(path, figures)
            path.unlink()
            if figures.kills >= kills:
                break
    return figures


class PlayerProcess:
    """Represents one player's process, from its start to its end.

    It is forked from a process in which the program is loaded: what is timed is the opening of the journal.
    """

    def __init__(self, path: Path, reference: Reference) -> None:
        context: Any = get_context("forkserver")
        context.set_forkserver_preload([play.__module__])
        self.reference = reference
        self._receiver: Connection
        self._receiver, sender = context.Pipe(duplex=False)
        self.process = context.Process(target=play, args=(path, int(path.stem), sender), daemon=True)
        self.process.start()
        sender.close()

    def wait_for_start(self) -> bool:
        """Waits until the game is there; False when it never is."""
        if not self._receiver.poll(PATIENCE_S):
            return False
        try:
            self.reference.receive(self._receiver.recv())
        except EOFError:
            return False
        return True

    def receive(self) -> None:
        """Hears what has been said so far."""
        try:
            while self._receiver.poll():
                self.reference.receive(self._receiver.recv())
        except (EOFError, OSError):
            pass  # the end may come in the middle of a word

    def end(self, *, silently: bool = False) -> int:
        """Ends it, hears its last words unless *silently*, and returns its exit code: a signal's number is negative."""
        self.process.kill()
        self.process.join(PATIENCE_S)
        if not silently:
            self.receive()
        self._receiver.close()
        code = int(self.process.exitcode)
        self.process.close()
        return code


def _is_over_after_a_crash(path: Path, rng: random.Random, figures: CrashFigures) -> bool:
    """Lets somebody play for a moment; True when the game was over before."""
    ups = len(figures.reference.start_ms)
    life = PlayerProcess(path, figures.reference)
    life.process.join(rng.uniform(0, MAX_LIFE_S))
    code = life.end()
    if code > 0:
        figures.failures.append(f"game {path.stem}: a player ended with exit code {code}")
    if code < 0:
        figures.kills += 1
        figures.while_starting += len(figures.reference.start_ms) == ups
    return code >= 0


def _look(path: Path, figures: CrashFigures) -> None:
    """Starts once more, for what the last one has left."""
    life = PlayerProcess(path, figures.reference)
    if not life.wait_for_start():
        figures.failures.append(f"game {path.stem}: the companion does not start any more")
    life.end()
