"""What the commands about the stored games share: the archive that they open, and how they name a game."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn

import click

from companion.archive import Archive, GameRecord
from companion.archive.exports import seat_name
from companion.text.translator import Translator

from .errors import fail
from .options import FOLDER, check_folder, games_folder, language_option


def with_archive(command: Callable[..., None], *, creates_folder: bool = False) -> Callable[..., None]:
    """Returns *command* with ``--folder`` and ``--language``; *command* gets the archive and the translator first.

    The folder must exist; with *creates_folder*, only its parent must.
    """

    @click.option(
        "--folder",
        type=FOLDER,
        default=None,
        metavar="FOLDER",
        help="Folder of the games.  [default: in the data folder]",
    )
    @language_option
    @wraps(command)
    def in_folder(folder: Path | None, language: str, **others: Any) -> None:
        needed = folder.absolute().parent if folder and creates_folder else folder
        if needed is not None:
            check_folder(needed)
        with closing(Archive(games_folder(folder), makes_index=folder is None)) as archive:
            command(archive, Translator(language), **others)

    return in_folder


def fail_with(error: OSError, sentence: str) -> NoReturn:
    """Exits with the *sentence*; if permission was denied, says whose the file is."""
    fail(error if isinstance(error, PermissionError) else sentence)


def describe(record: GameRecord, translator: Translator) -> str:
    """Returns when a game was played, its scores, and whether it is unfinished."""
    translator = translator.of_game(record.game)
    scores = (
        f"{seat_name(record.seat(colour), translator)} {record.scores[colour]}" for colour in record.ranking
    )
    unfinished = "" if record.over else f"  ({translator('archive.not_over')})"
    return f"{translator.date(record.began)}  {', '.join(scores)}{unfinished}"
