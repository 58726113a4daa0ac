"""The command line. ``./run X`` is ``companion X`` in the project's own environment."""

from __future__ import annotations

import click

from companion.service.version import NAME, version

from .groups import CommandLine, Commands, found, named


def _print_version(ctx: click.Context, parameter: click.Parameter, is_asked: bool) -> None:
    if is_asked and not ctx.resilient_parsing:
        click.echo(f"{NAME} {version()}")
        ctx.exit()


@click.group(
    cls=CommandLine,
    other_commands=("check", "install", "prepare", "test", "uninstall", "update"),
    modules=named("demo", "doctor", "panel", "play", "privacy", "replay", "rules", "screens", "simulate"),
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="install, update and uninstall set up the companion as a service: see './run install --help'.",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Print the version and exit.",
)
def main() -> None:
    """A companion for playing board games on a real table."""


@main.group(cls=Commands, modules=found("bench"))
def bench() -> None:
    """Run benchmarks, each compared with a reference."""


@main.group(cls=Commands, modules=found("games"))
def games() -> None:
    """List, export, import and delete the games that were played."""


@main.group(cls=Commands, modules=found("read"))
def read() -> None:
    """Read dice or boards in pictures."""


@main.group(cls=Commands, modules=found("calibrate"))
def calibrate() -> None:
    """Set up your table, camera and tiles before you play."""
