"""How a command ends when something is wrong: ``companion: SENTENCE`` on stderr, as everything says it here."""

from __future__ import annotations

import errno
import sys
from pathlib import Path
from typing import NoReturn

import click

from calibration.errors import CompanionError

PREFIX = "companion: "
"""Begins every line that says what is wrong; ``./run`` and the installation begin theirs alike."""
_SAID = {
    errno.ENOENT: "there is no such file or folder; check the name",
    errno.ENOTDIR: "a file lies where a folder is needed; name another place, or move that file",
    errno.EEXIST: "something lies there already; name another place, or move it",
    errno.EISDIR: "this is a folder; name a file",
    errno.EACCES: "you have no right to do that there; change the rights, or name another place",
    errno.EPERM: "you have no right to do that there; change the rights, or name another place",
    errno.EROFS: "that disk can only be read; name another place",
    errno.ENOSPC: "that disk is full; make room and try again",
    errno.EDQUOT: "you may not keep more on that disk; make room and try again",
    errno.ENAMETOOLONG: "that name is too long; choose a shorter one",
    errno.EIO: "the disk does not answer as it should; copy what is on it, and replace it",
}


_OF_THE_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)
"""What a disk answers when an open file is written: the system names no file then."""


class OptionError(CompanionError, ValueError):
    """An option that cannot be used, or not with the others; the message names it and the cure."""


def is_about_files(error: OSError) -> bool:
    """Whether people can do something about *error*: it names a file, or the disk refused to be written."""
    return error.filename is not None or error.errno in _OF_THE_DISK


def warn(sentence: object) -> None:
    """Says one *sentence* about what is wrong on stderr; the command goes on."""
    if isinstance(sentence, OSError):
        sentence = told(sentence)
    click.echo(f"{PREFIX}{sentence}", err=True)


def fail(sentence: object) -> NoReturn:
    """Says one *sentence* on stderr and ends with exit code 1."""
    warn(sentence)
    sys.exit(1)


def told(error: OSError) -> str:
    """One sentence about *error*: the file's name and the cure, where the system says only what happened."""
    if error.errno is None:  # one of the companion's own, which is a sentence
        return str(error)
    if error.filename is None:
        return _SAID.get(error.errno, error.strerror or str(error))
    name = str(error.filename2 or error.filename)
    return (isinstance(error, PermissionError) and _denied(name)) or (
        f"{name}: {_SAID.get(error.errno, error.strerror)}"
    )


def _denied(name: str) -> str | None:
    """What to do about a file of another account: beside a service, the data are those of the one it plays as."""
    from companion.service.accounts import other_owner

    owner = other_owner(Path(name))
    if owner is None:
        return None
    return f"{name} belongs to {owner}: log in as {owner}, or put 'sudo -u {owner}' before the command"
