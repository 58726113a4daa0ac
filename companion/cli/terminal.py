"""What is printed in a terminal."""

from __future__ import annotations

import unicodedata
from contextlib import suppress

import click

_SHAPELESS = ("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp")
"""Unicode categories of characters without a shape, but for spaces."""


def shown(text: str) -> str:
    """Returns one line of *text* with escapes in place of characters without a shape.

    The name of a file may hold any, and those would command the terminal, or turn the direction of what follows.
    """
    return "".join(
        character.encode("unicode_escape").decode()
        if unicodedata.category(character) in _SHAPELESS
        else character
        for character in text
    )


def print_line(line: str, *, err: bool = False) -> None:
    """Prints a *line* that no game depends on: its file may be on a full disk, or its reader gone."""
    with suppress(OSError):
        click.echo(line, err=err)
