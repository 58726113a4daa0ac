"""``companion privacy``: shows which personal data are stored and for how long, and deletes them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial, wraps
from pathlib import Path
from typing import Any

import click

from companion.archive import Archive
from companion.privacy.erasure import (
    DataPaths,
    GameInUseError,
    erase_everything,
    erase_pictures,
    expire_pictures,
    size_of,
)
from companion.storage.settings import LONGEST_DAYS, Settings, load_or_quarantine
from companion.text.translator import Translator

from .erasing import erasing
from .errors import warn
from .groups import Group
from .options import (
    FOLDER,
    app_dir,
    check_folder,
    data_paths_of,
    language_option,
    print_option,
    settings_path,
)

EVER = "ever"
_DAYS = re.compile("[0-9]{1,9}")
"""No more digits than Python parses."""


def _with_data_paths(command: Callable[..., None], *, repairs_settings: bool = False) -> Callable[..., None]:
    """Returns *command*, which gets the data paths, the settings and the translator first.

    With *repairs_settings*, unusable settings are quarantined first.
    """

    @click.option(
        "--folder",
        type=FOLDER,
        default=None,
        metavar="FOLDER",
        help="Folder of the games.  [default: in the data folder]",
    )
    @print_option
    @language_option
    @wraps(command)
    def with_data_paths(folder: Path | None, print_path: Path, language: str, **others: Any) -> None:
        if folder is not None:
            check_folder(folder)
        if repairs_settings:
            _move_unusable_settings(Translator(language))
        settings = Settings.load(settings_path())
        backup = Path(settings.backup) if settings.backup else None
        data_paths = data_paths_of(folder or app_dir() / "games", print_path, backup)
        translator = Translator(language)
        with erasing(translator):
            command(data_paths, settings, translator, **others)

    return with_data_paths


def _move_unusable_settings(translator: Translator) -> None:
    """Quarantines unusable settings, so that new ones can be written."""
    _, unusable = load_or_quarantine(settings_path())
    if unusable is not None and unusable.moved_to is not None:
        warn(translator("privacy.settings_quarantined", why=unusable.reason, file=unusable.moved_to))


def _parse_days(context: click.Context, parameter: click.Parameter, value: str) -> int | None:
    if value == EVER:
        return None
    if not _DAYS.fullmatch(value) or int(value) > LONGEST_DAYS:
        raise click.BadParameter(f"{value!r} is neither a number of days, 0 to {LONGEST_DAYS}, nor {EVER!r}")
    return int(value)


yes_option = click.option("--yes", is_flag=True, help="Do not ask for confirmation.")


@click.group(cls=Group)
def privacy() -> None:
    """Show and delete personal data."""


@privacy.command()
@_with_data_paths
def show(data_paths: DataPaths, settings: Settings, translator: Translator) -> None:
    """Show what is stored, and where."""
    size = translator.decimal(size_of(data_paths.pictures()) / 1e6)
    click.echo(f"{data_paths.games}: {translator('privacy.games', count=len(data_paths.journals()))}")
    if data_paths.backup is not None:
        click.echo(translator("privacy.backup", folder=data_paths.backup))
    click.echo(translator("privacy.pictured", count=len(data_paths.picture_stores()), size=size))
    click.echo(f"{translator('privacy.keep')}: {_describe_days(settings.picture_days, translator)}")
    for path in data_paths.files:
        if path.exists():
            click.echo(path)


def _describe_days(days: int | None, translator: Translator) -> str:
    if days is None:
        return translator("privacy.ever")
    return translator("privacy.days", count=days) if days else translator("privacy.none")


@privacy.command("keep-pictures")
@click.argument("days", metavar="DAYS", callback=_parse_days)
@partial(_with_data_paths, repairs_settings=True)
def set_picture_days(
    data_paths: DataPaths, settings: Settings, translator: Translator, days: int | None
) -> None:
    """Keep the pictures of a game for DAYS after it was played: 0 keeps none, 'ever' keeps them for ever.

    Older pictures are deleted now or, if a game is being played, when the next one begins.
    """
    settings.save_changes(settings_path(), picture_days=days)
    if days is not None and data_paths.in_use() is None:
        expire_pictures(data_paths, days, time.time())
    click.echo(f"{translator('privacy.keep')}: {_describe_days(days, translator)}")


@privacy.command("delete-pictures")
@yes_option
@_with_data_paths
def delete_pictures(data_paths: DataPaths, settings: Settings, translator: Translator, yes: bool) -> None:
    """Delete the pictures of all games, but not the games."""
    _check_unused(data_paths)
    if not yes:
        click.confirm(translator("privacy.pictures_go"), abort=True)
    erase_pictures(data_paths)


@privacy.command("delete-everything")
@yes_option
@_with_data_paths
def delete_everything(data_paths: DataPaths, settings: Settings, translator: Translator, yes: bool) -> None:
    """Delete all games, pictures, names, settings and keys, here and in the backup folder."""
    _check_unused(data_paths)
    if not yes:
        notice = [translator("privacy.everything_goes")]
        if data_paths.backup is not None:
            notice.append(translator("privacy.backup_goes", folder=data_paths.backup))
        notice.append(translator("privacy.everything_stays"))
        click.confirm(" ".join(notice), abort=True)
    data_paths.games.mkdir(parents=True, exist_ok=True)
    with closing(Archive(data_paths.games)) as archive:
        erase_everything(data_paths, archive)


def _check_unused(data_paths: DataPaths) -> None:
    """:raises GameInUseError: if a companion is playing one of the games."""
    if (game := data_paths.in_use()) is not None:
        raise GameInUseError(
            f"a companion is playing {game}: stop it first, or delete on its page, under Games, What is stored"
        )
