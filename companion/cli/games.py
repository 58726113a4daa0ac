"""``companion games``: lists, exports, imports and deletes the games that were played."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from functools import partial, wraps
from pathlib import Path
from shlex import quote
from typing import Any, NoReturn

import click

from companion.archive import ON_TABLE, Archive, ArchivedGame, GameRecord, OmittedGame, listing
from companion.archive.exports import seat_name
from companion.archive.transfer import ADDED, KNOWN, UNREAD, exported_lines, import_lines, lines_of, summarize
from companion.games.registry import ModuleInfo, plugins
from companion.privacy.erasure import erase_game
from companion.storage.settings import Settings
from companion.text.translator import Translator

from .erasing import erasing
from .errors import fail
from .groups import Group
from .options import (
    FolderName,
    check_folder,
    data_paths_of,
    games_folder,
    language_option,
    print_option,
    settings_path,
)

STANDARD_OUTPUT = Path("-")


def _with_archive(command: Callable[..., None], *, creates_folder: bool = False) -> Callable[..., None]:
    """Returns *command* with ``--folder`` and ``--language``; *command* gets the archive and the translator first.

    The folder must exist; with *creates_folder*, only its parent must.
    """

    @click.option(
        "--folder",
        type=FolderName(),
        default=None,
        metavar="FOLDER",
        help="Folder of the games.  [default: in the data folder]",
    )
    @language_option
    @wraps(command)
    def with_archive(folder: Path | None, language: str, **others: Any) -> None:
        needed = folder.absolute().parent if folder and creates_folder else folder
        if needed is not None:
            check_folder(needed)
        with closing(Archive(games_folder(folder))) as archive:
            command(archive, Translator(language), **others)

    return with_archive


def _fail_with(error: OSError, sentence: str) -> NoReturn:
    """Exits with the *sentence*; if permission was denied, says whose the file is."""
    fail(error if isinstance(error, PermissionError) else sentence)


@click.group(cls=Group)
def games() -> None:
    """List, export, import and delete the games that were played."""


@games.command("list")
@_with_archive
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.option("--all", "all_", is_flag=True, help="Also list games without a turn, and duplicates.")
def list_games(archive: Archive, translator: Translator, as_json: bool, all_: bool) -> None:
    """List the games by name with their scores, the latest first."""
    found = listing(archive)
    for one in found.games:
        _print_game(one, translator, as_json)
    if all_:
        for left_out in found.omitted:
            _print_game(left_out.game, translator, as_json, _why_omitted(left_out, translator))
    elif found.omitted:
        count = translator("archive.not_listed", count=len(found.omitted))
        click.echo(f"{count} {translator('archive.list_all_by')}", err=True)


@games.command("kinds")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@language_option
def list_kinds(as_json: bool, language: str) -> None:
    """List the games that can be played, and the expansions of each with what goes with what."""
    for kind in plugins().values():
        translator = Translator(language, kind.id)
        modules = kind.modules()
        if as_json:
            click.echo(json.dumps({"game": kind.id, "modules": [asdict(module) for module in modules]}))
            continue
        click.echo(f"{kind.id:<24}{translator(f'game.{kind.id}')}")
        for module in modules:
            click.echo(f"  {module.id:<22}{_describe_module(module, translator)}")


def _describe_module(module: ModuleInfo, translator: Translator) -> str:
    """Returns a module's name, and what it can and cannot be played with."""
    parts = [translator(f"game_module.{module.id}")]
    for key, others in (("requires", module.requires), ("excludes", module.excludes)):
        if others:
            names = translator.join(translator(f"game_module.{other}") for other in others)
            parts.append(translator(f"command.module_{key}", modules=names))
    if not module.is_named:
        parts.append(translator("command.module_is_no_name"))
    return "; ".join(parts)


def _print_game(one: ArchivedGame, translator: Translator, as_json: bool, why_omitted: str = "") -> None:
    if one.record is None:
        unreadable = translator("archive.unreadable", name=one.name, why=one.error)
        cure = "" if one.error_is_temporary else f" {translator('archive.rid_of', name=_argument(one.name))}"
        click.echo(f"{unreadable}.{cure}", err=True)
    elif as_json:
        fields = {"name": one.name, **one.record.to_json()}
        click.echo(json.dumps(fields, separators=(",", ":"), ensure_ascii=False))
    else:
        why = f"  ({why_omitted})" if why_omitted else ""
        click.echo(f"{one.name:<14}  {_describe(one.record, translator)}{why}")


def _argument(name: str) -> str:
    """Returns *name* quoted for a shell and protected from being read as an option."""
    return f"-- {quote(name)}" if name.startswith("-") else quote(name)


def _describe(record: GameRecord, translator: Translator) -> str:
    translator = translator.of_game(record.game)
    scores = (
        f"{seat_name(record.seat(colour), translator)} {record.scores[colour]}" for colour in record.ranking
    )
    unfinished = "" if record.over else f"  ({translator('archive.not_over')})"
    return f"{translator.date(record.began)}  {', '.join(scores)}{unfinished}"


def _why_omitted(one: OmittedGame, translator: Translator) -> str:
    if one.duplicate_of is None:
        return translator("archive.unplayed")
    return (
        translator("archive.same_as_now")
        if one.duplicate_of == ON_TABLE
        else translator("archive.same_as", name=one.duplicate_of)
    )


@games.command("export")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@_with_archive
def export_games(archive: Archive, translator: Translator, file: Path) -> None:
    """Write all games to the new FILE, one per line, as JSON (docs/journal.md), without pictures.

    With - as FILE, write to standard output.
    """
    unreadable = 0

    def report_unreadable(name: str, why: str) -> None:
        nonlocal unreadable
        unreadable += 1
        click.echo(translator("archive.unreadable", name=name, why=why), err=True)

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
        _fail_with(error, translator("transfer.file_not_written", file=file, why=error.strerror))
    return count


@games.command("import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@partial(_with_archive, creates_folder=True)
def import_games(archive: Archive, translator: Translator, file: Path) -> None:
    """Import the games from FILE, which another companion has exported.

    Each game is replayed before it is stored. Games that exist already are skipped; those that cannot be imported are
    named.
    """
    if not file.is_file():
        fail(translator("transfer.not_a_file", file=file))
    try:
        source = file.open("rb")
    except OSError as error:
        _fail_with(error, translator("transfer.file_not_read", file=file, why=error.strerror))
    with source:
        count, refused = summarize(import_lines(archive, lines_of(source)))
    for one in refused:
        assert one.rejection is not None
        why = translator(f"transfer.{one.rejection.code}", **one.rejection.data)
        found = f" ({one.rejection.detail})" if one.rejection.detail else ""
        click.echo(f"{translator('transfer.line', number=one.number, why=why)}{found}", err=True)
    if count[UNREAD]:
        click.echo(translator("transfer.unread", count=count[UNREAD]), err=True)
    click.echo(translator("transfer.imported", added=count[ADDED], known=count[KNOWN]))
    if refused:
        fail(translator("transfer.refused", count=len(refused)))


@games.command("delete")
@click.argument("name")
@_with_archive
@print_option
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def delete_game(archive: Archive, translator: Translator, name: str, print_path: Path, yes: bool) -> None:
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
    click.echo(translator("archive.deleted", name=name))


def _deletion_notice(one: ArchivedGame, translator: Translator) -> str:
    """Returns the sentence about what is deleted."""
    if one.record is None:
        return translator("archive.delete_unreadable", name=one.name)
    notice = translator("archive.delete_goes", date=translator.date(one.record.began))
    return f"{_describe(one.record, translator)}\n{notice}"
