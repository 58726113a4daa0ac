"""How a command ends when something is wrong."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

import click


def fail(sentence: object) -> NoReturn:
    """Says one *sentence* on stderr and ends with exit code 1."""
    if isinstance(sentence, PermissionError):
        sentence = _denied(sentence)
    click.echo(f"companion: {sentence}", err=True)
    sys.exit(1)


def _denied(error: PermissionError) -> object:
    """What to do about *error*: beside a service, the data are those of the account that it plays as."""
    from ..service.accounts import other_owner

    owner = None if error.filename is None else other_owner(Path(error.filename))
    if owner is None:
        return error
    return (
        f"{error.filename} belongs to {owner}: log in as {owner}, or put 'sudo -u {owner}' before the command"
    )
