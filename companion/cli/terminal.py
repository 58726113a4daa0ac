"""What a game prints where it was started."""

from __future__ import annotations

from contextlib import suppress

import click


def print_line(line: str, *, err: bool = False) -> None:
    """Prints a *line* that no game depends on: its file may be on a full disk, or its reader gone."""
    with suppress(OSError):
        click.echo(line, err=err)
