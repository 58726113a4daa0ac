"""Installing, updating and removing: a version is tried, made the current one, and taken back if it does not live."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from .accounts import OWN_ACCOUNT, give, make_account, owner_of, remove_account, who_asks
from .errors import ServiceError
from .packages import install_missing
from .places import DATA, ROOT, Places
from .releases import Releases
from .sources import fetched, origin
from .systemd import STEADY_S, start_anew, status_of, systemctl
from .trial import try_version
from .units import SERVICE, STARTED, UNITS, device_groups, rendered

CHECKOUT = Path(__file__).resolve().parents[2]
"""The version whose code this is."""
HIDDEN = ("/home/", "/root/")
"""Folders into which the service does not see."""
OPTIONS_MODE = 0o640
"""A PIN may be among them."""
VANISHING = ("overlayroot=", "boot=overlay")
"""What the kernel is started with where all that is written to the disk is gone after a restart."""
LAUNCHER = """#!/bin/sh
# Written by the installation of the table companion.
{data}exec {run} "$@"
"""


class Installation:
    """Represents the companion as it is, or will be, installed in its *places*; *say* takes lines for people.

    A service counts as well when it has lived for *steady* seconds after it said that it is ready.
    """

    def __init__(self, places: Places, say: Callable[[str], None], steady: float = STEADY_S) -> None:
        self.places = places
        self._steady = steady
        self.releases = Releases(places.program)
        self._say = say
        self._source = places.program / "source"

    def install(self, user: str | None = None, options: Sequence[str] | None = None) -> None:
        """Installs the version whose code this is, or brings an installation of it in order again.

        *options* are those of ``play`` with which the service starts; None leaves them as they are. *user* is who it
        plays as; None leaves that, too, and at first is who types ``sudo``.

        :raises ServiceError: when it does not come up, or something is missing that only a person can give.
        """
        data = self.places.data
        if options is not None:
            _check_options(options, data)
        if data is not None:
            _check_disk()
            install_missing(self._say)
            user = user or owner_of(data) or who_asks() or OWN_ACCOUNT
            make_account(user)
            data.mkdir(parents=True, exist_ok=True)
            if options is not None and self.places.options is not None:
                self.places.options.write_text(f"PLAY_OPTIONS={shlex.join(options)}\n", encoding="utf-8")
                self.places.options.chmod(OPTIONS_MODE)
            give(data, user)
        if CHECKOUT.parent == self.places.program / "versions":
            name = CHECKOUT.name
        else:
            self._say("Preparing the program; this takes some minutes on a Raspberry Pi...")
            with fetched(str(CHECKOUT)) as new:
                name = new.name
                self.releases.add(new.folder, name)
            self._source.write_text(f"{origin(CHECKOUT)}\n", encoding="utf-8")
        self._activate(name)

    def update(self, source: str | None = None, version: str | None = None) -> None:
        """Gets the newest version from *source*, or from where it came, and plays on with it; all data stay.

        :raises ServiceError: when there is none, or it does not come up; then the version before plays on.
        """
        self._check_installed()
        source = source or self._source.read_text(encoding="utf-8").strip()
        with fetched(source, version) as new:
            if new.name == self.releases.current:
                self._say(f"{new.name} is what {source} holds, and what you have: nothing is to be done.")
                return
            self._say(f"{self.releases.current} -> {new.name}")
            self.releases.add(new.folder, new.name)
            self._activate(new.name)

    def go_back(self) -> None:
        """Plays on with the version before the current one.

        :raises ServiceError: when there is none any more, or it does not come up.
        """
        self._check_installed()
        previous = self.releases.previous
        if previous is None:
            raise ServiceError(
                f"no version before {self.releases.current} is kept: there is nothing to go back to"
            )
        self._say(f"{self.releases.current} -> {previous}")
        self._activate(previous)

    def uninstall(self, delete_data: bool) -> None:
        """Removes what :meth:`install` put there; games, calibration and settings only where *delete_data* says so."""
        units, data = self.places.units, self.places.data
        if units is not None and (units / SERVICE).exists():
            systemctl("disable", "--now", *STARTED)
            for unit in UNITS:
                (units / unit).unlink(missing_ok=True)
            systemctl("daemon-reload")
        self.places.launcher.unlink(missing_ok=True)
        if self.places.program.exists():
            shutil.rmtree(self.places.program)
        if data is None or not data.exists():
            self._say("Removed. What is kept for your account has been left alone.")
        elif delete_data:
            user = owner_of(data)
            shutil.rmtree(data)
            if user is not None:
                remove_account(user)
            self._say("Removed, with all games, calibration and settings.")
        else:
            self._say(f"Removed. Games, calibration and settings are still in {data}.")

    def settle(self) -> None:
        """Puts launcher and units of the version whose code this is in their places, and starts it.

        :raises ServiceError: when it does not start, or does not live on.
        """
        self._write_launcher()
        units, data = self.places.units, self.places.data
        if units is None or data is None:
            self._say(f"Skipped: nothing is started at boot. Start it with: {self.places.launcher} play")
            return
        for name, text in rendered(self.places, owner_of(data) or OWN_ACCOUNT, device_groups()).items():
            (units / name).write_text(text, encoding="utf-8")
        systemctl("daemon-reload")
        systemctl("enable", "--quiet", "--now", *(unit for unit in STARTED if unit != SERVICE))
        systemctl("enable", "--quiet", SERVICE)
        start_anew(SERVICE, self._steady)
        self._say(f"It plays, now and after every boot: {status_of(SERVICE)}")

    def _activate(self, name: str) -> None:
        """Makes *name* the current version, or leaves all as it was.

        :raises ServiceError: when it does not come up.
        """
        folder = self.releases.folder(name)
        before, earlier = self.releases.current, self.releases.previous
        try:
            try_version(folder, None if self.places.data is None else owner_of(self.places.data))
            self.releases.switch(name)
            self._settled(folder)
        except ServiceError as error:
            if before is None or before == name:
                raise
            if self.releases.current == name:
                self.releases.take_back(before, earlier)
                self._settled(self.releases.folder(before))
            raise ServiceError(f"{name}: {error}. {before} plays on") from error
        finally:
            self.releases.prune()
        self._say(f"Installed: {name}")

    def _settled(self, folder: Path) -> None:
        """Lets the code of the version in *folder* settle: what it needs may be another than what this one needs."""
        done = subprocess.run(
            [
                *(sys.executable, "-B", "-m", "companion.service", "settle"),
                *("--steady", str(self._steady)),
                *(["--own"] if self.places.data is None else []),
            ],
            env={**os.environ, "PYTHONPATH": str(folder)},
            cwd=folder,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode:
            said = done.stderr.strip().splitlines()
            raise ServiceError(said[-1].partition(": ")[2] if said else "it does not say why")

    def _write_launcher(self) -> None:
        launcher, data = self.places.launcher, self.places.data
        run = shlex.quote(str(self.places.program / "current" / "run"))
        keeps = "" if data is None else f"export {DATA}=${{{DATA}:-{shlex.quote(str(data))}}}\n"
        launcher.parent.mkdir(parents=True, exist_ok=True)
        launcher.write_text(LAUNCHER.format(data=keeps, run=run), encoding="utf-8")
        launcher.chmod(0o755)
        if str(launcher.parent) not in os.environ.get("PATH", "").split(":"):
            self._say(f"{launcher.parent} is not in your PATH: type {launcher}, or add it.")

    def _check_installed(self) -> None:
        if self.releases.current is None:
            raise ServiceError("no table companion is installed here; install it first, with ./run install")
        if self.places.data is not None:
            _check_disk()


def _check_options(options: Sequence[str], data: Path | None) -> None:
    if data is None:
        raise ServiceError(
            "options of 'play' are for the service, and none is started here: give them to 'play'"
        )
    hidden = next((word for word in options if word.startswith(HIDDEN)), None)
    if hidden is not None:
        raise ServiceError(
            f"the service does not see into people's folders: copy {hidden} to {data}, "
            f"and name it {Path(hidden).name}"
        )


def _check_disk() -> None:
    """:raises ServiceError: on a Raspberry Pi whose root is read-only, and would forget what is installed."""
    started_with = (ROOT / "proc/cmdline").read_text(encoding="utf-8")
    if any(word in started_with for word in VANISHING):
        raise ServiceError(
            "the disk is read-only, and what is installed now would be gone after a restart: switch that off "
            "with 'sudo raspi-config nonint disable_overlayfs', restart, and start again"
        )
