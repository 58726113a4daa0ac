"""``companion games import``: stores the games that another companion has exported."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from companion.archive import Archive
from companion.archive.transfer import ADDED, KNOWN, UNREAD, import_lines, lines_of, summarize
from companion.text.translator import Translator

from .archive_commands import fail_with, with_archive
from .errors import fail
from .terminal import shown


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@partial(with_archive, creates_folder=True)
def games_import(archive: Archive, translator: Translator, file: Path) -> None:
    """Import the games from FILE, which another companion has exported.

    Each game is replayed before it is stored. Games that exist already are skipped; those that cannot be imported are
    named.
    """
    if not file.is_file():
        fail(translator("transfer.not_a_file", file=file))
    try:
        source = file.open("rb")
    except OSError as error:
        fail_with(error, translator("transfer.file_not_read", file=file, why=error.strerror))
    with source:
        count, refused = summarize(import_lines(archive, lines_of(source)))
    for one in refused:
        assert one.rejection is not None
        why = translator(f"transfer.{one.rejection.code}", **one.rejection.data)
        found = f" ({one.rejection.detail})" if one.rejection.detail else ""
        click.echo(shown(f"{translator('transfer.line', number=one.number, why=why)}{found}"), err=True)
    if count[UNREAD]:
        click.echo(translator("transfer.unread", count=count[UNREAD]), err=True)
    click.echo(translator("transfer.imported", added=count[ADDED], known=count[KNOWN]))
    if refused:
        fail(translator("transfer.refused", count=len(refused)))
