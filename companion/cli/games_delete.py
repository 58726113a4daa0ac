"""``companion games delete``: deletes one game with everything that belongs to it."""

from __future__ import annotations

from pathlib import Path

import click

from companion.archive import Archive, ArchivedGame
from companion.privacy.erasure import erase_game
from companion.storage.settings import Settings
from companion.text.translator import Translator

from .archive_commands import describe, with_archive
from .erasing import erasing
from .errors import fail
from .options import data_paths_of, print_option, settings_path
from .terminal import shown


@click.command("delete")
@click.argument("name")
@with_archive
@print_option
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def games_delete(archive: Archive, translator: Translator, name: str, print_path: Path, yes: bool) -> None:
    """Delete the game NAME with its pictures and its copies in the backup folder, unless it is being played."""
    try:
        one = archive.game(name)
    except LookupError:
        fail(translator("archive.no_such_game", name=name))
    if not yes:
        click.confirm(
            f"{_deletion_notice(one, translator)} {translator('archive.delete_question')}", abort=True
        )
    backup = Settings.load(settings_path()).backup
    data_paths = data_paths_of(archive.folder, print_path, Path(backup) if backup else None)
    with erasing(translator):
        erase_game(data_paths, archive, name)
    click.echo(shown(translator("archive.deleted", name=name)))


def _deletion_notice(one: ArchivedGame, translator: Translator) -> str:
    """Returns the sentence about what is deleted."""
    if one.record is None:
        return translator("archive.delete_unreadable", name=shown(one.name))
    notice = translator("archive.delete_goes", date=translator.date(one.record.began))
    return f"{describe(one.record, translator)}\n{notice}"
