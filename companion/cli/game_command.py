"""Commands about one game: ``--game``, ``--modules``, and the options that the game itself adds.

A game adds to the command ``X`` what the module ``companion.cli.games.GAME.X`` has: its ``PART``, a :class:`GamePart`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click

from companion.games.parts import part
from companion.games.registry import UnknownGameError, default_plugin, plugin, plugins

from .suggestions import cure

_GAME = f"{__name__}.game"
"""Name under which a command's context stores its game."""


@dataclass(frozen=True)
class GamePart:
    """What a game adds to a command."""

    options: Sequence[click.Option]
    create: Callable[..., Any] = dict
    """Function from the values of these options, by name, to what the command needs of the game (see the command)."""


def game_part(command: str, game: str) -> GamePart | None:
    """Returns what a game adds to a command; None if it adds nothing."""
    module = part(__package__, f"{game}.{command}")
    if module is None:
        return None
    found = module.PART
    assert isinstance(found, GamePart)
    return found


class GameCommand(click.Command):
    """A command with the options of the game that ``--game`` names; it gets their values as the argument ``own``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_GAME] = self._named_game(ctx, args)
        try:
            rest = super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            self._refuse_option_of_another_game(ctx, error.option_name)
            raise
        ctx.params["own"] = {
            name: ctx.params.pop(name) for option in self._options(ctx.meta[_GAME]) if (name := option.name)
        }
        return rest

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        game = ctx.meta.get(_GAME) or default_plugin().id  # a context need not be made from arguments
        return [*super().get_params(ctx), *self._options(game)]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: Iterator[tuple[str, Sequence[click.Parameter]]] = (
            (f"Options of {game.display_name}", self._options(game.id)) for game in plugins().values()
        )
        for title, parameters in (("Options", super().get_params(ctx)), *sections):
            records = [record for one in parameters if (record := one.get_help_record(ctx)) is not None]
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def _options(self, game: str) -> Sequence[click.Option]:
        assert self.name is not None
        found = game_part(self.name, game)
        return found.options if found is not None else ()

    def _named_game(self, ctx: click.Context, args: Sequence[str]) -> str:
        """Returns the game that the arguments name; it must be known before they are parsed."""
        scan = click.Command(
            self.name,
            params=[parameter for parameter in self.params if parameter.name == "game"],
            add_help_option=False,
            context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
        )
        named = scan.make_context(
            ctx.info_name, list(args), parent=ctx.parent, resilient_parsing=ctx.resilient_parsing
        )
        return named.params["game"] or default_plugin().id

    def _refuse_option_of_another_game(self, ctx: click.Context, name: str) -> None:
        """Raises :exc:`click.UsageError` if another game than the one that is named has the option *name*."""
        for game in plugins().values():
            if any(name in option.opts for option in self._options(game.id)):
                other = plugin(ctx.meta[_GAME]).display_name
                raise click.UsageError(f"{name} is an option of {game.display_name}, not of {other}", ctx)


def _parse_game(context: click.Context, parameter: click.Parameter, value: str | None) -> str:
    """Parses the name of a game; without one, the default game."""
    try:
        return default_plugin().id if value is None else plugin(value).id
    except UnknownGameError as error:
        raise click.BadParameter(f"{error}; './run games kinds' lists them") from error


game_option = click.option(
    "--game",
    metavar="NAME",
    is_eager=True,  # the options of its modules need it
    callback=_parse_game,
    help="The game to play; './run games kinds' lists them.",
)


def _parse_modules(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Parses modules given as NAME,NAME, of the default game where none can be named."""
    names = tuple(filter(None, (name.strip().lower() for value in values for name in value.split(","))))
    if not names and any(value.strip() for value in values):
        raise click.BadParameter("no module is named; './run games kinds' lists them")
    game = context.params.get("game") or default_plugin().id
    modules = {module.id: module for module in plugin(game).modules()}
    for name in names:
        if name in modules and not modules[name].is_named:
            raise click.BadParameter(
                f"{name} is chosen by an option of its own, which --help shows; './run games kinds' lists the others"
            )
        if name not in modules:
            named = [module.id for module in modules.values() if module.is_named]
            listed = "'./run games kinds' lists them"
            raise click.BadParameter(f"there is no module {name!r}; {cure(name, named, listed)}")
        if names.count(name) > 1:
            raise click.BadParameter(f"{name} is named twice; './run games kinds' lists them")
    return names


modules_option = click.option(
    "--modules",
    multiple=True,
    metavar="NAME,NAME",
    callback=_parse_modules,
    help="Expansions to play with; './run games kinds' lists them.",
)


def _parse_players(context: click.Context, parameter: click.Parameter, value: int | None) -> int | None:
    """Checks a number of players against those for whom the game is made."""
    if value is None:
        return None
    counts = plugin(context.params["game"]).player_counts
    return click.IntRange(counts.start, counts.stop - 1).convert(value, parameter, context)


def players_option(help_text: str) -> Callable[..., Any]:
    """Returns the option ``--players N``, which *help_text* describes."""
    return click.option(
        "--players", type=int, metavar="N", default=None, callback=_parse_players, help=help_text
    )
