"""Small real disks on which the power is cut, which fill up, or which become read-only during a game.

A disk is an ext4 file system in a file. A copy of the file is what a disk would hold after a power cut at that moment,
without what the system still had in memory. Mounting needs root; without it this part is skipped, and reported as such.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from calibration.errors import CompanionError
from companion.journal.disk_errors import FULL, READ_ONLY
from companion.service.sqlite_files import ROLLBACK
from companion.session import DRAFTING, CommandRejectedError, TableSession

from .crashes import PlayerProcess
from .reference import Reference
from .scripted_player import actions, resumed

DISK_BYTES = 8 << 20
MAX_LIFE_S = 0.5
"""Longest time of play until the power is cut."""
MAX_CONFIRMED = 60
"""Fewer than in a game, but enough to fill SQLite's last page."""


class NoDisksError(CompanionError, RuntimeError):
    """No disk can be mounted on this machine."""


class DiskTestError(CompanionError, RuntimeError):
    """A game did not behave as it must on a failing disk."""


@dataclass
class DiskFigures:
    """Figures of games whose disks failed."""

    cuts: int = 0
    torn: int = 0
    """Cuts in the middle of a write, which SQLite undid."""
    reference: Reference = field(default_factory=Reference)
    full: int = 0
    """Disks that were filled during a game, and got free space again."""
    read_only: int = 0
    """Disks that the system made read-only during a game because of an error."""
    failures: list[str] = field(default_factory=list)


class Disk:
    """Represents a small disk, mounted at :attr:`folder`."""

    def __init__(self, image: Path, folder: Path) -> None:
        self.image, self.folder = image, folder

    @classmethod
    def made(cls, at: Path) -> Disk:
        """Returns a new, empty disk, not mounted.

        :raises NoDisksError: if it cannot be created here.
        """
        image, folder = at / "disk", at / "card"
        folder.mkdir(parents=True)
        with image.open("wb") as file:
            file.truncate(DISK_BYTES)
        _run("mkfs.ext4", "-q", "-F", str(image))
        return cls(image, folder)

    @contextmanager
    def mounted(self) -> Iterator[Path]:
        """Returns a context with the disk mounted.

        :raises NoDisksError: if it cannot be mounted here.
        """
        _run("mount", "-o", "loop,errors=remount-ro", str(self.image), str(self.folder))
        try:
            yield self.folder
        finally:
            _run("umount", "--lazy", str(self.folder))

    def fail(self) -> None:
        """Triggers a file system error, after which the system makes the disk read-only, as with a worn card."""
        device = Path(_run("findmnt", "-no", "SOURCE", str(self.folder))).name
        Path(f"/sys/fs/ext4/{device}/trigger_fs_error").write_text("worn", encoding="ascii")


def _run(*command: str) -> str:
    try:
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        why = getattr(error, "stderr", "") or str(error)
        raise NoDisksError(f"{command[0]}: {why.strip()}") from error
    return done.stdout.strip()


def fail_disks(cuts: int, seed: int = 1) -> DiskFigures:
    """Cuts the power *cuts* times, and fills and write-protects a disk during a game.

    :raises NoDisksError: if no disk can be mounted here.
    """
    if os.geteuid() != 0:
        raise NoDisksError("only root can mount disks")
    figures, rng = DiskFigures(), random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="table-companion-") as at:
        _cut_power(Path(at) / "cut", cuts, rng, figures)
        _try(figures, _fill, Path(at) / "full")
        _try(figures, _write_protect, Path(at) / "protected")
    return figures


def _try(figures: DiskFigures, trial: Callable[[Path, DiskFigures], None], at: Path) -> None:
    try:
        trial(at, figures)
    except DiskTestError as error:
        figures.failures.append(f"{at.name}: {error}")


# --- the power is cut ---


def _cut_power(at: Path, cuts: int, rng: random.Random, figures: DiskFigures) -> None:
    """Plays on a disk, and continues from a copy of it that was made during play, again and again."""
    disk, reference, game = Disk.made(at), figures.reference, 1
    for _ in range(cuts):
        is_over = _play_until_cut(disk, f"{game}.journal", rng, reference)
        figures.cuts += 1
        with disk.mounted() as folder:
            path = folder / f"{game}.journal"
            figures.torn += _is_torn(path)
            session, up = resumed(path, game)
            session.journal.close()
            reference.receive(up)
            if is_over:
                path.unlink()
        if is_over:
            game += 1
            reference.next_game()


def _is_torn(path: Path) -> bool:
    """Returns whether SQLite has to undo a write: a rollback journal whose header is not cleared."""
    journal = path.with_name(path.name + ROLLBACK)
    return journal.exists() and any(journal.read_bytes()[:8])


def _play_until_cut(disk: Disk, name: str, rng: random.Random, reference: Reference) -> bool:
    """Plays, and replaces the disk by a copy made at a random moment; returns True if the game was over.

    Everything confirmed before the copy was begun must be in it.
    """
    copy = disk.image.with_name("copy")
    with disk.mounted() as folder:
        life = PlayerProcess(folder / name, reference)
        life.wait_for_start()
        life.process.join(rng.uniform(0, MAX_LIFE_S))
        is_over = life.process.exitcode is not None
        if not is_over:
            os.kill(life.process.pid, signal.SIGSTOP)
        life.receive()
        shutil.copyfile(disk.image, copy)
        life.end(silently=True)
    copy.replace(disk.image)
    return is_over


# --- the disk fails during a game ---


def _fill(at: Path, figures: DiskFigures) -> None:
    """Fills the disk: confirmations are refused until there is free space again."""
    with Disk.made(at).mounted() as folder:
        session, _ = resumed(folder / "1.journal", 1)
        ballast = folder / "ballast"
        _fill_up(ballast)
        refused = _refusal(session, FULL)
        _check(refused is not None, "a full disk was not noticed")
        before = session.state.state_hash()
        ballast.unlink()
        _confirm_one(session)
        _check(session.state.state_hash() != before, "there is free space again, but nothing is confirmed")
        _check_saved(session)
    figures.full += 1


def _write_protect(at: Path, figures: DiskFigures) -> None:
    """Makes the disk read-only: confirmations are rejected until the players choose to continue in memory."""
    disk = Disk.made(at)
    with disk.mounted() as folder:
        session, _ = resumed(folder / "1.journal", 1)
        saved = session.state.state_hash()
        disk.fail()
        _check(_refusal(session, READ_ONLY) is not None, "a read-only disk was not noticed")
        _check(session.state.state_hash() == saved, "a refused move was counted")
        session.journal.allow_unsaved = True
        _confirm_one(session)
        _check(session.journal.unsaved > 0, "unsaved records are not reported")
    figures.read_only += 1


def _fill_up(ballast: Path) -> None:
    """Fills all free space."""
    with suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(1024))


def _confirm_one(session: TableSession) -> None:
    next(iter(actions(session, random.Random(len(session.journal.lines())))))()


def _refusal(session: TableSession, *causes: str) -> str | None:
    """Confirms until that is refused for one of *causes*; returns the refusal's code, `None` if it never is."""
    for _ in range(MAX_CONFIRMED):
        before = session.state.state_hash()
        try:
            _confirm_one(session)
        except CommandRejectedError as refused:
            _check(refused.data.get("trouble") in causes, f"refused for {refused.data}")
            _check(session.state.state_hash() == before, "a refused move was counted")
            if session.status == DRAFTING:
                session.undo(everything=True)
            return refused.code
    return None


def _check_saved(session: TableSession) -> None:
    """Checks that the journal, opened again, leads to the same state."""
    session.journal.close()
    again, up = resumed(Path(session.journal.path), 1)
    again.journal.close()
    _check(
        again.state.state_hash() == session.state.state_hash() and not up.repaired,
        "the saved game is a different one",
    )


def _check(holds: bool, otherwise: str) -> None:
    if not holds:
        raise DiskTestError(otherwise)
