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
from companion.privacy.deletion import Belongings, erase_everything, erase_pictures, expire_pictures, size_of
from companion.storage.settings import LONGEST_DAYS, Settings, in_order
from companion.text.translator import Words

from .errors import fail, warn
from .groups import Group
from .options import app_dir, belongings_of, language_option, print_option, settings_path

EVER = "ever"


def _with_belongings(command: Callable[..., None], *, mends: bool = False) -> Callable[..., None]:
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
        try:
            if mends:
                _put_aside(Words(language))
            settings = Settings.load(settings_path())
            backup = Path(settings.backup) if settings.backup else None
            command(belongings_of(folder, print_path, backup), settings, Words(language), **others)
        except (ValueError, OSError) as error:
            fail(error)

    return found


def _put_aside(words: Words) -> None:
    """Sees to it that settings can be written."""
    _, unusable = in_order(settings_path())
    if unusable is not None and unusable.kept is not None:
        warn(words("privacy.settings_aside", why=unusable.why, kept=unusable.kept))


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
@_with_belongings
def show(belongings: Belongings, settings: Settings, words: Words) -> None:
    """Say what is kept, and where."""
    size = words.decimal(size_of(belongings.pictures()) / 1e6)
    click.echo(f"{belongings.games}: {words('privacy.games', count=len(belongings.journals()))}")
    if belongings.backup is not None:
        click.echo(words("privacy.backup", folder=belongings.backup))
    click.echo(words("privacy.pictured", count=len(belongings.albums()), size=size))
    click.echo(f"{words('privacy.keep')}: {_told(settings.picture_days, words)}")
    for path in belongings.files:
        if path.exists():
            click.echo(path)


def _told(days: int | None, words: Words) -> str:
    if days is None:
        return words("privacy.ever")
    return words("privacy.days", count=days) if days else words("privacy.none")


@privacy.command("keep-pictures")
@click.argument("days", metavar="DAYS", callback=_days)
@partial(_with_belongings, mends=True)
def keep_pictures(belongings: Belongings, settings: Settings, words: Words, days: int | None) -> None:
    """Keep the pictures of a game for so many DAYS after it was played; 0: not at all, 'ever': for ever.

    Those that are older go at once; where a game is being played, when the next one begins.
    """
    settings.remembering(settings_path(), picture_days=days)
    if days is not None and belongings.in_use() is None:
        expire_pictures(belongings, days, time.time())
    click.echo(f"{words('privacy.keep')}: {_told(days, words)}")


@privacy.command("delete-pictures")
@yes_option
@_with_belongings
def delete_pictures(belongings: Belongings, settings: Settings, words: Words, yes: bool) -> None:
    """Delete the pictures of all games; the games stay."""
    _check_unused(belongings)
    if not yes:
        click.confirm(words("privacy.pictures_go"), abort=True)
    erase_pictures(belongings)


@privacy.command("delete-everything")
@yes_option
@_with_belongings
def delete_everything(belongings: Belongings, settings: Settings, words: Words, yes: bool) -> None:
    """Delete all games, pictures, names, settings and keys, here and in the backup folder."""
    _check_unused(belongings)
    if not yes:
        goes = [words("privacy.everything_goes")]
        if belongings.backup is not None:
            goes.append(words("privacy.backup_goes", folder=belongings.backup))
        goes.append(words("privacy.everything_stays"))
        click.confirm(" ".join(goes), abort=True)
    belongings.games.mkdir(parents=True, exist_ok=True)
    with closing(Archive(belongings.games, burgundy())) as archive:
        erase_everything(belongings, archive)


def _check_unused(belongings: Belongings) -> None:
    """:raises ValueError: while a companion plays one of the games."""
    if (game := belongings.in_use()) is not None:
        raise ValueError(
            f"a companion is playing {game}: end it first, or delete on its page, under Games, What is kept"
        )
