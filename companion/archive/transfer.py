"""Export and import of games between companions: one game a line, as JSON, with all its records.

docs/journal.md describes the lines. Pictures are not exported.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, BinaryIO, NoReturn

from calibration.documents import explained
from calibration.errors import CompanionError
from companion.games.registry import UnknownGameError
from companion.journal import Journal, JournalError
from companion.journal.database import VERSION
from companion.journal.reading import read_lines
from companion.journal.record import Line, body_text, chained

from .folder import Archive
from .validation import validate

FORMAT = "table-companion game"
"""Marks every line as a game."""
VERSIONS = range(2, VERSION + 1)
"""Versions of the journal whose records can be read; no companion exported lines before version 2."""
LONGEST_FILE_NAME = 100
"""Bytes, without the ending."""
LONGEST_LINE = 2_000_000
"""Bytes; a long game with corrections takes a twentieth. Parsed JSON takes twenty times as much memory."""
SQLITE_HEADER = b"SQLite format 3\0"
"""Begins a journal, which people take for what was exported."""
MAX_REFUSED = 20
"""Lines; after so many no further one is read: it is no file of games."""
LONGEST_REASON = 200
"""Characters of an error message, which may quote a whole line."""
_FILE_NAME = re.compile(r"\w[\w .-]*")
ADDED, KNOWN, REFUSED, UNREAD = "added", "known", "refused", "unread"


class TransferError(CompanionError, ValueError):
    """A line cannot be imported; ``code`` names the text ``transfer.CODE`` that says why."""

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(f"{code} {data}" if data else code)
        self.code = code
        self.data = data


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a line was not imported."""

    code: str
    """Names the text ``transfer.CODE``."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """The fields of that text."""
    detail: str = ""
    """The error itself, for somebody who looks into the file; in English."""


@dataclass(frozen=True, slots=True)
class LineResult:
    """What the import did with one line."""

    number: int
    """From 1."""
    outcome: str
    """ADDED, KNOWN (it is here already), REFUSED, or UNREAD (too many were refused before)."""
    name: str | None = None
    """The name of the game in this archive."""
    rejection: Rejection | None = None
    """Why it was refused."""


def exported_lines(
    archive: Archive,
    playing: Journal | None = None,
    unreadable: Callable[[str, str], None] | None = None,
    is_hidden: Callable[[str], bool] = lambda name: False,
) -> Iterator[str]:
    """Yields a line for each game of the *archive*; *playing* is the game that this process plays.

    Games that cannot be read are skipped and reported to *unreadable*, by name and reason; those that *is_hidden* names
    are left out.
    """
    for name, found in _journals(archive, playing):
        if is_hidden(name):
            continue
        try:
            if isinstance(found, JournalError):
                raise found
            if found:
                yield line_of(name, found)
        except JournalError as error:
            if unreadable is not None:
                unreadable(name, str(error))


def _journals(archive: Archive, playing: Journal | None) -> Iterator[tuple[str, list[Line] | JournalError]]:
    """Yields each journal's name with its lines, or with the error of reading them."""
    for name in archive.names():
        path = archive.path(name)
        try:
            yield name, playing.lines() if playing and playing.path == str(path) else read_lines(path)
        except JournalError as error:
            yield name, error


def line_of(name: str, lines: Sequence[Line]) -> str:
    """Returns the game *name* as one line.

    :raises JournalError: when a record is none that a companion writes.
    """
    records = [{"at": line.at, "kind": line.kind, "body": line.checked_record().body} for line in lines]
    game = {
        "format": FORMAT,
        "version": VERSION,
        "name": name,
        "records": records,
        "digest": lines[-1].digest,
    }
    return json.dumps(game, separators=(",", ":"), ensure_ascii=False) + "\n"


def lines_of(source: io.RawIOBase | BinaryIO) -> Iterator[bytes]:
    """Yields the lines of *source*, read in blocks; of a line that is too long only LONGEST_LINE + 1 bytes."""
    reader = io.BufferedReader(source) if isinstance(source, io.RawIOBase) else source
    while line := reader.readline(LONGEST_LINE + 1):
        yield line
        while not line.endswith(b"\n") and (line := reader.readline(LONGEST_LINE)):
            pass  # the rest of the long one


def import_lines(
    archive: Archive, source: Iterable[bytes], playing: Journal | None = None
) -> Iterator[LineResult]:
    """Imports the games of a file line by line, each completely or not at all; yields a result for each.

    Existing games do not change. A game that is here already, or goes on here, is known; if another game has the same
    name, the new one gets a number. A journal is refused as a whole. After MAX_REFUSED lines that are no games, the
    others are only counted.

    :raises JournalError: when a game cannot be written; those with a result are stored.
    :raises FolderEmptiedError: when this process is deleting all games of the folder.
    :raises FolderBusyError: when another process goes on importing games there, or deleting them.
    """
    with archive.lock.adding_games() as check:
        known = _digests(archive, playing)
        refused = 0
        for number, text in enumerate(source, 1):
            check()
            if not text.strip():
                continue
            if number == 1 and text.startswith(SQLITE_HEADER):
                yield LineResult(number, REFUSED, rejection=Rejection("journal"))
                return
            if refused == MAX_REFUSED:
                yield LineResult(number, UNREAD)
                continue
            result = _import_line(archive, number, text, known)
            refused += result.outcome == REFUSED
            yield result


def _digests(archive: Archive, playing: Journal | None) -> set[str]:
    """Returns the digests of all records of the archive; each covers all records before it."""
    found = (lines for _, lines in _journals(archive, playing) if not isinstance(lines, JournalError))
    return {line.digest for lines in found for line in lines}


def _import_line(archive: Archive, number: int, text: bytes, known: set[str]) -> LineResult:
    """Imports the game of one line unless its digest is in *known*; adds its digests there."""
    try:
        name, lines = game_in(text)
    except TransferError as error:
        return LineResult(
            number, REFUSED, rejection=Rejection(error.code, error.data, _detail(error.__cause__))
        )
    if lines[-1].digest in known:
        return LineResult(number, KNOWN, name)
    known.update(line.digest for line in lines)
    return LineResult(number, ADDED, archive.add(name, lines))


def _detail(cause: BaseException | None) -> str:
    """Returns what is wrong with a line, in words for people."""
    match cause:
        case json.JSONDecodeError():
            return str(cause)[:LONGEST_REASON]
        case Exception():
            return explained(cause)[:LONGEST_REASON]
    return ""


def game_in(text: bytes) -> tuple[str, list[Line]]:
    """Returns the game of one line: a name for its file, and its journal's lines, which can be played on and shown.

    :raises TransferError: when the line is no such game.
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
    if type(version) is not int or version < VERSIONS.start:
        raise TransferError("no_version")
    if version not in VERSIONS:
        raise TransferError("other_version", version=str(version)[:20], newest=VERSION)
    lines = _lines(game.get("records"))
    try:
        validate([line.record() for line in lines])
    except UnknownGameError as error:
        raise TransferError("unknown_game") from error
    except ValueError as error:
        raise TransferError("does_not_replay") from error
    if game.get("digest") != lines[-1].digest:
        raise TransferError("changed")
    return _file_name(game.get("name"), lines), lines


def _lines(records: Any) -> list[Line]:
    """Returns the journal's lines for *records*, as parsed from JSON.

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
    raise ValueError(f"{constant} is not a number")


def _file_name(name: object, lines: Sequence[Line]) -> str:
    """Returns *name* if it can be a file's, else the day on which the game began."""
    if isinstance(name, str) and _FILE_NAME.fullmatch(name) and len(name.encode()) <= LONGEST_FILE_NAME:
        return name
    return datetime.fromisoformat(lines[0].at).date().isoformat()


def summarize(results: Iterable[LineResult]) -> tuple[Mapping[str, int], list[LineResult]]:
    """Returns how many lines had each outcome, and the results of those that were refused."""
    count = dict.fromkeys((ADDED, KNOWN, REFUSED, UNREAD), 0)
    refused = []
    for one in results:
        count[one.outcome] += 1
        if one.outcome == REFUSED:
            refused.append(one)
    return count, refused
