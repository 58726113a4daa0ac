"""Whose the data are: the account that the service plays as."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from pathlib import Path

from .errors import ServiceError
from .places import NAME

OWN_ACCOUNT = NAME
"""Where root itself installs, and no person is there to own the data."""
DATA_MODE = 0o750


def make_account(name: str) -> None:
    """Sees to it that there is an account *name*; the companion's own is made.

    :raises ServiceError: when there is none of a person.
    """
    try:
        pwd.getpwnam(name)
    except KeyError:
        if name != OWN_ACCOUNT:
            raise ServiceError(f"there is no account {name!r}: name one that there is with --user") from None
        made = subprocess.run(
            [
                "useradd",
                "--system",
                "--no-create-home",
                "--home-dir=/nonexistent",
                "--shell=/usr/sbin/nologin",
                name,
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode:
            raise ServiceError(f"the account {name} could not be made: {made.stderr.strip()}") from None


def who_asks() -> str | None:
    """The person who typed ``sudo``; None where root is there in person."""
    name = os.environ.get("SUDO_USER")
    return None if name == "root" else name


def give(folder: Path, user: str) -> None:
    """Gives the data folder with all that is in it to *user*."""
    folder.chmod(DATA_MODE)
    group = pwd.getpwnam(user).pw_gid
    for path in (folder, *folder.rglob("*")):
        shutil.chown(path, user, group)


def owner_of(folder: Path) -> str | None:
    """Whose data are in *folder*; None when there is no such folder."""
    return folder.owner() if folder.is_dir() else None


def other_owner(path: Path) -> str | None:
    """The account that *path*, or the nearest folder above it that can be looked at, belongs to; None where that is
    the one that asks, or has no name."""
    for place in (path, *path.absolute().parents):
        try:
            uid = place.stat().st_uid
            return None if uid == os.geteuid() else pwd.getpwuid(uid).pw_name
        except KeyError:
            return None
        except OSError:
            continue
    return None


def remove_account(name: str) -> None:
    """Removes the account that :func:`make_account` made; one of a person is left alone."""
    if name == OWN_ACCOUNT:
        subprocess.run(["userdel", name], capture_output=True, check=False)
