"""How a command ends when something is wrong."""

from __future__ import annotations

import sys
from typing import NoReturn

import click


def fail(sentence: object) -> NoReturn:
    """Says one *sentence* on stderr and ends with exit code 1."""
    click.echo(f"companion: {sentence}", err=True)
    sys.exit(1)
