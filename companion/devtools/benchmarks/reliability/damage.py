"""Every byte of a journal changed in turn: it must be noticed or have no effect, never give a different game."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from companion.journal import JournalError
from companion.journal.file import Journal
from companion.journal.recovery import open_journal

from .scripted_player import actions, resumed

MEMORY = Path("/dev/shm")
"""A file system in memory: the test does not depend on a disk, and is faster without."""


@dataclass
class DamageFigures:
    """Figures of changed bytes."""

    flipped: int = 0
    unnoticed: int = 0
    """In unused space of the file: the game is the same."""
    repaired: int = 0
    """Noticed, and everything was recovered."""
    cut: int = 0
    """Noticed; the records after it were lost, and the loss was reported."""
    refused: int = 0
    """Noticed; the file was not opened, and the cure was reported."""
    from_backup: int = 0
    """Opened again with a backup: everything was recovered."""
    failures: list[str] = field(default_factory=list)
    """A different game without notice, a wrong loss reported, or an unexpected exception."""


def flip(confirmed: int, step: int = 1, seed: int = 1) -> DamageFigures:
    """Changes every *step*-th byte of a journal with *confirmed* confirmations: first all its bits, then one."""
    figures, rng = DamageFigures(), random.Random(seed)
    root = str(MEMORY) if MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="table-companion-", dir=root) as folder:
        path = Path(folder) / "1.journal"
        session, _ = resumed(path, 1)
        for _, act in zip(range(confirmed), actions(session, rng), strict=False):
            act()
        session.journal.close()
        trial = _Flips(path, figures)
        for position in range(0, len(trial.content), step):
            for bits in (0xFF, 1 << rng.randrange(8)):
                trial.run(position, bits)
    return figures


class _Flips:
    """Changes one byte at a time of the journal *path*."""

    def __init__(self, path: Path, figures: DamageFigures) -> None:
        self.content = path.read_bytes()
        self._figures = figures
        journal = Journal(path)
        self._lines = journal.lines()
        journal.close()
        self._folder = path.parent / "tried"
        self._backup = path.parent / "backup"
        self._backup.mkdir()
        shutil.copy(path, self._backup)
        self._name = path.name

    def run(self, position: int, bits: int) -> None:
        changed = bytearray(self.content)
        changed[position] ^= bits
        self._figures.flipped += 1
        try:
            outcome = self._opened(bytes(changed))
            if outcome == "cut":
                again = self._opened(bytes(changed), [self._backup])
                outcome = "cut" if again in ("repaired", "unnoticed") else f"with a backup: {again}"
                self._figures.from_backup += again == "repaired"
        except Exception as error:  # any other exception is a failure: users would see it
            outcome = repr(error)
        if hasattr(self._figures, outcome):
            setattr(self._figures, outcome, getattr(self._figures, outcome) + 1)
        else:
            self._figures.failures.append(f"byte {position}, bits {bits:#x}: {outcome}")

    def _opened(self, content: bytes, backups: Sequence[Path] = ()) -> str:
        """Returns the outcome of opening a journal with *content*; most are names of figures."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir()
        path = self._folder / self._name
        path.write_bytes(content)
        try:
            journal, repaired = open_journal(path, backups)
            journal.append("names", {"names": {}})
        except JournalError:
            return "refused"
        *lines, _ = journal.lines()
        journal.close()
        if lines == self._lines:
            return "unnoticed" if repaired is None else "repaired"
        if repaired is None or lines != self._lines[: len(lines)]:
            return "another game"
        lost = len(self._lines) - len(lines)
        return (
            "cut"
            if repaired.lost in (None, lost)
            else f"{repaired.lost} records reported as lost instead of {lost}"
        )
