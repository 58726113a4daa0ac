"""``companion games kinds``: the games that can be played, and the modules of each."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from companion.games.registry import ModuleInfo, broken_games, plugins
from companion.text.translator import Translator

from .errors import warn
from .options import language_option


@click.command("kinds")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@language_option
def games_kinds(as_json: bool, language: str) -> None:
    """List the games that can be played, and the expansions of each with what goes with what."""
    for kind in plugins().values():
        translator = Translator(language, kind.id)
        modules = kind.modules()
        if as_json:
            click.echo(json.dumps({"game": kind.id, "modules": [asdict(module) for module in modules]}))
            continue
        click.echo(f"{kind.id:<24}{translator(f'game.{kind.id}')}")
        for module in modules:
            click.echo(f"  {module.id:<22}{_describe_module(module, translator)}")
    for name, why in broken_games().items():
        warn(f"the game {name!r} cannot be used: {why}")


def _describe_module(module: ModuleInfo, translator: Translator) -> str:
    """Returns a module's name, and what it can and cannot be played with."""
    parts = [translator(f"game_module.{module.id}")]
    for key, kind, others in (
        ("editions", "edition", module.editions),
        ("requires", "game_module", module.requires),
        ("excludes", "game_module", module.excludes),
    ):
        if others:
            names = translator.join(translator(f"{kind}.{other}") for other in others)
            parts.append(translator(f"command.module_{key}", names=names))
    if not module.is_named:
        parts.append(translator("command.module_is_no_name"))
    return "; ".join(parts)
