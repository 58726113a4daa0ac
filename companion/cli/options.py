"""Options that several commands share, and the paths of the data folder."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click
from click.core import ParameterSource

from calibration.documents import read_json
from calibration.errors import CompanionError
from companion.network.hostnames import HostNameError, host_name
from companion.players.bots import BOTS
from companion.privacy.erasure import DataPaths
from companion.service.file_errors import other_owner_sentence
from companion.service.notify import notifier
from companion.service.paths import DATA_VARIABLE
from companion.service.pre_update_backup import COPIES_FOLDER
from companion.text.catalogue import DEFAULT_LANGUAGE, LANGUAGES

from .errors import OptionError

Command = TypeVar("Command", bound=Callable[..., Any])

language_option = click.option(
    "--language", type=click.Choice(LANGUAGES), default=DEFAULT_LANGUAGE, show_default=True
)


if TYPE_CHECKING:
    TextType = click.ParamType[str]
else:
    TextType = click.ParamType  # generic in recent releases of click only


class Decorator(Protocol):
    """What :func:`click.option` returns."""

    def __call__(self, command: Command, /) -> Command: ...


class CameraName(TextType):
    """The name of a camera, or NO_CAMERA in upper or lower case."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from companion.runtime.game_runner import NO_CAMERA

        return NO_CAMERA if value.lower() == NO_CAMERA else value


class NeededCameraName(CameraName):
    """The name of a camera or of pictures; NO_CAMERA is refused. *choices* say what can be named."""

    def __init__(self, choices: str) -> None:
        self._choices = choices

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from companion.runtime.game_runner import NO_CAMERA

        name = super().convert(value, param, ctx)
        if name == NO_CAMERA:
            self.fail(f"this command needs a camera: name {self._choices}", param, ctx)
        return name


def needed_camera_option(choices: str) -> Decorator:
    """Returns the option ``--camera`` of a command that cannot do without; *choices* say what can be named."""
    return click.option(
        "--camera",
        "camera_name",
        type=NeededCameraName(choices),
        required=True,
        help=f"{choices}.",
    )


MAX_SEED = 2**31 - 1
"""The greatest seed that all random number generators in use accept: OpenCV's is a C int."""


def seed_option(help_text: str) -> Decorator:
    """Returns the option ``--seed N``, which *help_text* describes."""
    return click.option(
        "--seed", type=click.IntRange(0, MAX_SEED), default=1, show_default=True, metavar="N", help=help_text
    )


voice_option = click.option(
    "--voice/--no-voice",
    default=False,
    show_default=True,
    help="Speak announcements through this machine, using espeak-ng.",
)


FOLDER = click.Path(path_type=Path, file_okay=False)
"""The name of a folder."""


def check_folder(folder: Path) -> None:
    """Checks that a folder that was named is there: in another one, nothing would be found, shown or deleted.

    :raises OptionError: if it is not.
    """
    if not folder.is_dir():
        raise OptionError(f"there is no folder {folder}: check the name, or create it")


def _parse_opponents(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    """Parses opponents given as COLOUR:BOT."""
    bots: dict[str, str] = {}
    for value in values:
        colour, _, bot = value.strip().lower().partition(":")
        if bot not in BOTS:
            raise click.BadParameter(f"{value!r} is not a bot: write it as in blue:{' or blue:'.join(BOTS)}")
        if colour in bots:
            raise click.BadParameter(f"{colour} is given twice")
        bots[colour] = bot
    return bots


opponents_option = click.option(
    "--opponent",
    "opponents",
    multiple=True,
    metavar="COLOUR:BOT",
    callback=_parse_opponents,
    help="Let the companion play this colour, such as blue:greedy; people move its pieces. Can be repeated.",
)


def _parse_host_names(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Parses names of this machine."""
    try:
        return tuple(host_name(value) for value in values)
    except HostNameError as error:
        raise click.BadParameter(str(error)) from error


hosts_option = click.option(
    "--name",
    "hosts",
    multiple=True,
    metavar="NAME",
    callback=_parse_host_names,
    help="Another name by which browsers can reach this machine, such as pi.tail1234.ts.net. Can be repeated.",
)


def app_dir() -> Path:
    """Returns the data folder, outside of which the companion writes nothing on its own."""
    return Path(os.environ.get(DATA_VARIABLE) or click.get_app_dir("table-companion"))


class DataFolderError(CompanionError, ValueError):
    """Nothing can be written to the data folder, or to the one named; the message names it and the cure."""

    def __init__(self, error: OSError, folder: Path | None = None) -> None:
        if isinstance(error, FileExistsError):  # a folder is to be made where a file or a broken link lies
            super().__init__(
                f"{error.filename} is no folder, and the companion needs one there: move it away, "
                f"or choose another data folder with the environment variable {DATA_VARIABLE}"
            )
            return
        place = Path(error.filename or folder or app_dir())
        if isinstance(error, PermissionError) and (denied := other_owner_sentence(place)):
            super().__init__(denied)
            return
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        cure = "free some space on that disk" if is_full else "make it a writable folder"
        super().__init__(
            f"nothing can be written to {folder or app_dir()} ({error.strerror}): {cure}, "
            f"or choose another one with the environment variable {DATA_VARIABLE}"
        )


def games_folder(folder: Path | None = None) -> Path:
    """Returns the *folder* of the games, or the default one for `None`; creates it if necessary.

    :raises DataFolderError: if it cannot be created.
    :raises PermissionError: if it belongs to another account.
    """
    path = folder or app_dir() / "games"
    try:
        path.mkdir(parents=True, exist_ok=True)
    except PermissionError:
        raise
    except OSError as error:
        raise DataFolderError(error, folder) from error
    return path


def settings_path() -> Path:
    """Returns the path of the owner's settings."""
    return app_dir() / "settings.json"


def key_path() -> Path:
    """Returns the path of the key that signs the page's cookies."""
    return app_dir() / "page.key"


def data_paths_of(games: Path, print_path: Path, backup: Path | None) -> DataPaths:
    """Returns the paths of all stored data, with the games in the folder *games*."""
    return DataPaths(games, (settings_path(), key_path(), print_path), (app_dir() / COPIES_FOLDER,), backup)


def _usable_print(ctx: click.Context, option: click.Parameter, path: Path) -> Path:
    """Refuses a file that is named and cannot be one of answers: it would go when everything is deleted.

    :raises OptionError: if it cannot.
    """
    # A start by the system has to go on without what it was given.
    if notifier() is not None or not is_given("print_path") or not os.path.lexists(path):
        return path
    try:
        answers = read_json(path, OptionError) if path.is_file() else None
    except OptionError:
        answers = None
    if not isinstance(answers, dict):
        raise OptionError(
            f"{path}: this is not what a copy prints; name another file with --print, or leave it out"
        )
    return path


print_option = click.option(
    "--print",
    "print_path",
    type=click.Path(path_type=Path),
    callback=_usable_print,
    default=lambda: app_dir() / "print.json",
    metavar="FILE",
    help="File with what is printed in your copy of the game.  [default: in the data folder]",
)


def is_given(parameter: str) -> bool:
    """Returns whether *parameter* of the command was given by the user."""
    return click.get_current_context().get_parameter_source(parameter) is not ParameterSource.DEFAULT
