"""One sentence about a file or disk that cannot be used, with the cure: for the installer and all other commands."""

from __future__ import annotations

import errno
from pathlib import Path

from .accounts import other_owner

_MESSAGES = {
    errno.ENOENT: "there is no such file or folder; check the name",
    errno.ENOTDIR: "there is a file where a folder is needed; choose another place, or move that file",
    errno.EEXIST: "it exists already; choose another name, or move it",
    errno.EISDIR: "this is a folder; name a file",
    errno.EACCES: "you do not have permission; change the permissions, or choose another place",
    errno.EPERM: "you do not have permission; change the permissions, or choose another place",
    errno.EROFS: "that disk is read-only; choose another place",
    errno.ENOSPC: "that disk is full; free some space and try again",
    errno.EDQUOT: "your quota on that disk is used up; free some space and try again",
    errno.ENAMETOOLONG: "that name is too long; choose a shorter one",
    errno.EIO: "the disk does not work properly; copy its contents and replace it",
}


def describe(error: OSError) -> str:
    """Returns one sentence about *error*: the file, what happened, and what to do."""
    if error.errno is None:  # one of our own, whose message is a sentence already
        return str(error)
    if error.filename is None:
        return _MESSAGES.get(error.errno, error.strerror or str(error))
    name = str(error.filename2 or error.filename)
    return (isinstance(error, PermissionError) and other_owner_sentence(Path(name))) or (
        f"{name}: {_MESSAGES.get(error.errno, error.strerror)}"
    )


def other_owner_sentence(path: Path) -> str | None:
    """Returns what to do about a file of another account, such as the service's; `None` if it is not one."""
    owner = other_owner(path)
    if owner is None:
        return None
    return f"{path} belongs to {owner}: log in as {owner}, or put 'sudo -u {owner}' before the command"
