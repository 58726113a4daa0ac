"""Trying a version beside the one in use: it must say that it is ready, as it will have to say to systemd."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from pathlib import Path

from .errors import ServiceError
from .paths import DATA_VARIABLE

PATIENCE_S = 120.0
"""How long a version may take, on a slow card."""
OUTPUT_LINES = 3
"""Of what it said last, when it failed."""


def check_version(folder: Path, user: str | None, patience: float = PATIENCE_S) -> None:
    """Starts the version in *folder* on a free port, with data of its own and no devices.

    *user* is as whom; None: as who asks.

    :raises ServiceError: when it does not come up.
    """
    with tempfile.TemporaryDirectory(prefix="table-companion-") as temporary:
        place = Path(temporary)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(str(place / "notify"))
            if user is not None:
                for path in (place / "notify", place):  # the folder last: from then on it is not root's
                    shutil.chown(path, user, pwd.getpwnam(user).pw_gid)
            said = _run_version(folder, user, place, manager, patience)
    if said is not None:
        raise ServiceError(f"this version does not come up: {said}")


def _run_version(
    folder: Path, user: str | None, place: Path, manager: socket.socket, patience: float
) -> str | None:
    """What the version said last, None when it was ready."""
    with tempfile.TemporaryFile("w+") as said:
        child = subprocess.Popen(
            [
                *(str(folder / ".venv/bin/python"), "-P", "-B", "-m", "companion", "play"),
                *("--host", "127.0.0.1", "--port", "0"),
            ],
            env={
                **os.environ,
                "HOME": str(place),
                "PYTHONPATH": str(folder),
                "NOTIFY_SOCKET": str(place / "notify"),
                DATA_VARIABLE: str(place),
            },
            cwd=place,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            user=user,
            group=None if user is None else pwd.getpwnam(user).pw_gid,
            extra_groups=None if user is None else [],
        )
        try:
            if _is_ready(manager, child, patience):
                return None
            ended = child.poll()
        finally:
            child.send_signal(signal.SIGINT)
            try:
                child.wait(timeout=10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        said.seek(0)
        lines = [line.strip() for line in said.read().splitlines() if line.strip()]
        return " / ".join(lines[-OUTPUT_LINES:]) if lines and ended is not None else "it gave no sign of life"


def _is_ready(manager: socket.socket, child: subprocess.Popen[bytes], patience: float) -> bool:
    """Waits until *child* says that it is ready, has ended, or the *patience*, in seconds, is over."""
    step = 0.2
    manager.settimeout(step)
    while patience > 0:
        try:
            if "READY=1" in manager.recv(4096).decode().splitlines():
                return True
        except TimeoutError:
            patience -= step
        if child.poll() is not None:
            return False
    return False
