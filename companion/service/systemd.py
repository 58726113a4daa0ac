"""Asking systemd."""

from __future__ import annotations

import subprocess
import time

from .errors import ServiceError

STABLE_S = 5.0
"""How long a service must go on after it has said that it is ready."""
OUTPUT_LINES = 3
"""Of what a service said last, when it failed."""


def systemctl(*words: str) -> str:
    """What ``systemctl`` answers.

    :raises ServiceError: when it fails.
    """
    done = subprocess.run(["systemctl", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ServiceError(f"systemctl {' '.join(words)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout.strip()


def restart(service: str, stable_s: float = STABLE_S) -> None:
    """Starts *service*, which may run, and waits until it has said that it is ready and lived for *stable_s* seconds.

    :raises ServiceError: when it does not; the message has what it said last.
    """
    subprocess.run(["systemctl", "reset-failed", service], capture_output=True, check=False)
    try:
        systemctl("restart", service)
    except ServiceError as error:
        raise ServiceError(f"the service does not start: {_said(service)}") from error
    process = _process(service)
    time.sleep(stable_s)
    if process in ("", "0") or _process(service) != process:
        raise ServiceError(f"the service does not go on: {_said(service)}")


def status_of(service: str) -> str:
    """The line that *service* told systemd last."""
    return systemctl("show", "--property=StatusText", "--value", service)


def _process(service: str) -> str:
    return systemctl("show", "--property=MainPID", "--value", service)


def _said(service: str) -> str:
    done = subprocess.run(
        ["journalctl", f"_SYSTEMD_UNIT={service}", f"--lines={OUTPUT_LINES}", "--output=cat", "--quiet"],
        capture_output=True,
        text=True,
        check=False,
    )
    return " / ".join(done.stdout.split("\n")).strip(" /") or f"see 'journalctl -u {service}'"
