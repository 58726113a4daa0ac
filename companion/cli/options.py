"""Options that several commands share."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click
from click.core import ParameterSource

from calibration.errors import CompanionError
from companion.games.burgundy.rules.modules.chateauma import LEVELS, MODIFIERS, ON_TABLE, PIECES
from companion.games.burgundy.rules.table_rules import OPTIONS
from companion.network.hostnames import HostNameError, host_name
from companion.players.bots import BOTS
from companion.privacy.erasure import DataPaths
from companion.service.paths import DATA_VARIABLE
from companion.service.pre_update_backup import COPIES_FOLDER
from companion.text.catalogue import DEFAULT_LANGUAGE, LANGUAGES

Command = TypeVar("Command", bound=Callable[..., Any])

language_option = click.option(
    "--language", type=click.Choice(LANGUAGES), default=DEFAULT_LANGUAGE, show_default=True
)


class Decorator(Protocol):
    """What :func:`click.option` returns."""

    def __call__(self, command: Command, /) -> Command: ...


class CameraName(click.ParamType):
    """The name of a camera, or none: NO_CAMERA, however it is written."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from companion.runtime.game_runner import NO_CAMERA

        return NO_CAMERA if value.lower() == NO_CAMERA else value


MOST_SEED = 2**31 - 1
"""The greatest that each of the random number generators in use takes: OpenCV's is a C int."""


def seed_option(says: str) -> Decorator:
    """``--seed N``; *says* is its help."""
    return click.option(
        "--seed", type=click.IntRange(0, MOST_SEED), default=1, show_default=True, metavar="N", help=says
    )


voice_option = click.option(
    "--voice/--no-voice",
    default=False,
    show_default=True,
    help="Say on this machine what happens, with espeak-ng.",
)


def _agreed(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Table rules given as NAME=VALUE."""
    rules: dict[str, str] = {}
    for name, _, value in (text.partition("=") for text in values):
        if name not in OPTIONS:
            raise click.BadParameter(f"there is no table rule {name!r}; './run rules' lists them")
        if value not in OPTIONS[name]:
            raise click.BadParameter(f"{name} can be {' or '.join(OPTIONS[name])}, not {value!r}")
        if name in rules:
            raise click.BadParameter(f"{name} is named twice")
        rules[name] = value
    return rules


def _bots(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Opponents given as COLOUR:BOT."""
    bots: dict[str, str] = {}
    for value in values:
        colour, _, bot = value.partition(":")
        if bot not in BOTS:
            raise click.BadParameter(f"{value!r} names no bot: write it as in blue:{' or blue:'.join(BOTS)}")
        if colour in bots:
            raise click.BadParameter(f"{colour} is named twice")
        bots[colour] = bot
    return bots


opponents_option = click.option(
    "--opponent",
    "opponents",
    multiple=True,
    metavar="COLOUR:BOT",
    callback=_bots,
    help="Let the companion play one of the players, as in blue:greedy; people move the pieces. May be repeated.",
)

table_rules_option = click.option(
    "--rule",
    "table_rules",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_agreed,
    help="Play a table rule another way than usual; './run rules' lists them.",
)


def _hosts(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Names of this machine."""
    try:
        return tuple(host_name(value) for value in values)
    except HostNameError as error:
        raise click.BadParameter(str(error)) from error


hosts_option = click.option(
    "--name",
    "hosts",
    multiple=True,
    metavar="NAME",
    callback=_hosts,
    help="A further name by which browsers may call this machine, as in pi.tail1234.ts.net. May be repeated.",
)


def app_dir() -> Path:
    """The folder in which the companion keeps what is this owner's, and outside of which it writes nothing."""
    return Path(os.environ.get(DATA_VARIABLE) or click.get_app_dir("table-companion"))


class NotKeptError(CompanionError, ValueError):
    """Nothing can be kept in the companion's own folder, or in the one named; the message names it and the cure."""

    def __init__(self, error: OSError, folder: Path | None = None) -> None:
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        cure = "make room on that disk" if is_full else "make it a folder that can be written"
        super().__init__(
            f"nothing can be kept in {folder or app_dir()} ({error.strerror}): {cure}, "
            f"or name another one by the environment variable {DATA_VARIABLE}"
        )


def games_folder(folder: Path | None = None) -> Path:
    """The *folder* in which games are kept, None for the companion's own; it is made where there is none.

    :raises NotKeptError: when that is not possible.
    :raises PermissionError: when it is another account's.
    """
    path = folder or app_dir() / "games"
    try:
        path.mkdir(parents=True, exist_ok=True)
    except PermissionError:
        raise
    except OSError as error:
        raise NotKeptError(error, folder) from error
    return path


def settings_path() -> Path:
    """The file of what the owner chose."""
    return app_dir() / "settings.json"


def key_path() -> Path:
    """The file of the key that signs what browsers keep."""
    return app_dir() / "page.key"


def data_paths_of(games: Path, print_path: Path, backup: Path | None) -> DataPaths:
    """All that is kept, with the games in the folder *games*."""
    return DataPaths(games, (settings_path(), key_path(), print_path), (app_dir() / COPIES_FOLDER,), backup)


def _modifiers(context: click.Context, parameter: click.Parameter, letters: str) -> str:
    """Letters of the Châteauma's modifiers, in their order."""
    if unknown := sorted(set(letters) - set(MODIFIERS)):
        raise click.BadParameter(f"no modifier {unknown[0]!r}; there are {', '.join(MODIFIERS)}")
    return "".join(sorted(set(letters)))


def modifiers_option(default: str, says: str) -> Decorator:
    """``--modifiers AD``; *says* is its help."""
    return click.option("--modifiers", default=default, metavar="LETTERS", callback=_modifiers, help=says)


print_option = click.option(
    "--print",
    "print_path",
    type=click.Path(path_type=Path),
    default=lambda: app_dir() / "print.json",
    metavar="FILE",
    help="Where it is kept what your copy prints for the Châteauma.  [default: the companion's own folder]",
)

_CHATEAUMA = (
    click.option(
        "--chateauma", "level", type=click.Choice(LEVELS), help="The Châteauma plays, too, at this level."
    ),
    modifiers_option("", "Its difficulty modifiers, such as AD."),
    click.option(
        "--chateauma-colour",
        "colour",
        default="black",
        show_default=True,
        metavar="COLOUR",
        help="Whose pieces and die it takes.",
    ),
    click.option(
        "--pieces",
        type=click.Choice(PIECES),
        default=ON_TABLE,
        show_default=True,
        help="Where its cards, inventory and duchy are; virtual: they stay in the box.",
    ),
)


def is_given(parameter: str) -> bool:
    """Whether *parameter* of the command was given, not left as it usually is."""
    return click.get_current_context().get_parameter_source(parameter) is not ParameterSource.DEFAULT


def _refuse_alone(options: Mapping[str, str]) -> None:
    """Sees to it that none of the *options*, by their parameters, is given without ``--chateauma``."""
    for parameter, option in options.items():
        if is_given(parameter):
            raise click.UsageError(f"{option} belongs to --chateauma")


def chateauma_options(command: Callable[..., None]) -> Callable[..., None]:
    """``--chateauma`` and all that belongs to it; *command* gets its part of a set-up as ``chateauma``, or None."""

    @wraps(command)
    def gathered(*, level: str | None, modifiers: str, colour: str, pieces: str, **others: Any) -> None:
        if level is None:
            _refuse_alone({"modifiers": "--modifiers", "colour": "--chateauma-colour", "pieces": "--pieces"})
        seat = {"colour": colour, "level": level, "modifiers": list(modifiers), "pieces": pieces}
        command(chateauma=seat if level else None, **others)

    for option in reversed(_CHATEAUMA):
        gathered = option(gathered)
    return gathered
