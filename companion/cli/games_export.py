"""``companion games export``: writes all games to a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from companion.archive import Archive
from companion.archive.transfer import exported_lines
from companion.text.translator import Translator

from .archive_commands import fail_with, with_archive
from .errors import fail
from .terminal import shown

STANDARD_OUTPUT = Path("-")


@click.command("export")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@with_archive
def games_export(archive: Archive, translator: Translator, file: Path) -> None:
    """Write all games to the new FILE, one per line, as JSON (docs/journal.md), without pictures.

    With - as FILE, write to standard output.
    """
    unreadable = 0

    def report_unreadable(name: str, why: str) -> None:
        nonlocal unreadable
        unreadable += 1
        click.echo(shown(translator("archive.unreadable", name=name, why=why)), err=True)

    if file == STANDARD_OUTPUT:
        for line in exported_lines(archive, unreadable=report_unreadable):
            click.echo(line.encode(), nl=False)  # in UTF-8, whatever the encoding of the terminal
    else:
        count = _export_to_file(file, archive, translator, report_unreadable)
        click.echo(translator("transfer.written", count=count, file=file))
    if unreadable:
        fail(translator("transfer.left_out", count=unreadable))


def _export_to_file(
    file: Path, archive: Archive, translator: Translator, unreadable: Callable[[str, str], None]
) -> int:
    """Returns how many games were written to the new *file*; calls *unreadable* for the others."""
    try:
        with file.open("x", encoding="utf-8") as out:
            try:
                count = sum(bool(out.write(line)) for line in exported_lines(archive, unreadable=unreadable))
                out.flush()
            except OSError:
                file.unlink()  # a partial file is of no use
                raise
    except FileExistsError:
        fail(translator("transfer.file_exists", file=file))
    except OSError as error:
        fail_with(error, translator("transfer.file_not_written", file=file, why=error.strerror))
    return count
