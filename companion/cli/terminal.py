"""What is printed in a terminal."""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress

import click

_SHAPELESS = ("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp")
"""Unicode categories of characters without a shape, but for spaces."""
_LONG = re.compile(r"(?<=')[^']{80,}(?=')|[^\s']{240,}")
"""What was typed is quoted, or is one word; the name of a file with its folders is rarely as long as that."""
_END_CHARACTERS = 30
"""Number of characters that are kept of it, at the beginning and at the end."""


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


def shortened(sentence: str) -> str:
    """Returns *sentence* with only the ends of what is quoted in it, where that is long: it may be a whole file."""
    return _LONG.sub(lambda long: f"{long[0][:_END_CHARACTERS]}…{long[0][-_END_CHARACTERS:]}", sentence)


def print_line(line: str, *, err: bool = False) -> None:
    """Prints a *line* that no game depends on: its file may be on a full disk, or its reader gone."""
    with suppress(OSError):
        click.echo(line, err=err)
