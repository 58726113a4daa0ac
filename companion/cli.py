"""The command line. ``./run X`` is ``companion X`` in the project's own environment."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click


class Commands(click.Group):
    """A group whose commands are loaded when they are wanted: a game begins sooner without all the others.

    The command ``X`` is called ``PREFIX_X`` in a module of the same name in :mod:`companion.commands`.
    """

    def __init__(self, *args: Any, names: Sequence[str], prefix: str = "", **more: Any) -> None:
        super().__init__(*args, **more)
        self._names, self._prefix = names, prefix

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted((*self._names, *super().list_commands(ctx)))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._names:
            return super().get_command(ctx, cmd_name)
        name = f"{self._prefix}{cmd_name}"
        command = getattr(import_module(f"companion.commands.{name}"), name)
        assert isinstance(command, click.Command)
        return command


@click.group(
    cls=Commands,
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
    epilog="install, update and uninstall make it a part of this machine: see './run install --help'.",
)
def main() -> None:
    """A companion for The Castles of Burgundy on a real table."""


@main.group(cls=Commands, prefix="read_", names=("boards", "dice"))
def read() -> None:
    """Say what is seen in pictures."""


@main.group(
    cls=Commands,
    prefix="calibrate_",
    names=("camera", "card", "chateauma", "dice", "duchy", "light", "sheet", "table", "tiles"),
)
def calibrate() -> None:
    """Measure this table, once, before play."""
