"""``companion rules``: the table rules that players may agree on where the printed rules leave it open."""

from __future__ import annotations

import click

from companion.games.burgundy.plugin import BURGUNDY_EDITIONS, burgundy
from companion.text.translator import Translator

from .options import language_option


@click.command()
@click.option("--edition", type=click.Choice(BURGUNDY_EDITIONS), default="special", show_default=True)
@language_option
def rules(edition: str, language: str) -> None:
    """List the table rules and the options for each; an asterisk marks the default."""
    translator = Translator(language)
    defaults = burgundy().table_rules_of(edition, {}).to_json()
    for name, values in burgundy().table_rule_options.items():
        click.echo(translator(f"table_rule.{name}"))
        for value in values:
            mark = "*" if value == defaults[name] else " "
            click.echo(f"  {mark} {f'{name}={value}':<34}{translator(f'table_rule.{name}_value.{value}')}")
