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

from .player import play
from .witness import Witness

LONGEST_S = 0.4
"""How long a process lives at most; some are ended while they start, most between and in what they write."""
PATIENCE_S = 30.0


@dataclass
class KillFigures:
    """What is left after processes were ended."""

    kills: int = 0
    while_starting: int = 0
    """Before the game was there again."""
    witness: Witness = field(default_factory=Witness)
    failures: list[str] = field(default_factory=list)
    """Processes that ended by themselves with an error."""


def kill(kills: int, seed: int = 1) -> KillFigures:
    """Ends so many players by SIGKILL; each goes on with what the one before has left, until the game is over."""
    figures, rng = KillFigures(), random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="table-companion-") as folder:
        for game in count(1):
            path = Path(folder) / f"{game}.journal"
            figures.witness.next_game()
            while figures.kills < kills and not _is_over_after_a_kill(path, rng, figures):
                pass
            _look(path, figures)
            path.unlink()
            if figures.kills >= kills:
                break
    return figures


class Life:
    """Represents one player's process, from its start to its end.

    It is forked from a process in which the program is loaded: what is timed is the opening of the journal.
    """

    def __init__(self, path: Path, witness: Witness) -> None:
        context: Any = get_context("forkserver")
        context.set_forkserver_preload([play.__module__])
        self.witness = witness
        self._receiver: Connection
        self._receiver, sender = context.Pipe(duplex=False)
        self.process = context.Process(target=play, args=(path, int(path.stem), sender), daemon=True)
        self.process.start()
        sender.close()

    def hear_first(self) -> bool:
        """Waits until the game is there; False when it never is."""
        if not self._receiver.poll(PATIENCE_S):
            return False
        try:
            self.witness.hear(self._receiver.recv())
        except EOFError:
            return False
        return True

    def hear(self) -> None:
        """Hears what has been said so far."""
        try:
            while self._receiver.poll():
                self.witness.hear(self._receiver.recv())
        except (EOFError, OSError):
            pass  # the end may come in the middle of a word

    def end(self, *, silently: bool = False) -> int:
        """Ends it, hears its last words unless *silently*, and returns its exit code: a signal's number is negative."""
        self.process.kill()
        self.process.join(PATIENCE_S)
        if not silently:
            self.hear()
        self._receiver.close()
        code = int(self.process.exitcode)
        self.process.close()
        return code


def _is_over_after_a_kill(path: Path, rng: random.Random, figures: KillFigures) -> bool:
    """Lets somebody play for a moment; True when the game was over before."""
    ups = len(figures.witness.start_ms)
    life = Life(path, figures.witness)
    life.process.join(rng.uniform(0, LONGEST_S))
    code = life.end()
    if code > 0:
        figures.failures.append(f"game {path.stem}: a player ended with exit code {code}")
    if code < 0:
        figures.kills += 1
        figures.while_starting += len(figures.witness.start_ms) == ups
    return code >= 0


def _look(path: Path, figures: KillFigures) -> None:
    """Starts once more, for what the last one has left."""
    life = Life(path, figures.witness)
    if not life.hear_first():
        figures.failures.append(f"game {path.stem}: the companion does not start any more")
    life.end()
