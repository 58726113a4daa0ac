"""How a command reports an error: ``companion: SENTENCE`` on stderr, in one form for all commands."""

from __future__ import annotations

import errno
import sys
from typing import NoReturn

import click

from calibration.errors import CompanionError
from companion.service.file_errors import describe

from .terminal import shortened, shown

PREFIX = "companion: "
"""Begins every error message; ``./run`` and the installer begin theirs with the same word."""
_DISK_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)
"""Errors of writing to a file that is open already: the system does not name the file then."""


class OptionError(CompanionError, ValueError):
    """An option that cannot be used, or not with the others; the message names it and the cure."""


def is_user_error(error: OSError) -> bool:
    """Returns whether the user can fix *error*: it names a file, or the disk could not be written."""
    return error.filename is not None or error.errno in _DISK_ERRORS


def warn(sentence: object) -> None:
    """Prints one *sentence* about a problem on stderr; the command continues."""
    if isinstance(sentence, OSError):
        sentence = describe(sentence)
    click.echo(f"{PREFIX}{shown(shortened(str(sentence)))}", err=True)


def fail(sentence: object) -> NoReturn:
    """Prints one *sentence* on stderr and exits with code 1."""
    warn(sentence)
    sys.exit(1)
