"""Games carried from one companion to another: one game a line, as JSON, with all its records.

docs/journal.md describes the lines. Pictures are not among what is carried.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, BinaryIO, NoReturn

from calibration.errors import CompanionError
from companion.games.api import Rules
from companion.journal import Journal, JournalError
from companion.journal.database import VERSION
from companion.journal.reading import read_lines
from companion.journal.record import Line, body_text, chained

from .folder import Archive
from .validation import validate

FORMAT = "table-companion game"
"""What every line says that it is."""
VERSIONS = range(2, VERSION + 1)
"""Of the journal, whose records can be read; no companion wrote lines before version 2."""
LONGEST_FILE_NAME = 100
"""Bytes, without the ending."""
LONGEST_LINE = 2_000_000
"""Bytes; a long game with corrections is a twentieth of that. What is read of JSON takes twenty times the room."""
MOST_REFUSED = 20
"""Lines; after them no further one is looked at: it is no file of games."""
LONGEST_REASON = 200
"""Characters of what was found to be wrong; it may quote a whole line."""
_FILE_NAME = re.compile(r"\w[\w .-]*")
ADDED, KNOWN, REFUSED, UNREAD = "added", "known", "refused", "unread"


class TransferError(CompanionError, ValueError):
    """A line that is no game which could be taken; ``code`` says why, by a text ``transfer.CODE`` of the words."""

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(f"{code} {data}" if data else code)
        self.code = code
        self.data = data


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a line was not taken."""

    code: str
    """By a text ``transfer.CODE`` of the words."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """What that text needs."""
    found: str = ""
    """What was found to be wrong, for whoever looks into the file; in English."""


@dataclass(frozen=True, slots=True)
class LineResult:
    """What became of one line."""

    number: int
    """From 1."""
    outcome: str
    """ADDED, KNOWN (it is here already), REFUSED, or UNREAD (too many were refused before)."""
    name: str | None = None
    """By which the game is called here."""
    rejection: Rejection | None = None
    """Why it was refused."""


def exported_lines(
    archive: Archive, playing: Journal | None = None, unreadable: Callable[[str, str], None] | None = None
) -> Iterator[str]:
    """A line for each game of the *archive*; *playing* is the one that this process holds.

    What cannot be read is left out, and told to *unreadable* by its name and the reason.
    """
    for name, found in _journals(archive, playing):
        if isinstance(found, JournalError):
            if unreadable is not None:
                unreadable(name, str(found))
        elif found:
            yield line_of(name, found)


def _journals(archive: Archive, playing: Journal | None) -> Iterator[tuple[str, list[Line] | JournalError]]:
    """The lines of each journal, or why they cannot be read."""
    for name in archive.names():
        path = archive.path(name)
        try:
            yield name, playing.lines() if playing and playing.path == str(path) else read_lines(path)
        except JournalError as error:
            yield name, error


def line_of(name: str, lines: Sequence[Line]) -> str:
    """The game *name* as one line."""
    records = [{"at": line.at, "kind": line.kind, "body": json.loads(line.text)} for line in lines]
    game = {
        "format": FORMAT,
        "version": VERSION,
        "name": name,
        "records": records,
        "digest": lines[-1].digest,
    }
    return json.dumps(game, separators=(",", ":"), ensure_ascii=False) + "\n"


def lines_of(source: io.RawIOBase | BinaryIO) -> Iterator[bytes]:
    """The lines of *source*, read in blocks; of one that is too long only so much that this can be told."""
    reader = io.BufferedReader(source) if isinstance(source, io.RawIOBase) else source
    while line := reader.readline(LONGEST_LINE + 1):
        yield line
        while not line.endswith(b"\n") and (line := reader.readline(LONGEST_LINE)):
            pass  # the rest of the long one


def import_lines(
    archive: Archive, rules: Rules, source: Iterable[bytes], playing: Journal | None = None
) -> Iterator[LineResult]:
    """Takes the games of a file, line by line, each wholly or not at all; tells what became of each.

    What is here already is left as it is: the same game, or one that has gone on from there, is known; another one of
    the same name keeps its name, and the new one gets a number. After MOST_REFUSED lines that are none, the others are
    only counted.

    :raises JournalError: when a game cannot be written; those told before are there.
    :raises FolderEmptiedError: when all games of the folder are being deleted.
    """
    with archive.lock.adding_games() as check:
        here = _digests(archive, playing)
        refused = 0
        for number, text in enumerate(source, 1):
            check()
            if not text.strip():
                continue
            if refused == MOST_REFUSED:
                yield LineResult(number, UNREAD)
                continue
            one = _taken(archive, rules, number, text, here)
            refused += one.outcome == REFUSED
            yield one


def _digests(archive: Archive, playing: Journal | None) -> set[str]:
    """The digests of all records that are here: each stands for all that leads up to it, too."""
    found = (lines for _, lines in _journals(archive, playing) if not isinstance(lines, JournalError))
    return {line.digest for lines in found for line in lines}


def _taken(archive: Archive, rules: Rules, number: int, text: bytes, here: set[str]) -> LineResult:
    """Takes the game of one line, unless it is *here*, where its digests are noted."""
    try:
        name, lines = game_in(rules, text)
    except TransferError as error:
        found = "" if error.__cause__ is None else str(error.__cause__)[:LONGEST_REASON]
        return LineResult(number, REFUSED, rejection=Rejection(error.code, error.data, found))
    if lines[-1].digest in here:
        return LineResult(number, KNOWN, name)
    here.update(line.digest for line in lines)
    return LineResult(number, ADDED, archive.add(name, lines))


def game_in(rules: Rules, text: bytes) -> tuple[str, list[Line]]:
    """The game of one line: its name as a file's, and its journal's lines; it can be played on and shown.

    :raises TransferError: when it is none, or cannot.
    """
    if len(text) > LONGEST_LINE:
        raise TransferError("too_long", most=LONGEST_LINE // 1_000_000)
    try:
        game = json.loads(text.decode("utf-8-sig"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise TransferError("not_json") from error
    if not isinstance(game, dict) or game.get("format") != FORMAT:
        raise TransferError("no_game")
    version = game.get("version")
    if type(version) is not int or version not in VERSIONS:
        raise TransferError("other_version", version=str(version)[:20], newest=VERSION)
    lines = _lines(game.get("records"))
    try:
        validate(rules, [line.record() for line in lines])
    except ValueError as error:
        raise TransferError("does_not_replay") from error
    if game.get("digest") != lines[-1].digest:
        raise TransferError("changed")
    return _file_name(game.get("name"), lines), lines


def _lines(records: Any) -> list[Line]:
    """The journal's lines that *records*, as JSON has them, stand for.

    :raises TransferError: when they are no records.
    """
    try:
        stored = [(record["at"], record["kind"], body_text(record["body"])) for record in records]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise TransferError("does_not_replay") from error
    if not all(isinstance(at, str) and isinstance(kind, str) for at, kind, _ in stored):
        raise TransferError("does_not_replay")
    return chained(stored)


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


def _file_name(name: object, lines: Sequence[Line]) -> str:
    """*name* where it can be a file's, else the day on which the game began."""
    if isinstance(name, str) and _FILE_NAME.fullmatch(name) and len(name.encode()) <= LONGEST_FILE_NAME:
        return name
    return datetime.fromisoformat(lines[0].at).date().isoformat()


def summarize(taken: Iterable[LineResult]) -> tuple[Mapping[str, int], list[LineResult]]:
    """How many lines had each outcome, and those that were refused."""
    count = dict.fromkeys((ADDED, KNOWN, REFUSED, UNREAD), 0)
    refused = []
    for one in taken:
        count[one.outcome] += 1
        if one.outcome == REFUSED:
            refused.append(one)
    return count, refused
