"""The folders and files of an installation."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

NAME = "table-companion"
DATA_VARIABLE = "TABLE_COMPANION_DATA"
"""Environment variable that names another data folder, for example on a writable partition."""
ROOT = Path(os.environ.get("TABLE_COMPANION_ROOT", "/"))
"""Root of the system's paths; tests use one of their own."""


@dataclass(frozen=True, slots=True)
class InstallPaths:
    """Represents the folders and files of one installation."""

    program: Path
    """Folder of the installed versions."""
    launcher: Path
    """The command that users type."""
    data: Path | None
    """Folder of games, calibration and settings; `None` for the one that ``./run play`` uses."""
    units: Path | None
    """Folder of systemd's units; `None` if nothing is started at boot."""
    options: Path | None
    """File with the service's options; `None` if there is no service.

    Outside the data folder: systemd reads it as root, and would follow a link that the account puts there."""

    @property
    def legacy_options(self) -> Path | None:
        """Returns the file in the data folder in which earlier versions stored the options."""
        return None if self.data is None else self.data / "play.env"


def system_paths() -> InstallPaths:
    """Returns the paths of an installation for all users, which only root can make."""
    return InstallPaths(
        program=ROOT / "opt" / NAME,
        launcher=ROOT / "usr/local/bin" / NAME,
        data=ROOT / "var/lib" / NAME,
        units=ROOT / "etc/systemd/system" if has_systemd() else None,
        options=ROOT / "etc" / NAME / "play.env",
    )


def user_paths() -> InstallPaths:
    """Returns the paths of an installation for one account."""
    local = Path.home() / ".local"
    return InstallPaths(
        program=local / "share" / NAME, launcher=local / "bin" / NAME, data=None, units=None, options=None
    )


def has_systemd() -> bool:
    """Returns whether systemd runs this machine, as ``sd_booted`` does."""
    return (ROOT / "run/systemd/system").is_dir()
