"""Installs, updates and removes versions: each is checked, made current, and rolled back if it does not stay up."""

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
from .file_errors import describe
from .health_check import check_version
from .options import (
    check_options,
    check_understood,
    move_options,
    read_options,
    restore_options,
    write_options,
)
from .packages import install_missing
from .paths import DATA_VARIABLE, ROOT, InstallPaths
from .pre_update_backup import make_copies, restore_copies
from .releases import Releases
from .sources import fetch, origin
from .systemd import STABLE_S, restart, status_of, systemctl
from .units import ENABLED_UNITS, SERVICE, UNITS, device_groups, render_units

CHECKOUT = Path(__file__).resolve().parents[2]
"""The version that this code belongs to."""
VOLATILE_ROOT = ("overlayroot=", "boot=overlay")
"""Kernel parameters of systems that lose everything written to the disk at a restart."""
LAUNCHER = """#!/bin/sh
# Written by the installer of the table companion.
{data}exec {run} "$@"
"""
AS_ACCOUNT = """# The account owns the data, and everything is done as that account: root must not follow its links.
case "$(id -u):${{1-}}" in
0:install | 0:update | 0:uninstall) ;;
0:*) exec setpriv --reuid={user} --regid={group} --groups={groups} -- {run} "$@" ;;
esac
"""
"""What the launcher does if the service runs as *user*."""


class Installation:
    """Represents the companion as it is, or will be, installed at *paths*; *report* prints lines for the user.

    A service counts as started when it has run for *stable_s* seconds after it reported to be ready.
    """

    def __init__(
        self, paths: InstallPaths, report: Callable[[str], None], stable_s: float = STABLE_S
    ) -> None:
        self.paths = paths
        self._stable_s = stable_s
        self.releases = Releases(paths.program)
        self._report = report
        self._source = paths.program / "source"

    def install(self, user: str | None = None, options: Sequence[str] | None = None) -> None:
        """Installs the version that this code belongs to, or repairs its installation.

        *options* are those of ``play`` for the service; `None` leaves them unchanged. *user* is the account that it
        runs as; `None` leaves it unchanged, and means the user who ran ``sudo`` in the first installation.

        :raises ServiceError: if it does not start, or something is missing that the user must provide.
        """
        data = self.paths.data
        if options is not None:
            check_options(options, data)
        if data is not None:
            _check_disk_is_persistent()
            install_missing(self._report)
            user = user or _existing_user(data) or sudo_user() or OWN_ACCOUNT
            ensure_account(user)
            data.mkdir(parents=True, exist_ok=True)
            self._give_ownership(data, user)
        if CHECKOUT.parent == self.paths.program / "versions":
            name = CHECKOUT.name
        else:
            self._report("Preparing the program; this takes some minutes on a Raspberry Pi...")
            with fetch(str(CHECKOUT)) as new:
                name = new.name
                self.releases.add(new.folder, name)
            self._source.write_text(f"{origin(CHECKOUT)}\n", encoding="utf-8")
        if options is None or self.paths.options is None:
            self._activate(name, self._make_copies)
        else:
            check_understood(self.releases.folder(name), options)
            self._activate_with(options, self.paths.options, name)

    def update(self, source: str | None = None, version: str | None = None) -> None:
        """Installs the newest version from *source*, or from its origin; all data are preserved.

        :raises ServiceError: if there is none, or it does not start; the previous version is then restored.
        """
        self._check_installed()
        source = source or self._source.read_text(encoding="utf-8").strip()
        with fetch(source, version) as new:
            if new.name == self.releases.current:
                self._report(f"{source} contains {new.name}, which is installed already: nothing to do.")
                return
            self._report(f"{self.releases.current} -> {new.name}")
            self.releases.add(new.folder, new.name)
            self._activate(new.name, self._make_copies)

    def go_back(self) -> None:
        """Goes back to the previous version.

        :raises ServiceError: if it is not there any more, or does not start.
        """
        self._check_installed()
        previous = self.releases.previous
        if previous is None:
            raise ServiceError(
                f"there is no version before {self.releases.current}: there is nothing to go back to"
            )
        self._report(f"{self.releases.current} -> {previous}")
        self._activate(previous, self._restore)

    def uninstall(self, delete_data: bool) -> None:
        """Removes what :meth:`install` installed; games, calibration and settings only if *delete_data*.

        If nothing is installed, says so.
        """
        units, data = self.paths.units, self.paths.data
        data_remain = data is not None and data.exists()
        removed = "Removed" if self._is_installed() else "Nothing was installed here"
        if units is not None and (units / SERVICE).exists():
            systemctl("disable", "--now", *ENABLED_UNITS)
            for unit in UNITS:
                (units / unit).unlink(missing_ok=True)
            systemctl("daemon-reload")
        self.paths.launcher.unlink(missing_ok=True)
        if self.paths.program.exists():
            shutil.rmtree(self.paths.program)
        if data is None or not data_remain:
            self._report(f"{removed}. The data of your account were left untouched.")
        elif delete_data:
            self._delete(data)
            self._report(f"{removed}. All games, calibration and settings have been deleted.")
        else:
            self._report(f"{removed}. Games, calibration and settings are still in {data}.")

    def _is_installed(self) -> bool:
        """Returns whether anything, or a part of it, is there that :meth:`install` installs."""
        units = self.paths.units
        installed = [self.paths.launcher, self.paths.program]
        installed += [] if units is None else [units / unit for unit in UNITS]
        return any(os.path.lexists(path) for path in installed)

    def deploy(self) -> None:
        """Writes the launcher and the units of the version that this code belongs to, and starts it.

        :raises ServiceError: if it does not start, or does not stay up.
        """
        self._write_launcher()
        units, data = self.paths.units, self.paths.data
        if units is None or data is None:
            self._report(f"Skipped: nothing is started at boot. Start it with: {self.paths.launcher} play")
            return
        user = _user_of(data)
        if self.paths.options is not None and self.paths.legacy_options is not None:
            move_options(self.paths.legacy_options, self.paths.options, user)
        for name, text in render_units(self.paths, user, device_groups()).items():
            (units / name).write_text(text, encoding="utf-8")
        systemctl("daemon-reload")
        systemctl("enable", "--quiet", "--now", *(unit for unit in ENABLED_UNITS if unit != SERVICE))
        systemctl("enable", "--quiet", SERVICE)
        restart(SERVICE, self._stable_s)
        self._report(f"It is running, and will start at every boot: {status_of(SERVICE)}")

    def _activate(self, name: str, update_data: Callable[[Path], None]) -> None:
        """Makes *name* the current version, or leaves everything as it was.

        *update_data* is called while the service is stopped, if the version differs from the one before.

        :raises ServiceError: if it does not start.
        """
        before, data = self.releases.current, self.paths.data
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
            plays_on = f". {before} is still running" if before not in (None, name) else ""
            raise ServiceError(f"{name}: {error}{plays_on}") from error
        finally:
            self.releases.prune()
        os.sync()  # what is reported to be installed must survive a power cut
        self._report(f"Installed: {name}")

    def _activate_with(self, options: Sequence[str], path: Path, name: str) -> None:
        """Makes *name* the current version with these *options* of the service, which are in the file *path*.

        :raises ServiceError: if it does not start; the file is as before then, and so is what runs.
        """
        before, earlier = self.releases.current, read_options(path)
        write_options(path, options)
        try:
            self._activate(name, self._make_copies)
        except ServiceError as error:
            restore_options(path, earlier)
            if before is None:
                raise
            self._deploy_version(before)
            raise ServiceError(f"{error}; it runs with its earlier options again") from error

    def _swap(self, before: str, name: str, update_data: Callable[[Path], None]) -> None:
        """Stops the version *before* and starts *name*; if that fails, starts *before* again.

        :raises ServiceError: if *before* was started again.
        :raises RollbackFailedError: if that does not start either.
        """
        earlier, data = self.releases.previous, self.paths.data
        try:
            self._stop()
            if data is not None:
                update_data(data)
            self.releases.switch(name)
            self._deploy_version(name)
        except (ServiceError, OSError, KeyboardInterrupt) as error:
            why = _reason(error)
            if self.releases.current == name:
                self.releases.revert(before, earlier)
                self._stop()
                if data is not None:
                    self._restore(data)
            try:
                self._deploy_version(before)
            except ServiceError as again:
                raise RollbackFailedError(
                    f"{name}: {why}; and {before} does not start again: {again}"
                ) from again
            raise ServiceError(why) from error

    def _stop(self) -> None:
        if self.paths.units is not None:
            systemctl("stop", SERVICE)

    def _make_copies(self, data: Path) -> None:
        user = _user_of(data)
        self._give_ownership(data, user)
        run_as(user, make_copies, data)

    def _restore(self, data: Path) -> None:
        """Restores files that an earlier version can read."""
        user = _user_of(data)
        self._give_ownership(data, user)
        for path in run_as(user, restore_copies, data):
            self._report(f"{path.name} can be read by the newer version only, and has been renamed.")

    def _give_ownership(self, data: Path, user: str) -> None:
        for path in give_ownership(data, user):
            self._report(
                f"{path} does not belong to {user} and has another name elsewhere (a hard link): it was not touched; "
                "replace it by a copy."
            )

    def _delete(self, data: Path) -> None:
        """Removes the data, the options, and the account that was created for them."""
        user = owner_of(data)
        for path in data.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        if not data.is_symlink() and not data.is_mount():  # else an administrator put it there, and it stays
            data.rmdir()
        if self.paths.options is not None:
            shutil.rmtree(self.paths.options.parent, ignore_errors=True)
        if user is not None:
            remove_account(user)

    def _deploy_version(self, name: str) -> None:
        """Runs :meth:`deploy` in the code of version *name*, whose units may differ from those of this version."""
        folder = self.releases.folder(name)
        done = subprocess.run(
            [
                *(sys.executable, "-P", "-B", "-m", "companion.service", "settle"),
                *("--steady", str(self._stable_s)),
                *(["--own"] if self.paths.data is None else []),
            ],
            env={**os.environ, "PYTHONPATH": str(folder)},
            cwd=folder,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode:
            lines = done.stderr.strip().splitlines()
            raise ServiceError(lines[-1].partition(": ")[2] if lines else "it gave no reason")

    def _write_launcher(self) -> None:
        launcher, data = self.paths.launcher, self.paths.data
        run = shlex.quote(str(self.paths.program / "current" / "run"))
        environment = "" if data is None else _launcher_environment(data, run)
        launcher.parent.mkdir(parents=True, exist_ok=True)
        launcher.write_text(LAUNCHER.format(data=environment, run=run), encoding="utf-8")
        launcher.chmod(0o755)
        if str(launcher.parent) not in os.environ.get("PATH", "").split(":"):
            self._report(f"{launcher.parent} is not in your PATH: type {launcher}, or add the folder.")

    def _check_installed(self) -> None:
        if self.releases.current is None:
            raise ServiceError("no table companion is installed here; install it first, with ./run install")
        if self.paths.data is not None:
            _check_disk_is_persistent()


def _reason(error: BaseException) -> str:
    """Returns why a step failed: the *error*, or that somebody pressed Ctrl-C."""
    if isinstance(error, OSError):
        return describe(error)
    return str(error) or "stopped"


def _existing_user(data: Path) -> str | None:
    """Returns the account that owns the data; `None` if an interrupted installation left the folder to root."""
    owner = owner_of(data)
    return None if owner == "root" else owner


def _user_of(data: Path) -> str:
    """Returns the account that the service runs as.

    :raises ServiceError: if it has been removed.
    """
    user = owner_of(data)
    if user is None:
        raise ServiceError(
            f"the owner of {data} no longer has an account here: name an account with "
            "'sudo table-companion install --user NAME'"
        )
    return user


def _launcher_environment(data: Path, run: str) -> str:
    """Returns the lines of the launcher that name the *data* and switch to the account that owns them."""
    lines = f"export {DATA_VARIABLE}=${{{DATA_VARIABLE}:-{shlex.quote(str(data))}}}\n"
    user = _user_of(data)
    person = pwd.getpwnam(user)
    if not person.pw_uid:
        return lines
    group = grp.getgrgid(person.pw_gid).gr_name
    groups = ",".join((group, *device_groups()))
    return lines + AS_ACCOUNT.format(user=user, group=group, groups=groups, run=run)


def _check_disk_is_persistent() -> None:
    """:raises ServiceError: on a Raspberry Pi whose root is read-only and would lose the installation at a restart."""
    parameters = (ROOT / "proc/cmdline").read_text(encoding="utf-8")
    if any(word in parameters for word in VOLATILE_ROOT):
        raise ServiceError(
            "the disk is read-only, and an installation would be gone after a restart: switch that off "
            "with 'sudo raspi-config nonint disable_overlayfs', restart, and start again"
        )
