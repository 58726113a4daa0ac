"""The file with the service's options of ``play``, which systemd reads as root."""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
from collections.abc import Sequence
from pathlib import Path

from .accounts import run_as
from .errors import ServiceError

HIDDEN = ("/home/", "/root/")
"""Folders that the service cannot read (``ProtectHome``)."""
MODE = 0o600
"""Only for root, as systemd is: the options may hold a PIN."""
CHECK_OPTION = "--check-options"
"""Option of ``play`` that makes it check the others, and do nothing else."""
MAX_BYTES = 64 * 1024
"""More than any options need."""


def check_options(options: Sequence[str], data: Path | None) -> None:
    """:raises ServiceError: if the service, with its *data* folder, could not run with these *options*."""
    if data is None:
        raise ServiceError("these options are for the service, and there is none here: give them to 'play'")
    hidden = next((word for word in options if word.startswith(HIDDEN)), None)
    if hidden is not None:
        raise ServiceError(
            f"the service cannot read home folders: copy {hidden} to {data}, and name it {Path(hidden).name}"
        )


def check_understood(version: Path, options: Sequence[str]) -> None:
    """Checks that the installed *version* understands *options*: a service with others would not start at any boot.

    :raises ServiceError: if it does not; the message is that of ``play``.
    """
    done = subprocess.run(
        [
            *(str(version / ".venv/bin/python"), "-P", "-B", "-m", "companion", "play"),
            *(*options, CHECK_OPTION),
        ],
        env={**os.environ, "PYTHONPATH": str(version)},
        cwd=version,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise ServiceError(
            lines[-1].removeprefix("companion: ") if lines else "play does not take these options"
        )


def read_options(path: Path) -> bytes | None:
    """Returns what is in the file *path*, to be written again by :func:`restore_options`; `None` if there is none."""
    return path.read_bytes() if path.exists() else None


def write_options(path: Path, options: Sequence[str]) -> None:
    """Writes *options* to *path*, which only root can read at any time."""
    _write(path, f"PLAY_OPTIONS={shlex.join(options)}\n".encode())


def restore_options(path: Path, earlier: bytes | None) -> None:
    """Makes *path* what :func:`read_options` returned."""
    if earlier is None:
        path.unlink(missing_ok=True)
    else:
        _write(path, earlier)


def move_options(earlier: Path, path: Path, user: str) -> None:
    """Copies the options that an earlier version stored in a file of *user* to *path*, unless that exists.

    The earlier file stays, for going back to that version.
    """
    if not path.exists() and (text := run_as(user, _read, earlier)) is not None:
        _write(path, text)


def _read(path: Path) -> bytes | None:
    """Returns the content of *path*; `None` if it is a link or not a regular file."""
    try:
        with open(path, "rb", opener=_open_without_following) as file:
            return file.read(MAX_BYTES) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else None
    except OSError:
        return None


def _open_without_following(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)  # does not wait for the writer of a pipe


def _write(path: Path, text: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, MODE), "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
