"""The account that the service runs as, and that owns its data.

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
"""The account that is created if root itself installs the companion and no user is known to own the data."""
DATA_MODE = 0o750
PRIVATE = 0o027
"""Umask for files created as the account; the service's unit file sets the same."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


def ensure_account(name: str) -> None:
    """Ensures that the account *name* exists; creates it if it is the companion's own.

    :raises ServiceError: if another account does not exist, or it cannot be created.
    """
    try:
        pwd.getpwnam(name)
    except KeyError:
        if name != OWN_ACCOUNT:
            raise ServiceError(f"there is no account {name!r}: name an existing one with --user") from None
        created = subprocess.run(
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
        if created.returncode:
            raise ServiceError(f"the account {name} could not be created: {created.stderr.strip()}") from None


def sudo_user() -> str | None:
    """Returns the user who ran ``sudo``; `None` if root is logged in directly."""
    name = os.environ.get("SUDO_USER")
    return None if name == "root" else name


def run_as(user: str, work: Callable[_P, _T], *arguments: _P.args, **options: _P.kwargs) -> _T:
    """Runs *work* with the rights of *user* and returns its result; runs it directly if this process is not root.

    *work*, its arguments, its result and its exceptions must be picklable.

    :raises ServiceError: if the process that does it was killed.
    """
    person = pwd.getpwnam(user)
    if os.geteuid() or not person.pw_uid:
        return work(*arguments, **options)
    try:
        # NOTE: forked, because the account may not be allowed to read the code.
        with ProcessPoolExecutor(
            1, get_context("fork"), _drop_privileges, (person.pw_uid, person.pw_gid)
        ) as account:
            return account.submit(work, *arguments, **options).result()
    except BrokenProcessPool as error:
        raise ServiceError(f"the work that ran as {user} was killed: start again") from error


def _drop_privileges(uid: int, gid: int) -> None:
    os.setgroups([])
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    os.umask(PRIVATE)


def give_ownership(folder: Path, user: str) -> list[Path]:
    """Makes *user* the owner of the data folder and its contents; returns the files that were skipped.

    Symbolic links and files with more than one hard link are skipped: they may lead to files of others.
    """
    person = pwd.getpwnam(user)
    folder = folder.resolve()  # an administrator may have moved it; the link that leads there is root's
    folder.chmod(DATA_MODE)
    os.chown(folder, person.pw_uid, person.pw_gid)
    return sorted(_chown_all(folder, person.pw_uid, person.pw_gid))


def _chown_all(folder: Path, uid: int, gid: int) -> Iterator[Path]:
    for inside, folders, files, descriptor in os.fwalk(folder):
        for name in (*folders, *files):
            try:
                if not _chown(name, descriptor, uid, gid):
                    yield Path(inside, name)
            except FileNotFoundError:
                continue  # deleted in the meantime


def _chown(name: str, folder: int, uid: int, gid: int) -> bool:
    """Changes the owner of *name* in the open *folder*; returns False if it has another hard link."""
    # By descriptor: between check and chown, the name may be given to another file.
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
    """Returns the owner of *folder*; `None` if there is no such folder, or its owner has no account any more."""
    try:
        return folder.owner() if folder.is_dir() else None
    except KeyError:
        return None


def other_owner(path: Path) -> str | None:
    """Returns the owner of *path*, or of the nearest accessible folder above it; `None` if that is the current user or
    has no name."""
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
    """Removes the account that :func:`ensure_account` created; never one of a person."""
    if name == OWN_ACCOUNT:
        subprocess.run(["userdel", name], capture_output=True, check=False)
