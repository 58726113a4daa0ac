"""``companion rules``: the table rules that players may agree on where the printed rules leave it open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from companion.text.translator import Translator

from .game_command import GameCommand, game_option, game_part
from .options import language_option


@click.command(cls=GameCommand)
@game_option
@language_option
def rules(game: str, own: Mapping[str, Any], language: str) -> None:
    """List the table rules and the options for each; an asterisk marks the default."""
    translator = Translator(language, game)
    part = game_part("rules", game)
    if part is None:
        click.echo(translator("command.no_table_rules", kind=translator(f"game.{game}")))
        return
    for name, values, usual in part.create(**own):
        click.echo(translator(f"table_rule.{name}"))
        for value in values:
            mark = "*" if value == usual else " "
            click.echo(f"  {mark} {f'{name}={value}':<34}{translator(f'table_rule.{name}_value.{value}')}")
