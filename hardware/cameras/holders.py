"""Finds the process that holds a camera, on Linux: the cure is to end it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .camera import CameraBusy

PROCESSES = Path("/proc")


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that has a device open."""

    pid: int
    program: str


def holder_of(pattern: str) -> Holder | None:
    """Returns another process that has a device matching *pattern* (``/dev/video0``, ``/dev/media*``) open.

    None if there is none, or if Linux does not say: only root can see the processes of other users.
    """
    for process in _processes():
        if any(target.match(pattern) for target in _open_files(process)):
            return Holder(int(process.name), _name(process))
    return None


def in_use(name: str, pattern: str) -> CameraBusy:
    """Returns the error that the camera *name*, with device files like *pattern*, is in use, with its process if
    known."""
    holder = holder_of(pattern)
    if holder is None:
        return CameraBusy(f"{name} is in use or not allowed; close other programs that use {pattern}")
    return CameraBusy(
        f"{name} is in use: held by PID {holder.pid} ({holder.program}); close that program",
        "busy_by",
        program=holder.program,
        pid=holder.pid,
    )


def _processes() -> list[Path]:
    own = str(os.getpid())
    try:
        return [p for p in PROCESSES.iterdir() if p.name.isdecimal() and p.name != own]
    except OSError:  # not Linux
        return []


def _open_files(process: Path) -> Iterator[Path]:
    try:
        for file in (process / "fd").iterdir():
            yield file.readlink()
    except OSError:
        return  # it has ended, or belongs to another user


def _name(process: Path) -> str:
    try:
        return (process / "comm").read_text(encoding="utf-8").strip()
    except OSError:
        return "?"
