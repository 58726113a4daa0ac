"""Starts a version beside the one in use, and checks that it reports to be ready, as it must to systemd."""

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

TIMEOUT_S = 120.0
"""How long a version may take to start, on a slow card."""
OUTPUT_LINES = 3
"""How many of its last lines of output an error quotes."""


def check_version(folder: Path, user: str | None, timeout_s: float = TIMEOUT_S) -> None:
    """Starts the version in *folder* on a free port, with a data folder of its own and no devices.

    It runs as *user*; `None` for the current one.

    :raises ServiceError: if it does not start.
    """
    with tempfile.TemporaryDirectory(prefix="table-companion-") as temporary:
        place = Path(temporary)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(str(place / "notify"))
            if user is not None:
                for path in (place / "notify", place):  # the folder last: root does not own it from then on
                    shutil.chown(path, user, pwd.getpwnam(user).pw_gid)
            problem = _run_version(folder, user, place, manager, timeout_s)
    if problem is not None:
        raise ServiceError(f"this version does not start: {problem}")


def _run_version(
    folder: Path, user: str | None, place: Path, manager: socket.socket, timeout_s: float
) -> str | None:
    """Returns `None` if the version became ready, else its last lines of output."""
    with tempfile.TemporaryFile("w+") as output:
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
            stdout=output,
            stderr=subprocess.STDOUT,
            user=user,
            group=None if user is None else pwd.getpwnam(user).pw_gid,
            extra_groups=None if user is None else [],
        )
        try:
            if _is_ready(manager, child, timeout_s):
                return None
            ended = child.poll()
        finally:
            child.send_signal(signal.SIGINT)
            try:
                child.wait(timeout=10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        output.seek(0)
        lines = [line.strip() for line in output.read().splitlines() if line.strip()]
        return " / ".join(lines[-OUTPUT_LINES:]) if lines and ended is not None else "it gave no sign of life"


def _is_ready(manager: socket.socket, child: subprocess.Popen[bytes], timeout_s: float) -> bool:
    """Waits at most *timeout_s* seconds; returns whether *child* reported that it is ready."""
    step = 0.2
    manager.settimeout(step)
    while timeout_s > 0:
        try:
            if "READY=1" in manager.recv(4096).decode().splitlines():
                return True
        except TimeoutError:
            timeout_s -= step
        if child.poll() is not None:
            return False
    return False
