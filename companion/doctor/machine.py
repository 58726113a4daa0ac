"""The machine that is examined: everything that the checks need of the outside world."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration.documents import parse_json
from companion.games.registry import plugins
from companion.journal.files import journals_in
from companion.network.page_address import (
    ALL_INTERFACES,
    announce_page,
    is_local_only,
    is_own_address,
    reachable_host,
)
from companion.service.packages import is_raspberry_pi
from companion.text.catalogue import LANGUAGES, texts

if TYPE_CHECKING:
    import numpy as np

    from calibration.table_file import TableFile
    from hardware.panel import PanelConfig

CHECKOUT = Path(__file__).resolve().parents[2]
TIMEOUT_S = 3.0
"""How long a system tool, or the server on the page's port, may take to answer."""
MAX_ANSWER_BYTES = 100_000
"""Bytes of an answer that are read; a companion sends fewer."""
FREE, COMPANION, TAKEN = "free", "companion", "taken"
"""What listens on the page's port."""
ABOUT = "/manifest.webmanifest"
"""Path that identifies a companion, by the name of its page."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of a camera, and the camera's state."""

    name: str
    """Name of the camera, for people."""
    frame: np.ndarray
    """(H, W, 3) uint8 BGR."""
    live: bool = True
    """Whether it comes from a sensor, not from a file."""
    is_automatic: bool = False
    """Whether exposure and white balance are automatic."""
    drifted_settings: tuple[str, ...] = ()
    """Names of the calibrated settings that the camera has lost."""
    lasting: str | None = None
    """A permanent name for a camera that was named by its number; `None` otherwise."""
    bands: float = 0.0
    """Strength of a lamp's flicker (:func:`calibration.light.bands`)."""


def probe_pins(path: Path | None) -> PanelConfig:
    """Opens and closes the panel of the file *path*; returns its configuration.

    :raises PanelConfigError: if the file is invalid.
    :raises PanelUnavailableError: if the pins cannot be used.
    """
    from hardware.panel import open_panel

    with open_panel(path, simulate=False) as panel:
        return panel.config


def _run_tool(*command: str) -> str | None:
    """Returns the output of a system tool; `None` if it is missing or fails.

    :raises subprocess.TimeoutExpired: if it takes too long.
    """
    if shutil.which(command[0]) is None:
        return None
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)
    return done.stdout.strip() if done.returncode == 0 else None


def find_module(module: str) -> None:
    """Checks whether *module* can be imported without importing it, which would cost memory during a game.

    :raises ImportError: if it cannot be imported.
    """
    if find_spec(module) is None:
        raise ImportError(f"No module named {module!r}", name=module)


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _announced_url(port: int) -> str | None:
    with announce_page(ALL_INTERFACES[0], port) as page:
        return None if page is None else page.url


def _listener(port: int) -> str:
    """Returns what listens on *port* of this machine."""
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ALL_INTERFACES[0], port))
        except OSError:
            return COMPANION if _is_companion(port) else TAKEN
    return FREE


def _is_companion(port: int) -> bool:
    with closing(HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)) as connection:
        try:
            connection.request("GET", ABOUT)
            answer = connection.getresponse().read(MAX_ANSWER_BYTES).decode()
            about = parse_json(answer, ABOUT, ValueError)
        except (HTTPException, OSError, ValueError):
            return False
    names = {texts(language, game)["page.title"] for language in LANGUAGES for game in plugins()}
    return isinstance(about, dict) and about.get("name") in names


@dataclass
class Machine:
    """Represents the machine, its devices and its data."""

    data: Path
    """Data folder, with games and settings."""
    games_folder: Path | None = None
    """`None` for the one in the data folder."""
    host: str = ALL_INTERFACES[0]
    port: int = 8080
    """Port on which the page is served."""
    table: TableFile | None = None
    camera: Callable[[], Shot | None] | None = None
    """Returns a picture of the camera, `None` before there is one; raises :exc:`hardware.cameras.CameraError`. `None`
    itself if there is no camera."""
    pins: Callable[[], PanelConfig] = lambda: probe_pins(None)
    """Returns how the panel's pins are used; raises the errors of :func:`hardware.panel.open_panel`."""
    playing: bool = False
    """Whether this program is playing: its memory is in use, and it serves the page."""
    seen: Shot | None = None
    """The picture of the camera check, at the size of the table file, for the checks that need it."""
    root: Path = Path("/")
    """Parent of ``proc`` and ``sys``."""
    environment: Path = field(default_factory=lambda: Path(sys.prefix))
    """The folder of the Python environment."""
    is_pi: Callable[[], bool] = is_raspberry_pi
    run_tool: Callable[..., str | None] = _run_tool
    """Returns the output of a system tool; `None` if it fails."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    disk_usage: Callable[[Path], os.statvfs_result] = os.statvfs
    load: Callable[[str], Any] = import_module
    """Imports a module; raises ImportError if it cannot."""
    version: Callable[[str], str | None] = _version
    """Returns the version of a package; `None` if it is not installed."""
    host_name: Callable[[], str] = socket.gethostname
    address: Callable[[], str] = lambda: reachable_host(ALL_INTERFACES[0])
    """Returns the address in the local network; it begins with 127 if there is none."""
    is_own_address: Callable[[str], bool] = is_own_address
    announce: Callable[[int], str | None] = _announced_url
    """Announces the page's name for a moment; returns its address, or `None` if the network does not allow that."""
    listener: Callable[[int], str] = _listener

    def games(self) -> list[Path]:
        """Returns the journals of all games."""
        return journals_in(self.games_folder or self.data / "games")

    @property
    def is_local_only(self) -> bool:
        """Whether the page is served to this machine only."""
        return self.host not in ALL_INTERFACES and is_local_only(self.host)

    @property
    def is_served(self) -> bool:
        """Whether a companion serves the page here, and so uses camera and pins."""
        return self.playing or self.listener(self.port) == COMPANION
