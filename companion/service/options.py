"""The options of ``play`` with which the service starts: a file that systemd reads as root."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Sequence
from pathlib import Path

from .accounts import run_as
from .errors import ServiceError

HIDDEN = ("/home/", "/root/")
"""Folders into which the service does not see."""
MODE = 0o600
"""A PIN may be among them; systemd reads them as root."""
MAX_BYTES = 64 * 1024
"""Bytes; no options are as long."""


def check_options(options: Sequence[str], data: Path | None) -> None:
    """:raises ServiceError: when the service, whose *data* lie there, could not play with these *options*."""
    if data is None:
        raise ServiceError(
            "options of 'play' are for the service, and none is started here: give them to 'play'"
        )
    hidden = next((word for word in options if word.startswith(HIDDEN)), None)
    if hidden is not None:
        raise ServiceError(
            f"the service does not see into people's folders: copy {hidden} to {data}, "
            f"and name it {Path(hidden).name}"
        )


def write_options(path: Path, options: Sequence[str]) -> None:
    """Writes them to *path*, which nobody but root may read at any time."""
    _write(path, f"PLAY_OPTIONS={shlex.join(options)}\n".encode())


def move_options(earlier: Path, path: Path, user: str) -> None:
    """Takes over to *path* what an earlier version kept in a file of *user*'s, unless there are newer ones.

    The earlier file stays, for a version that one goes back to.
    """
    if not path.exists() and (text := run_as(user, _read, earlier)) is not None:
        _write(path, text)


def _read(path: Path) -> bytes | None:
    """What is in *path*; None when it is no file, or a link."""
    try:
        with open(path, "rb", opener=_open_without_following) as file:
            return file.read(MAX_BYTES) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else None
    except OSError:
        return None


def _open_without_following(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)  # a pipe must not be waited for


def _write(path: Path, text: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, MODE), "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
