"""Options that several commands share."""

from __future__ import annotations

from typing import Any

import click

from ..games.burgundy.table_rules import OPTIONS
from ..words import DEFAULT_LANGUAGE, LANGUAGES

language_option = click.option(
    "--language", type=click.Choice(LANGUAGES), default=DEFAULT_LANGUAGE, show_default=True
)

voice_option = click.option(
    "--voice/--no-voice",
    default=False,
    show_default=True,
    help="Say on this machine what happens, with espeak-ng.",
)


def _agreed(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Table rules given as NAME=VALUE."""
    rules = dict(value.partition("=")[::2] for value in values)
    for name, value in rules.items():
        if name not in OPTIONS:
            raise click.BadParameter(f"there is no table rule {name!r}; 'companion rules' lists them")
        if value not in OPTIONS[name]:
            raise click.BadParameter(f"{name} can be {' or '.join(OPTIONS[name])}, not {value!r}")
    return rules


table_rules_option: Any = click.option(
    "--rule",
    "table_rules",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_agreed,
    help="Play a table rule another way than usual; 'companion rules' lists them.",
)
