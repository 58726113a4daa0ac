"""``companion privacy``: what is kept of people, for how long, and how it is deleted."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from functools import partial, wraps
from pathlib import Path
from typing import Any

import click

from companion.archive import Archive
from companion.games.burgundy.plugin import burgundy
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

from .errors import warn
from .groups import Group
from .options import app_dir, data_paths_of, language_option, print_option, settings_path

EVER = "ever"


def _with_data_paths(command: Callable[..., None], *, mends: bool = False) -> Callable[..., None]:
    """*command* gets what is kept, the settings, and the words; with *mends*, unusable settings are put aside first."""

    @click.option(
        "--folder",
        type=click.Path(path_type=Path, file_okay=False),
        default=lambda: app_dir() / "games",
        metavar="FOLDER",
        help="Where the games are.  [default: the companion's own folder]",
    )
    @print_option
    @language_option
    @wraps(command)
    def found(folder: Path, print_path: Path, language: str, **others: Any) -> None:
        if mends:
            _put_aside(Translator(language))
        settings = Settings.load(settings_path())
        backup = Path(settings.backup) if settings.backup else None
        command(data_paths_of(folder, print_path, backup), settings, Translator(language), **others)

    return found


def _put_aside(translator: Translator) -> None:
    """Sees to it that settings can be written."""
    _, unusable = load_or_quarantine(settings_path())
    if unusable is not None and unusable.moved_to is not None:
        warn(translator("privacy.settings_aside", why=unusable.reason, kept=unusable.moved_to))


def _days(context: click.Context, parameter: click.Parameter, value: str) -> int | None:
    if value == EVER:
        return None
    if not value.isascii() or not value.isdigit() or int(value) > LONGEST_DAYS:
        raise click.BadParameter(f"{value!r} is no number of days, and not {EVER!r}")
    return int(value)


yes_option = click.option("--yes", is_flag=True, help="Do not ask.")


@click.group(cls=Group)
def privacy() -> None:
    """What is kept of people, for how long, and how it is deleted."""


@privacy.command()
@_with_data_paths
def show(data_paths: DataPaths, settings: Settings, translator: Translator) -> None:
    """Say what is kept, and where."""
    size = translator.decimal(size_of(data_paths.pictures()) / 1e6)
    click.echo(f"{data_paths.games}: {translator('privacy.games', count=len(data_paths.journals()))}")
    if data_paths.backup is not None:
        click.echo(translator("privacy.backup", folder=data_paths.backup))
    click.echo(translator("privacy.pictured", count=len(data_paths.picture_stores()), size=size))
    click.echo(f"{translator('privacy.keep')}: {_told(settings.picture_days, translator)}")
    for path in data_paths.files:
        if path.exists():
            click.echo(path)


def _told(days: int | None, translator: Translator) -> str:
    if days is None:
        return translator("privacy.ever")
    return translator("privacy.days", count=days) if days else translator("privacy.none")


@privacy.command("keep-pictures")
@click.argument("days", metavar="DAYS", callback=_days)
@partial(_with_data_paths, mends=True)
def keep_pictures(
    data_paths: DataPaths, settings: Settings, translator: Translator, days: int | None
) -> None:
    """Keep the pictures of a game for so many DAYS after it was played; 0: not at all, 'ever': for ever.

    Those that are older go at once; where a game is being played, when the next one begins.
    """
    settings.save_changes(settings_path(), picture_days=days)
    if days is not None and data_paths.in_use() is None:
        expire_pictures(data_paths, days, time.time())
    click.echo(f"{translator('privacy.keep')}: {_told(days, translator)}")


@privacy.command("delete-pictures")
@yes_option
@_with_data_paths
def delete_pictures(data_paths: DataPaths, settings: Settings, translator: Translator, yes: bool) -> None:
    """Delete the pictures of all games; the games stay."""
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
        goes = [translator("privacy.everything_goes")]
        if data_paths.backup is not None:
            goes.append(translator("privacy.backup_goes", folder=data_paths.backup))
        goes.append(translator("privacy.everything_stays"))
        click.confirm(" ".join(goes), abort=True)
    data_paths.games.mkdir(parents=True, exist_ok=True)
    with closing(Archive(data_paths.games, burgundy())) as archive:
        erase_everything(data_paths, archive)


def _check_unused(data_paths: DataPaths) -> None:
    """:raises InUseError: while a companion plays one of the games."""
    if (game := data_paths.in_use()) is not None:
        raise GameInUseError(
            f"a companion is playing {game}: end it first, or delete on its page, under Games, What is stored"
        )
