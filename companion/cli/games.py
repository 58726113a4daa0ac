"""``companion games``: all games that were played, listed, carried from one companion to another, and deleted."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from functools import partial, wraps
from pathlib import Path
from shlex import quote
from typing import Any, NoReturn

import click

from companion.archive import ON_TABLE, Archive, ArchivedGame, GameRecord, OmittedGame, listing
from companion.archive.exports import seat_name
from companion.archive.transfer import ADDED, KNOWN, UNREAD, exported_lines, import_lines, lines_of, summarize
from companion.games.burgundy.plugin import burgundy
from companion.journal import JournalError
from companion.privacy.erasure import GameInUseError, erase_game
from companion.storage.settings import Settings
from companion.text.translator import Translator

from .errors import fail
from .groups import Group
from .options import NotKeptError, data_paths_of, games_folder, language_option, print_option, settings_path

STANDARD_OUTPUT = Path("-")


def _with_archive(command: Callable[..., None], *, makes_folder: bool = False) -> Callable[..., None]:
    """``--folder`` and ``--language``; *command* gets the games and the words as its first arguments.

    A folder that was named must be there; with *makes_folder*, the one above it.
    """

    @click.option(
        "--folder",
        type=click.Path(path_type=Path, file_okay=False),
        default=None,
        metavar="FOLDER",
        help="Where the games are.  [default: the companion's own folder]",
    )
    @language_option
    @wraps(command)
    def found(folder: Path | None, language: str, **others: Any) -> None:
        needed = folder.absolute().parent if folder and makes_folder else folder
        if needed is not None and not needed.is_dir():
            fail(f"there is no folder {needed}: check the name, or make it")
        try:
            with closing(Archive(games_folder(folder), burgundy())) as archive:
                command(archive, Translator(language), **others)
        except (JournalError, NotKeptError, OSError) as error:
            fail(error)

    return found


def _fail_with(error: OSError, sentence: str) -> NoReturn:
    """Ends with the *sentence*, or with whose the file is, where that is the trouble."""
    fail(error if isinstance(error, PermissionError) else sentence)


@click.group(cls=Group)
def games() -> None:
    """All games that were played: listed, carried from one companion to another, deleted."""


@games.command("list")
@_with_archive
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.option(
    "--all", "all_", is_flag=True, help="Also those of which no turn was played, or that are there twice."
)
def list_games(archive: Archive, translator: Translator, as_json: bool, all_: bool) -> None:
    """List them, the latest first, by name, with the scores."""
    told = listing(archive)
    for one in told.games:
        _say(one, translator, as_json)
    if all_:
        for omitted in told.omitted:
            _say(omitted.game, translator, as_json, _why_omitted(omitted, translator))
    elif told.omitted:
        count = translator("archive.not_listed", count=len(told.omitted))
        click.echo(f"{count} {translator('archive.list_all_by')}", err=True)


def _say(one: ArchivedGame, translator: Translator, as_json: bool, why_omitted: str = "") -> None:
    if one.record is None:
        unreadable = translator("archive.unreadable", name=one.name, why=one.error)
        cure = "" if one.error_is_temporary else f" {translator('archive.rid_of', name=_argument(one.name))}"
        click.echo(f"{unreadable}.{cure}", err=True)
    elif as_json:
        told = {"name": one.name, **one.record.to_json()}
        click.echo(json.dumps(told, separators=(",", ":"), ensure_ascii=False))
    else:
        why = f"  ({why_omitted})" if why_omitted else ""
        click.echo(f"{one.name:<14}  {_told(one.record, translator)}{why}")


def _argument(name: str) -> str:
    """*name* as a shell, and then the command, takes it for a name."""
    return f"-- {quote(name)}" if name.startswith("-") else quote(name)


def _told(record: GameRecord, translator: Translator) -> str:
    scores = (
        f"{seat_name(record.seat(colour), translator)} {record.scores[colour]}" for colour in record.ranking
    )
    left = "" if record.over else f"  ({translator('archive.not_over')})"
    return f"{translator.date(record.began)}  {', '.join(scores)}{left}"


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
    """Write all games into the new FILE, one a line, as JSON (docs/journal.md). Pictures stay here.

    With - as FILE they go to standard output.
    """
    unreadable = 0

    def say(name: str, why: str) -> None:
        nonlocal unreadable
        unreadable += 1
        click.echo(translator("archive.unreadable", name=name, why=why), err=True)

    if file == STANDARD_OUTPUT:
        for line in exported_lines(archive, unreadable=say):
            click.echo(line.encode(), nl=False)  # in UTF-8, whatever the terminal speaks
    else:
        count = _export_into(file, archive, translator, say)
        click.echo(translator("transfer.written", count=count, file=file))
    if unreadable:
        fail(translator("transfer.left_out", count=unreadable))


def _export_into(
    file: Path, archive: Archive, translator: Translator, say: Callable[[str, str], None]
) -> int:
    """How many games were written into the new *file*; *say* is told what cannot be read."""
    try:
        with file.open("x", encoding="utf-8") as out:
            try:
                count = sum(bool(out.write(line)) for line in exported_lines(archive, unreadable=say))
                out.flush()
            except OSError:
                file.unlink()  # half a file is none
                raise
    except FileExistsError:
        fail(translator("transfer.file_exists", file=file))
    except OSError as error:
        _fail_with(error, translator("transfer.file_not_written", file=file, why=error.strerror))
    return count


@games.command("import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@partial(_with_archive, makes_folder=True)
def import_games(archive: Archive, translator: Translator, file: Path) -> None:
    """Take the games of FILE, which another companion has written.

    Each is played through before it is kept. What is here already is left as it is, and what cannot be taken is named.
    """
    if not file.is_file():
        fail(translator("transfer.not_a_file", file=file))
    try:
        source = file.open("rb")
    except OSError as error:
        _fail_with(error, translator("transfer.file_not_read", file=file, why=error.strerror))
    with source:
        count, refused = summarize(import_lines(archive, burgundy(), lines_of(source)))
    for one in refused:
        assert one.rejection is not None
        why = translator(f"transfer.{one.rejection.code}", **one.rejection.data)
        found = f" ({one.rejection.detail})" if one.rejection.detail else ""
        click.echo(f"{translator('transfer.line', number=one.number, why=why)}{found}", err=True)
    if count[UNREAD]:
        click.echo(translator("transfer.unread", count=count[UNREAD]), err=True)
    click.echo(translator("transfer.taken", added=count[ADDED], known=count[KNOWN]))
    if refused:
        fail(translator("transfer.refused", count=len(refused)))


@games.command("delete")
@click.argument("name")
@_with_archive
@print_option
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete_game(archive: Archive, translator: Translator, name: str, print_path: Path, yes: bool) -> None:
    """Delete the game NAME, with its pictures and its copies in the backup folder; not while it is played."""
    try:
        one = archive.game(name)
    except LookupError:
        fail(translator("archive.no_such_game", name=name))
    if not yes:
        click.confirm(f"{_goes(one, translator)} {translator('archive.delete_question')}", abort=True)
    try:
        backup = Settings.load(settings_path()).backup
        data_paths = data_paths_of(archive.folder, print_path, Path(backup) if backup else None)
        erase_game(data_paths, archive, name)
    except (GameInUseError, ValueError) as error:
        fail(error)
    click.echo(translator("archive.deleted", name=name))


def _goes(one: ArchivedGame, translator: Translator) -> str:
    """What a deletion takes away."""
    if one.record is None:
        return translator("archive.delete_unreadable", name=one.name)
    goes = translator("archive.delete_goes", date=translator.date(one.record.began))
    return f"{_told(one.record, translator)}\n{goes}"
