"""Installed versions, side by side, one of which is the current one.

program/versions/0.1.0-7ffd4659/    the program; its .venv is a link to
program/environments/3.13-5f0d1c2b/ the packages, shared by versions with the same requirements
program/current -> versions/...     switched atomically
program/previous -> versions/...    the previous version
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from compileall import compile_dir
from pathlib import Path

from .errors import ServiceError
from .sources import copy_version

REQUIREMENTS = ("pyproject.toml", "constraints.txt")
"""Files of a version that define which packages it needs."""
DIGITS = 8


class Releases:
    """Represents the versions in the folder *program*."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self._versions = program / "versions"
        self._environments = program / "environments"

    @property
    def current(self) -> str | None:
        """Returns the name of the version in use; `None` if there is none."""
        return self._target_of("current")

    @property
    def previous(self) -> str | None:
        """Returns the name of the previous version; `None` if there is none."""
        return self._target_of("previous")

    def folder(self, name: str) -> Path:
        """Returns the folder of a version."""
        return self._versions / name

    def add(self, folder: Path, name: str) -> None:
        """Copies *folder* as version *name* and installs its packages; the current version does not change.

        :raises ServiceError: if the packages cannot be installed; nothing has changed then.
        """
        environment = self._environment_for(folder)
        target, new = self.folder(name), self._versions / ".new"
        for leftover in (new, target) if name not in (self.current, self.previous) else (new,):
            shutil.rmtree(leftover, ignore_errors=True)
        if target.exists():
            return
        copy_version(folder, new)
        (new / ".venv").symlink_to(os.path.relpath(environment, target))
        # Compiled now, because the service may not write here.
        compile_dir(new, quiet=2, stripdir=new, prependdir=target)
        subprocess.run(
            [str(environment / "bin/python"), "-m", "web.templating"],
            check=False,  # if it fails, each start takes longer
            cwd=new,
            env={**os.environ, "PYTHONPATH": str(new), "PYTHONDONTWRITEBYTECODE": ""},
        )
        os.sync()  # a version must be complete on the disk before a link leads to it
        new.rename(target)

    def switch(self, name: str) -> None:
        """Makes *name* the current version, and the one before the previous."""
        if self.current not in (None, name):
            self._link("previous", self.current)
        self._link("current", name)

    def revert(self, current: str, previous: str | None) -> None:
        """Restores the links from before a :meth:`switch`."""
        self._link("current", current)
        self._link("previous", previous)

    def prune(self) -> None:
        """Removes all versions but the current and the previous one, and environments that neither uses."""
        retained = {self.folder(name) for name in (self.current, self.previous) if name}
        used = {(version / ".venv").resolve() for version in retained}
        for folder in (*self._versions.iterdir(), *self._environments.iterdir()):
            if folder not in retained and folder.resolve() not in used:
                shutil.rmtree(folder)

    def _environment_for(self, folder: Path) -> Path:
        """Returns the environment for the version in *folder*; creates it if necessary."""
        digest = hashlib.sha256(b"\0".join(_requirements(folder / name) for name in REQUIREMENTS)).hexdigest()
        python = "{}.{}".format(*sys.version_info[:2])
        environment = self._environments / f"{python}-{digest[:DIGITS]}"
        self._environments.mkdir(parents=True, exist_ok=True)
        self._versions.mkdir(exist_ok=True)
        done = subprocess.run(
            [str(folder / "run"), "prepare"],
            check=False,
            cwd=folder,
            env={**os.environ, "TABLE_COMPANION_VENV": str(environment)},
        )
        if done.returncode:
            raise ServiceError("the packages could not be installed (see above); nothing has been changed")
        return environment

    def _target_of(self, link: str) -> str | None:
        path = self.program / link
        return path.readlink().name if path.is_symlink() and path.exists() else None

    def _link(self, link: str, name: str | None) -> None:
        new = self.program / f".{link}"
        new.unlink(missing_ok=True)
        if name is None:
            (self.program / link).unlink(missing_ok=True)
            return
        new.symlink_to(Path("versions", name))
        new.replace(self.program / link)


def _requirements(path: Path) -> bytes:
    """Returns what *path* says without its own version, which asks for no other packages (as in ``run``)."""
    return b"".join(line for line in path.read_bytes().splitlines(True) if not line.startswith(b"version = "))
