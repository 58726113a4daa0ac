"""Processes that are killed at any moment, also while they start and while they write."""

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
"""Longest life of a process; some are killed while they start, most of them between or during writes."""
TIMEOUT_S = 30.0


@dataclass
class CrashFigures:
    """Figures of killed processes."""

    kills: int = 0
    while_starting: int = 0
    """Killed before the game was resumed."""
    reference: Reference = field(default_factory=Reference)
    failures: list[str] = field(default_factory=list)
    """Processes that exited with an error."""


def crash(kills: int, seed: int = 1) -> CrashFigures:
    """Kills *kills* players by SIGKILL; each continues the game of the one before, until it is over."""
    figures, rng = CrashFigures(), random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="table-companion-") as folder:
        for game in count(1):
            path = Path(folder) / f"{game}.journal"
            figures.reference.next_game()
            while figures.kills < kills and not _is_over_after_a_crash(path, rng, figures):
                pass
            _restart(path, figures)
            path.unlink()
            if figures.kills >= kills:
                break
    return figures


class PlayerProcess:
    """Represents the process of one player.

    It is forked from a process in which the program is loaded, so that only opening the journal is timed.
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
        """Waits until the game is resumed; returns False if it never is."""
        if not self._receiver.poll(TIMEOUT_S):
            return False
        try:
            self.reference.receive(self._receiver.recv())
        except EOFError:
            return False
        return True

    def receive(self) -> None:
        """Receives all messages so far."""
        try:
            while self._receiver.poll():
                self.reference.receive(self._receiver.recv())
        except (EOFError, OSError):
            pass  # it may be killed in the middle of a message

    def end(self, *, silently: bool = False) -> int:
        """Kills it, receives its last messages unless *silently*, and returns its exit code, negative for a signal."""
        self.process.kill()
        self.process.join(TIMEOUT_S)
        if not silently:
            self.receive()
        self._receiver.close()
        code = int(self.process.exitcode)
        self.process.close()
        return code


def _is_over_after_a_crash(path: Path, rng: random.Random, figures: CrashFigures) -> bool:
    """Lets a player play for a moment; returns True if the game was over before."""
    ups = len(figures.reference.start_ms)
    player = PlayerProcess(path, figures.reference)
    player.process.join(rng.uniform(0, MAX_LIFE_S))
    code = player.end()
    if code > 0:
        figures.failures.append(f"game {path.stem}: a player ended with exit code {code}")
    if code < 0:
        figures.kills += 1
        figures.while_starting += len(figures.reference.start_ms) == ups
    return code >= 0


def _restart(path: Path, figures: CrashFigures) -> None:
    """Starts a player once more, to check what the last one has left."""
    player = PlayerProcess(path, figures.reference)
    if not player.wait_for_start():
        figures.failures.append(f"game {path.stem}: the companion does not start any more")
    player.end()
