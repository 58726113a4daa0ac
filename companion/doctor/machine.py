"""The machine that is examined. Whatever the checks ask of the world, they ask it."""

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
from companion.journal.files import journals_in
from companion.network.page_address import ALL_INTERFACES, announce_page, is_local_only, reachable_host
from companion.service.packages import is_raspberry_pi
from companion.text.catalogue import LANGUAGES, texts

if TYPE_CHECKING:
    import numpy as np

    from calibration.table_file import TableFile
    from hardware.panel import PanelConfig

CHECKOUT = Path(__file__).resolve().parents[2]
TIMEOUT_S = 3.0
"""How long a tool of the system, or what listens on the page's port, may take to answer."""
MAX_ANSWER_BYTES = 100_000
"""Bytes of what it may say: a companion says less."""
FREE, COMPANION, TAKEN = "free", "companion", "taken"
"""Who listens on the page's port."""
ABOUT = "/manifest.webmanifest"
"""What tells a companion from another program: its page's name."""


@dataclass(frozen=True, slots=True)
class Shot:
    """What a camera shows."""

    name: str
    """Of the camera, as people call it."""
    frame: np.ndarray
    """(H, W, 3) uint8 BGR."""
    live: bool = True
    """Whether a sensor takes it now."""
    adjusts_itself: bool = False
    """Whether nothing fixes it to the evening's light."""
    unkept: tuple[str, ...] = ()
    """Which of the settings that fix it it does not keep."""
    lasting: str | None = None
    """What names it whatever number it gets, where it is named by a number."""
    bands: float = 0.0
    """How strongly a lamp's flicker shows (:func:`calibration.light.banding`)."""


def probe_pins(path: Path | None) -> PanelConfig:
    """Opens the panel of the file at *path* for a moment.

    :raises PanelConfigError: when the file is wrong.
    :raises PanelUnavailableError: when the pins cannot be used.
    """
    from hardware.panel import open_panel

    with open_panel(path, simulate=False) as panel:
        return panel.config


def _run_tool(*command: str) -> str | None:
    """What a tool of the system answers; None where there is none, or it fails.

    :raises subprocess.TimeoutExpired: when it takes too long.
    """
    if shutil.which(command[0]) is None:
        return None
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)
    return done.stdout.strip() if done.returncode == 0 else None


def find_module(module: str) -> None:
    """Looks whether *module* can be imported, without doing so: beside a game nothing is loaded that it does not need.

    :raises ImportError: when it cannot.
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
    """Who listens on *port* of this machine."""
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
            told = connection.getresponse().read(MAX_ANSWER_BYTES).decode()
            about = parse_json(told, ABOUT, ValueError)
        except (HTTPException, OSError, ValueError):
            return False
    names = {texts(language)["page.title"] for language in LANGUAGES}
    return isinstance(about, dict) and about.get("name") in names


@dataclass
class Machine:
    """Represents the machine, its devices, and what is kept on it."""

    data: Path
    """The folder of games and settings."""
    games_folder: Path | None = None
    """None: in the folder of all that is kept."""
    host: str = ALL_INTERFACES[0]
    port: int = 8080
    """Where the page is served."""
    table: TableFile | None = None
    camera: Callable[[], Shot | None] | None = None
    """Looks through the camera, None before there is a picture; raises :exc:`hardware.cameras.CameraError`. None where
    everything is tapped."""
    pins: Callable[[], PanelConfig] = lambda: probe_pins(None)
    """Tries the panel's pins and tells how they are used; raises what :func:`hardware.panel.open_panel` does."""
    playing: bool = False
    """Whether it is this very program that plays: its memory is in use, and its page is served."""
    seen: Shot | None = None
    """What the check of the camera saw, at the size of the table file, for those that judge it."""
    root: Path = Path("/")
    """Below it are ``proc`` and ``sys``."""
    environment: Path = field(default_factory=lambda: Path(sys.prefix))
    """The folder of the Python environment."""
    is_pi: Callable[[], bool] = is_raspberry_pi
    run_tool: Callable[..., str | None] = _run_tool
    """Asks a tool of the system, named by its words; None where it does not tell."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    disk_usage: Callable[[Path], os.statvfs_result] = os.statvfs
    load: Callable[[str], Any] = import_module
    """Imports a module; raises ImportError when it cannot."""
    version: Callable[[str], str | None] = _version
    """Of an installed package; None when it is not."""
    host_name: Callable[[], str] = socket.gethostname
    address: Callable[[], str] = lambda: reachable_host(ALL_INTERFACES[0])
    """By which the local network reaches it; one that begins with 127 where there is no network."""
    announce: Callable[[int], str | None] = _announced_url
    """The page's address by a name, for so long as it takes to see whether the network allows it; None: it does not."""
    listener: Callable[[int], str] = _listener

    def games(self) -> list[Path]:
        """The journals of all games."""
        return journals_in(self.games_folder or self.data / "games")

    @property
    def is_local_only(self) -> bool:
        """Whether the page is for this machine alone, as somebody has chosen."""
        return self.host not in ALL_INTERFACES and is_local_only(self.host)

    @property
    def is_served(self) -> bool:
        """Whether a companion serves the page here: then it has camera and pins."""
        return self.playing or self.listener(self.port) == COMPANION
