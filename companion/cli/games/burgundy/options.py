"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import click

from companion.cli.options import is_given
from companion.cli.suggestions import cure
from companion.games.burgundy.modules.chateauma import LEVELS, MODIFIERS, PIECES
from companion.games.burgundy.plugin import BURGUNDY_EDITIONS, burgundy


def edition_option(help_text: str | None = None) -> click.Option:
    """Returns the option ``--edition``, which *help_text* describes."""
    editions = click.Choice(BURGUNDY_EDITIONS)
    return click.Option(["--edition"], type=editions, default="special", show_default=True, help=help_text)


def table_rules_option() -> click.Option:
    """Returns the option ``--rule NAME=VALUE``."""
    return click.Option(
        ["--rule", "table_rules"],
        multiple=True,
        metavar="NAME=VALUE",
        callback=_parse_table_rules,
        help="Change a table rule from its default; './run rules' lists them. Can be repeated.",
    )


def level_option(name: str, help_text: str) -> click.Option:
    """Returns the option ``--chateauma LEVEL`` for the parameter *name*, which *help_text* describes."""
    return click.Option(["--chateauma", name], type=click.Choice(LEVELS), help=help_text)


def modifiers_option(default: str, help_text: str) -> click.Option:
    """Returns the option ``--modifiers AD``, which *help_text* describes."""
    return click.Option(
        ["--modifiers"], default=default, metavar="LETTERS", callback=_parse_modifiers, help=help_text
    )


def pieces_option(default: str, help_text: str) -> click.Option:
    """Returns the option ``--pieces``, which *help_text* describes."""
    return click.Option(
        ["--pieces"], type=click.Choice(PIECES), default=default, show_default=True, help=help_text
    )


def check_level_given(options: Mapping[str, str]) -> None:
    """Rejects the *options* (parameter -> option) if given, as ``--chateauma`` is not."""
    for parameter, option in options.items():
        if is_given(parameter):
            raise click.UsageError(f"{option} works only with --chateauma")


def assume_option() -> click.Option:
    """Returns the option ``--assume NAME=VALUE``."""
    return click.Option(
        ["--assume"],
        multiple=True,
        metavar="NAME=VALUE",
        help="Assume this about unknown details of its print; the result lists all assumptions.",
    )


def assumptions_of(texts: Iterable[str]) -> dict[str, str]:
    """Returns name -> value of assumptions given as NAME=VALUE."""
    return dict(text.partition("=")[::2] for text in texts)


def _parse_table_rules(context: click.Context, parameter: click.Parameter, values: Any) -> dict[str, str]:
    """Parses table rules given as NAME=VALUE."""
    options = burgundy().table_rule_options
    rules: dict[str, str] = {}
    for name, _, value in (text.partition("=") for text in values):
        if name not in options:
            listed = "'./run rules' lists them"
            raise click.BadParameter(f"there is no table rule {name!r}; {cure(name, options, listed)}")
        if value not in options[name]:
            raise click.BadParameter(f"{name} can be {' or '.join(options[name])}, not {value!r}")
        if name in rules:
            raise click.BadParameter(f"{name} is given twice")
        rules[name] = value
    return rules


def _parse_modifiers(context: click.Context, parameter: click.Parameter, letters: str) -> str:
    """Parses letters of the Châteauma's modifiers; returns them in order."""
    if unknown := sorted(set(letters) - set(MODIFIERS)):
        raise click.BadParameter(f"no modifier {unknown[0]!r}; there are {', '.join(MODIFIERS)}")
    return "".join(sorted(set(letters)))
