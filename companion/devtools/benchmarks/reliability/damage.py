"""A journal of which every byte is changed in turn: noticed, or without effect; never a silently different game."""

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
"""Where nothing waits for a disk: what is tried here does not depend on one."""


@dataclass
class DamageFigures:
    """What became of changed bytes."""

    flipped: int = 0
    unnoticed: int = 0
    """In room that the file does not use: the game is the same."""
    mended: int = 0
    """Noticed, and all was there all the same."""
    cut: int = 0
    """Noticed; what followed is gone, and the loss was told."""
    refused: int = 0
    """Noticed; the file was not opened, and the cure was told."""
    from_backup: int = 0
    """Tried once more with a copy in another folder: everything was there again."""
    failures: list[str] = field(default_factory=list)
    """Another game without a word, a wrong loss told, or an error that is no sentence."""


def flip(confirmed: int, step: int = 1, seed: int = 1) -> DamageFigures:
    """Changes every *step*-th byte of a journal in which so many things were confirmed: all its bits, then one."""
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
                outcome = "cut" if again in ("mended", "unnoticed") else f"with a backup: {again}"
                self._figures.from_backup += again == "mended"
        except Exception as error:  # whatever it is, it is not to be seen by anybody
            outcome = repr(error)
        if hasattr(self._figures, outcome):
            setattr(self._figures, outcome, getattr(self._figures, outcome) + 1)
        else:
            self._figures.failures.append(f"byte {position}, bits {bits:#x}: {outcome}")

    def _opened(self, content: bytes, backups: Sequence[Path] = ()) -> str:
        """How the journal *content* is opened."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir()
        path = self._folder / self._name
        path.write_bytes(content)
        try:
            journal, mended = open_journal(path, backups)
            journal.append("names", {"names": {}})
        except JournalError:
            return "refused"
        *lines, _ = journal.lines()
        journal.close()
        if lines == self._lines:
            return "unnoticed" if mended is None else "mended"
        if mended is None or lines != self._lines[: len(lines)]:
            return "another game"
        lost = len(self._lines) - len(lines)
        return (
            "cut"
            if mended.lost in (None, lost)
            else f"{mended.lost} records told to be lost instead of {lost}"
        )
