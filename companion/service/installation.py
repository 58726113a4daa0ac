"""Installing, updating and removing: a version is tried, made the current one, and taken back if it does not live."""

from __future__ import annotations

import grp
import os
import pwd
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from .accounts import OWN_ACCOUNT, ensure_account, give_ownership, owner_of, remove_account, run_as, sudo_user
from .errors import RollbackFailedError, ServiceError
from .health_check import check_version
from .options import check_options, move_options, write_options
from .packages import install_missing
from .paths import DATA_VARIABLE, ROOT, InstallPaths
from .pre_update_backup import make_copies, restore_copies
from .releases import Releases
from .sources import fetch, origin
from .systemd import STABLE_S, restart, status_of, systemctl
from .units import ENABLED_UNITS, SERVICE, UNITS, device_groups, render_units

CHECKOUT = Path(__file__).resolve().parents[2]
"""The version whose code this is."""
VOLATILE_ROOT = ("overlayroot=", "boot=overlay")
"""What the kernel is started with where all that is written to the disk is gone after a restart."""
LAUNCHER = """#!/bin/sh
# Written by the installation of the table companion.
{data}exec {run} "$@"
"""
AS_ACCOUNT = """# The data are the account's, and so is all that is done with them: root may be led astray there.
case "$(id -u):${{1-}}" in
0:install | 0:update | 0:uninstall) ;;
0:*) exec setpriv --reuid={user} --regid={group} --groups={groups} -- {run} "$@" ;;
esac
"""
"""What the launcher does where the companion plays as *user*."""


class Installation:
    """Represents the companion as it is, or will be, installed in its *places*; *say* takes lines for people.

    A service counts as well when it has lived for *stable_s* seconds after it said that it is ready.
    """

    def __init__(self, places: InstallPaths, say: Callable[[str], None], stable_s: float = STABLE_S) -> None:
        self.places = places
        self._stable_s = stable_s
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
            check_options(options, data)
        if data is not None:
            _check_disk_is_persistent()
            install_missing(self._say)
            user = user or _existing_user(data) or sudo_user() or OWN_ACCOUNT
            ensure_account(user)
            data.mkdir(parents=True, exist_ok=True)
            self._give_ownership(data, user)
            if options is not None and self.places.options is not None:
                write_options(self.places.options, options)
        if CHECKOUT.parent == self.places.program / "versions":
            name = CHECKOUT.name
        else:
            self._say("Preparing the program; this takes some minutes on a Raspberry Pi...")
            with fetch(str(CHECKOUT)) as new:
                name = new.name
                self.releases.add(new.folder, name)
            self._source.write_text(f"{origin(CHECKOUT)}\n", encoding="utf-8")
        self._activate(name, self._make_copies)

    def update(self, source: str | None = None, version: str | None = None) -> None:
        """Gets the newest version from *source*, or from where it came, and plays on with it; all data stay.

        :raises ServiceError: when there is none, or it does not come up; then the version before plays on.
        """
        self._check_installed()
        source = source or self._source.read_text(encoding="utf-8").strip()
        with fetch(source, version) as new:
            if new.name == self.releases.current:
                self._say(f"{new.name} is what {source} holds, and what you have: nothing is to be done.")
                return
            self._say(f"{self.releases.current} -> {new.name}")
            self.releases.add(new.folder, new.name)
            self._activate(new.name, self._make_copies)

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
        self._activate(previous, self._restore)

    def uninstall(self, delete_data: bool) -> None:
        """Removes what :meth:`install` put there; games, calibration and settings only where *delete_data* says so.

        Where nothing is, that is said.
        """
        units, data = self.places.units, self.places.data
        kept = data is not None and data.exists()
        removed = "Removed" if self._is_installed() else "Nothing was installed here"
        if units is not None and (units / SERVICE).exists():
            systemctl("disable", "--now", *ENABLED_UNITS)
            for unit in UNITS:
                (units / unit).unlink(missing_ok=True)
            systemctl("daemon-reload")
        self.places.launcher.unlink(missing_ok=True)
        if self.places.program.exists():
            shutil.rmtree(self.places.program)
        if data is None or not kept:
            self._say(f"{removed}. What is kept for your account has been left alone.")
        elif delete_data:
            self._delete(data)
            self._say(f"{removed}. All games, calibration and settings have been deleted.")
        else:
            self._say(f"{removed}. Games, calibration and settings are still in {data}.")

    def _is_installed(self) -> bool:
        """Whether anything is there that :meth:`install` put there, be it only a part of it."""
        units = self.places.units
        places = [self.places.launcher, self.places.program]
        places += [] if units is None else [units / unit for unit in UNITS]
        return any(os.path.lexists(place) for place in places)

    def settle(self) -> None:
        """Puts launcher and units of the version whose code this is in their places, and starts it.

        :raises ServiceError: when it does not start, or does not live on.
        """
        self._write_launcher()
        units, data = self.places.units, self.places.data
        if units is None or data is None:
            self._say(f"Skipped: nothing is started at boot. Start it with: {self.places.launcher} play")
            return
        user = _user_of(data)
        if self.places.options is not None and self.places.legacy_options is not None:
            move_options(self.places.legacy_options, self.places.options, user)
        for name, text in render_units(self.places, user, device_groups()).items():
            (units / name).write_text(text, encoding="utf-8")
        systemctl("daemon-reload")
        systemctl("enable", "--quiet", "--now", *(unit for unit in ENABLED_UNITS if unit != SERVICE))
        systemctl("enable", "--quiet", SERVICE)
        restart(SERVICE, self._stable_s)
        self._say(f"It plays, now and after every boot: {status_of(SERVICE)}")

    def _activate(self, name: str, update_data: Callable[[Path], None]) -> None:
        """Makes *name* the current version, or leaves all as it was.

        *update_data* is done while nobody plays, where the version is another than before.

        :raises ServiceError: when it does not come up.
        """
        before, data = self.releases.current, self.places.data
        try:
            check_version(self.releases.folder(name), None if data is None else _user_of(data))
            if before in (None, name):
                self.releases.switch(name)
                self._deploy_version(name)
            else:
                self._swap(before, name, update_data)
        except RollbackFailedError:
            raise
        except ServiceError as error:
            plays_on = f". {before} plays on" if before not in (None, name) else ""
            raise ServiceError(f"{name}: {error}{plays_on}") from error
        finally:
            self.releases.prune()
        os.sync()  # what is said to be installed is so after a power cut, too
        self._say(f"Installed: {name}")

    def _swap(self, before: str, name: str, update_data: Callable[[Path], None]) -> None:
        """Stops the version *before* and lets *name* play, or *before* again.

        :raises ServiceError: when *before* plays on.
        :raises RollbackFailedError: when that does not come up, either.
        """
        earlier, data = self.releases.previous, self.places.data
        try:
            self._stop()
            if data is not None:
                update_data(data)
            self.releases.switch(name)
            self._deploy_version(name)
        except (ServiceError, OSError) as error:
            if self.releases.current == name:
                self.releases.revert(before, earlier)
                self._stop()
                if data is not None:
                    self._restore(data)
            try:
                self._deploy_version(before)
            except ServiceError as again:
                raise RollbackFailedError(
                    f"{name}: {error}; and {before} does not come up again: {again}"
                ) from again
            raise ServiceError(str(error)) from error

    def _stop(self) -> None:
        if self.places.units is not None:
            systemctl("stop", SERVICE)

    def _make_copies(self, data: Path) -> None:
        user = _user_of(data)
        self._give_ownership(data, user)
        run_as(user, make_copies, data)

    def _restore(self, data: Path) -> None:
        """Lets an earlier version find what it can read."""
        user = _user_of(data)
        self._give_ownership(data, user)
        for path in run_as(user, restore_copies, data):
            self._say(f"{path.name} can be read by the newer version only, and has been put aside.")

    def _give_ownership(self, data: Path, user: str) -> None:
        for path in give_ownership(data, user):
            self._say(
                f"{path} is not {user}'s and has another name elsewhere (a hard link): it has been left alone; "
                "put a copy in its place."
            )

    def _delete(self, data: Path) -> None:
        """Removes the data, the options, and the account that was made for them."""
        user = owner_of(data)
        for path in data.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        if not data.is_symlink() and not data.is_mount():  # else it is the administrator's, and so it stays
            data.rmdir()
        if self.places.options is not None:
            shutil.rmtree(self.places.options.parent, ignore_errors=True)
        if user is not None:
            remove_account(user)

    def _deploy_version(self, name: str) -> None:
        """Lets the code of version *name* settle: what it needs may be another than what this one needs."""
        folder = self.releases.folder(name)
        done = subprocess.run(
            [
                *(sys.executable, "-P", "-B", "-m", "companion.service", "settle"),
                *("--steady", str(self._stable_s)),
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
        keeps = "" if data is None else _launcher_environment(data, run)
        launcher.parent.mkdir(parents=True, exist_ok=True)
        launcher.write_text(LAUNCHER.format(data=keeps, run=run), encoding="utf-8")
        launcher.chmod(0o755)
        if str(launcher.parent) not in os.environ.get("PATH", "").split(":"):
            self._say(f"{launcher.parent} is not in your PATH: type {launcher}, or add it.")

    def _check_installed(self) -> None:
        if self.releases.current is None:
            raise ServiceError("no table companion is installed here; install it first, with ./run install")
        if self.places.data is not None:
            _check_disk_is_persistent()


def _existing_user(data: Path) -> str | None:
    """Who the companion plays as already; None where an installation that was broken off left the folder root's."""
    owner = owner_of(data)
    return None if owner == "root" else owner


def _user_of(data: Path) -> str:
    """The account that the companion plays as.

    :raises ServiceError: when it has been removed.
    """
    user = owner_of(data)
    if user is None:
        raise ServiceError(
            f"{data} belongs to nobody who has an account here: say who plays with "
            "'sudo table-companion install --user NAME'"
        )
    return user


def _launcher_environment(data: Path, run: str) -> str:
    """Lines of the launcher which lead to the *data*, as the account that they belong to."""
    keeps = f"export {DATA_VARIABLE}=${{{DATA_VARIABLE}:-{shlex.quote(str(data))}}}\n"
    user = _user_of(data)
    person = pwd.getpwnam(user)
    if not person.pw_uid:
        return keeps
    group = grp.getgrgid(person.pw_gid).gr_name
    groups = ",".join((group, *device_groups()))
    return keeps + AS_ACCOUNT.format(user=user, group=group, groups=groups, run=run)


def _check_disk_is_persistent() -> None:
    """:raises ServiceError: on a Raspberry Pi whose root is read-only, and would forget what is installed."""
    started_with = (ROOT / "proc/cmdline").read_text(encoding="utf-8")
    if any(word in started_with for word in VOLATILE_ROOT):
        raise ServiceError(
            "the disk is read-only, and what is installed now would be gone after a restart: switch that off "
            "with 'sudo raspi-config nonint disable_overlayfs', restart, and start again"
        )
