"""Calls to systemd."""

from __future__ import annotations

import subprocess
import time

from .errors import ServiceError

STABLE_S = 5.0
"""How long a service must run after it reported to be ready."""
OUTPUT_LINES = 3
"""How many of a failed service's last log lines an error quotes."""


def systemctl(*words: str) -> str:
    """Returns the output of ``systemctl``.

    :raises ServiceError: if it fails.
    """
    done = subprocess.run(["systemctl", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ServiceError(f"systemctl {' '.join(words)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout.strip()


def restart(service: str, stable_s: float = STABLE_S) -> None:
    """Starts or restarts *service*, and waits until it has been ready for *stable_s* seconds.

    :raises ServiceError: if it fails; the message quotes its last log lines.
    """
    subprocess.run(["systemctl", "reset-failed", service], capture_output=True, check=False)
    try:
        systemctl("restart", service)
    except ServiceError as error:
        raise ServiceError(f"the service does not start: {_last_log_lines(service)}") from error
    process = _main_pid(service)
    time.sleep(stable_s)
    if process in ("", "0") or _main_pid(service) != process:
        raise ServiceError(f"the service does not stay up: {_last_log_lines(service)}")


def status_of(service: str) -> str:
    """Returns the status line that *service* last reported."""
    return systemctl("show", "--property=StatusText", "--value", service)


def _main_pid(service: str) -> str:
    return systemctl("show", "--property=MainPID", "--value", service)


def _last_log_lines(service: str) -> str:
    done = subprocess.run(
        ["journalctl", f"_SYSTEMD_UNIT={service}", f"--lines={OUTPUT_LINES}", "--output=cat", "--quiet"],
        capture_output=True,
        text=True,
        check=False,
    )
    return " / ".join(done.stdout.split("\n")).strip(" /") or f"see 'journalctl -u {service}'"
