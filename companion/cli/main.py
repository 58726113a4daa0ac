"""The command line. ``./run X`` is ``companion X`` in the project's own environment."""

from __future__ import annotations

import click

from .groups import CommandLine, Commands


@click.group(
    cls=CommandLine,
    other_commands=("install", "prepare", "test", "uninstall", "update"),
    names=(
        "bench",
        "demo",
        "doctor",
        "games",
        "panel",
        "play",
        "privacy",
        "replay",
        "rules",
        "screens",
        "simulate",
    ),
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="install, update and uninstall set up the companion as a service: see './run install --help'.",
)
def main() -> None:
    """A companion for playing The Castles of Burgundy on a real table."""


@main.group(cls=Commands, prefix="read_", names=("boards", "dice"))
def read() -> None:
    """Read dice or boards in pictures."""


@main.group(
    cls=Commands,
    prefix="calibrate_",
    names=("camera", "card", "chateauma", "dice", "duchy", "light", "sheet", "table", "tiles"),
)
def calibrate() -> None:
    """Set up your table, camera and tiles before you play."""
