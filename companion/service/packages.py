"""The operating system's packages that the companion needs."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from .errors import ServiceError

ALL_SYSTEMS = ("python3-venv", "git")
"""Debian packages for the virtual environment and for updates."""
RASPBERRY_PI = ("python3-picamera2", "python3-lgpio")
"""Built for that system's Python and kernel; pip's packages of these names do not fit."""
DEVICE_MODEL = Path(os.environ.get("TABLE_COMPANION_DEVICE_MODEL", "/proc/device-tree/model"))
"""File in which Linux names the board it runs on."""


def is_raspberry_pi() -> bool:
    """Returns whether this is a Raspberry Pi."""
    try:
        return b"Raspberry Pi" in DEVICE_MODEL.read_bytes()
    except OSError:
        return False


def required_packages() -> tuple[str, ...]:
    """Returns the names of the packages that this machine needs."""
    return ALL_SYSTEMS + (RASPBERRY_PI if is_raspberry_pi() else ())


def install_missing(report: Callable[[str], None]) -> None:
    """Installs missing packages with apt; uses no network if all are there.

    :raises ServiceError: if apt fails.
    """
    if shutil.which("apt-get") is None:
        report(f"Skipped: there is no apt here to install {', '.join(required_packages())}.")
        return
    missing = [name for name in required_packages() if not _is_installed(name)]
    if not missing:
        return
    report(f"Installing {', '.join(missing)}...")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (("update",), ("install", "--yes", "--no-install-recommends", *missing)):
        if subprocess.run(["apt-get", "--quiet", *words], env=environment, check=False).returncode:
            raise ServiceError(
                f"apt could not install {' '.join(missing)} (see above): check the network and start again"
            )


def _is_installed(name: str) -> bool:
    status = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${db:Status-Status}", name],
        capture_output=True,
        text=True,
        check=False,
    )
    return status.stdout == "installed"
