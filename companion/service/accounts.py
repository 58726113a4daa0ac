"""Whose the data are: the account that the service plays as.

Root must not trust what lies in that account's folder: a link there may lead anywhere. Root itself therefore only gives
the folder to the account (:func:`give_ownership`), and does everything else as the account (:func:`run_as`).
"""

from __future__ import annotations

import os
import pwd
import stat
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import ParamSpec, TypeVar

from .errors import ServiceError
from .paths import NAME

OWN_ACCOUNT = NAME
"""Where root itself installs, and no person is there to own the data."""
DATA_MODE = 0o750
PRIVATE = 0o027
"""The umask with which the account's files are made: as the service makes them."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


def ensure_account(name: str) -> None:
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


def sudo_user() -> str | None:
    """The person who typed ``sudo``; None where root is there in person."""
    name = os.environ.get("SUDO_USER")
    return None if name == "root" else name


def run_as(user: str, work: Callable[_P, _T], *arguments: _P.args, **options: _P.kwargs) -> _T:
    """Does *work* with no more rights than *user* has, and returns what it returns; whoever is not root just does it.

    *work*, its arguments and what it returns or raises must be picklable.

    :raises ServiceError: when *user* ended it.
    """
    person = pwd.getpwnam(user)
    if os.geteuid() or not person.pw_uid:
        return work(*arguments, **options)
    try:
        # NOTE: a fork, for the account may not be able to read the code.
        with ProcessPoolExecutor(
            1, get_context("fork"), _drop_privileges, (person.pw_uid, person.pw_gid)
        ) as account:
            return account.submit(work, *arguments, **options).result()
    except BrokenProcessPool as error:
        raise ServiceError(f"what was to be done as {user} was ended: start again") from error


def _drop_privileges(uid: int, gid: int) -> None:
    os.setgroups([])
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    os.umask(PRIVATE)


def give_ownership(folder: Path, user: str) -> list[Path]:
    """Gives the data folder with all that is in it to *user*, and returns what it could not be given.

    Links are left alone, and files that have another name elsewhere: whatever they lead to may be somebody else's.
    """
    person = pwd.getpwnam(user)
    folder = folder.resolve()  # an administrator may have put it elsewhere: what leads there is root's
    folder.chmod(DATA_MODE)
    os.chown(folder, person.pw_uid, person.pw_gid)
    return sorted(_not_given(folder, person.pw_uid, person.pw_gid))


def _not_given(folder: Path, uid: int, gid: int) -> Iterator[Path]:
    for inside, folders, files, descriptor in os.fwalk(folder):
        for name in (*folders, *files):
            try:
                if not _chown(name, descriptor, uid, gid):
                    yield Path(inside, name)
            except FileNotFoundError:
                continue  # gone meanwhile


def _chown(name: str, folder: int, uid: int, gid: int) -> bool:
    """Gives what is called *name* in the open *folder*; False for what has another name elsewhere."""
    # The very file that has been looked at: between look and deed its name may be given to another one.
    entry = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        status = os.fstat(entry)
        if stat.S_ISLNK(status.st_mode) or (status.st_uid, status.st_gid) == (uid, gid):
            return True
        if not stat.S_ISDIR(status.st_mode) and status.st_nlink > 1:
            return False
        os.chown(f"/proc/self/fd/{entry}", uid, gid)
        return True
    finally:
        os.close(entry)


def owner_of(folder: Path) -> str | None:
    """Whose data are in *folder*; None when there is no such folder, or its owner has no account any more."""
    try:
        return folder.owner() if folder.is_dir() else None
    except KeyError:
        return None


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
    """Removes the account that :func:`ensure_account` made; one of a person is left alone."""
    if name == OWN_ACCOUNT:
        subprocess.run(["userdel", name], capture_output=True, check=False)
