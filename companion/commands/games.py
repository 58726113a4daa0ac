"""``companion games``: all games that were played, listed, and carried from one companion to another."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from functools import wraps
from pathlib import Path
from typing import Any

import click

from ..archive import Archive, GameRecord
from ..archive.exports import seat_name
from ..archive.transfer import ADDED, KNOWN, REFUSED, counted, take, written
from ..journal import JournalError
from ..shelf import burgundy
from ..words import Words
from .errors import fail
from .groups import Group
from .options import app_dir, language_option


def _with_archive(command: Callable[..., None]) -> Callable[..., None]:
    """``--folder``; *command* gets the games in it as its first argument."""

    @click.option(
        "--folder",
        type=click.Path(path_type=Path, file_okay=False),
        default=lambda: app_dir() / "games",
        metavar="FOLDER",
        help="Where the games are.  [default: the companion's own folder]",
    )
    @wraps(command)
    def found(folder: Path, **others: Any) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with closing(Archive(folder, burgundy())) as archive:
                command(archive, **others)
        except (JournalError, OSError) as error:
            fail(error)

    return found


@click.group(cls=Group)
def games() -> None:
    """All games that were played: listed, and carried from one companion to another."""


@games.command("list")
@_with_archive
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@language_option
def list_games(archive: Archive, as_json: bool, language: str) -> None:
    """List them, the latest first, by name, with the scores."""
    words = Words(language)
    for one in archive.games():
        if one.record is None:
            click.echo(words("archive.unreadable", name=one.name, why=one.error), err=True)
        elif as_json:
            told = {"name": one.name, **one.record.to_json()}
            click.echo(json.dumps(told, separators=(",", ":"), ensure_ascii=False))
        else:
            click.echo(f"{one.name:<14}  {_told(one.record, words)}")


def _told(record: GameRecord, words: Words) -> str:
    scores = (f"{seat_name(record.seat(colour), words)} {record.scores[colour]}" for colour in record.ranking)
    left = "" if record.over else f"  ({words('archive.not_over')})"
    return f"{words.date(record.began)}  {', '.join(scores)}{left}"


@games.command("export")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@_with_archive
@language_option
def export_games(archive: Archive, file: Path, language: str) -> None:
    """Write all games into the new FILE, one a line, as JSON (docs/journal.md). Pictures stay here."""
    words, unreadable = Words(language), 0

    def say(name: str, why: str) -> None:
        nonlocal unreadable
        unreadable += 1
        click.echo(words("archive.unreadable", name=name, why=why), err=True)

    try:
        with file.open("x", encoding="utf-8") as out:
            count = sum(bool(out.write(line)) for line in written(archive, unreadable=say))
    except FileExistsError:
        fail(words("transfer.file_exists", file=file))
    click.echo(words("transfer.written", count=count, file=file))
    if unreadable:
        fail(words("transfer.left_out", count=unreadable))


@games.command("import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@_with_archive
@language_option
def import_games(archive: Archive, file: Path, language: str) -> None:
    """Take the games of FILE, which another companion has written.

    Each is replayed before it is kept. What is here already is left as it is, and what cannot be taken is named.
    """
    words = Words(language)
    with file.open("rb") as source:
        count, refused = counted(take(archive, burgundy(), source))
    for one in refused:
        assert one.error is not None
        why = words(f"transfer.{one.error.code}", **one.error.data)
        cause = f" ({one.error.__cause__})" if one.error.__cause__ else ""
        click.echo(f"{words('transfer.line', number=one.number, why=why)}{cause}", err=True)
    click.echo(words("transfer.taken", added=count[ADDED], known=count[KNOWN]))
    if refused:
        fail(words("transfer.refused", count=count[REFUSED]))
