"""Where an installation keeps what belongs to it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

NAME = "table-companion"
DATA_VARIABLE = "TABLE_COMPANION_DATA"
"""The environment variable that names another folder for all that is kept: a partition that can be written, say."""
ROOT = Path(os.environ.get("TABLE_COMPANION_ROOT", "/"))
"""Below which folder a machine's places are; tests have one of their own."""


@dataclass(frozen=True, slots=True)
class InstallPaths:
    """Represents one installation's folders and files."""

    program: Path
    """Folder of the versions."""
    launcher: Path
    """What people type."""
    data: Path | None
    """Folder of games, calibration and settings; None where it stays where ``./run play`` keeps them."""
    units: Path | None
    """Folder of systemd's units; None where nothing is started at boot."""
    options: Path | None
    """The file of the options that the service plays with; None where there is no service.

    Not among the data: systemd reads it as root, and would follow a link that the account puts there."""

    @property
    def legacy_options(self) -> Path | None:
        """Where earlier versions kept the options: among the data."""
        return None if self.data is None else self.data / "play.env"


def system_paths() -> InstallPaths:
    """Where it is put for everybody at this machine; only root may."""
    return InstallPaths(
        program=ROOT / "opt" / NAME,
        launcher=ROOT / "usr/local/bin" / NAME,
        data=ROOT / "var/lib" / NAME,
        units=ROOT / "etc/systemd/system" if has_systemd() else None,
        options=ROOT / "etc" / NAME / "play.env",
    )


def user_paths() -> InstallPaths:
    """Where it is put for one account alone."""
    local = Path.home() / ".local"
    return InstallPaths(
        program=local / "share" / NAME, launcher=local / "bin" / NAME, data=None, units=None, options=None
    )


def has_systemd() -> bool:
    """Whether systemd started this machine: what ``sd_booted`` looks at."""
    return (ROOT / "run/systemd/system").is_dir()
