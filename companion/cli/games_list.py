"""``companion games list``: the games that were played."""

from __future__ import annotations

import json
from functools import partial
from shlex import quote

import click

from companion.archive import ON_TABLE, Archive, ArchivedGame, OmittedGame, listing
from companion.text.translator import Translator

from .archive_commands import describe, with_archive
from .options import is_given
from .terminal import shown


@click.command("list")
@with_archive
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.option("--all", "all_", is_flag=True, help="Also list games without a turn, and duplicates.")
def games_list(archive: Archive, translator: Translator, as_json: bool, all_: bool) -> None:
    """List the games by name with their scores, the latest first."""
    found = listing(archive)
    print_game = partial(_print_game, translator, as_json, _folder_of(archive))
    for one in found.games:
        print_game(one)
    if all_:
        for left_out in found.omitted:
            print_game(left_out.game, _why_omitted(left_out, translator))
    elif found.omitted:
        count = translator("archive.not_listed", count=len(found.omitted))
        click.echo(f"{count} {translator('archive.list_all_by')}", err=True)


def _folder_of(archive: Archive) -> str:
    """Returns the option that names the folder which is listed: another one may hold a game of the same name."""
    return f"--folder {quote(str(archive.folder))} " if is_given("folder") else ""


def _print_game(
    translator: Translator, as_json: bool, folder: str, one: ArchivedGame, why_omitted: str = ""
) -> None:
    if one.record is None:
        unreadable = translator("archive.unreadable", name=one.name, why=one.error)
        name = f"{folder}{_argument(one.name)}"
        cure = "" if one.error_is_temporary else f" {translator('archive.rid_of', name=name)}"
        click.echo(f"{shown(unreadable)}.{cure}", err=True)
    elif as_json:
        fields = {"name": one.name, **one.record.to_json()}
        click.echo(json.dumps(fields, separators=(",", ":"), ensure_ascii=False))
    else:
        why = f"  ({why_omitted})" if why_omitted else ""
        click.echo(f"{shown(one.name):<14}  {describe(one.record, translator)}{why}")


def _argument(name: str) -> str:
    """Returns *name* quoted for a shell and protected from being read as an option."""
    quoted = quote(name)
    if shown(name) != name:
        escaped = name.replace("\\", r"\\").replace("'", r"\'")
        quoted = f"$'{shown(escaped)}'"
    return f"-- {quoted}" if name.startswith("-") else quoted


def _why_omitted(one: OmittedGame, translator: Translator) -> str:
    if one.duplicate_of is None:
        return translator("archive.unplayed")
    return (
        translator("archive.same_as_now")
        if one.duplicate_of == ON_TABLE
        else translator("archive.same_as", name=shown(one.duplicate_of))
    )
