"""Games carried from one companion to another: one game a line, as JSON, with all its records.

docs/journal.md describes the lines. Pictures are not among what is carried.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NoReturn

from ..game import Game
from ..journal import FIELDS, Journal, JournalError, Record, replay
from ..journal.file import VERSION, body_text, lines_in
from ..journal.record import Line, chained
from ..journal.units import unit_of
from ..session import LONGEST_NAME
from .folder import Archive
from .record import record_of

FORMAT = "table-companion game"
"""What every line says that it is."""
VERSIONS = range(2, VERSION + 1)
"""Of the journal, whose records can be read; no companion wrote lines before version 2."""
LONGEST_FILE_NAME = 100
"""Bytes, without the ending."""
_FILE_NAME = re.compile(r"\w[\w .-]*")
_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""What reading raises where somebody has written by hand what no companion writes."""
ADDED, KNOWN, REFUSED = "added", "known", "refused"


class TransferError(ValueError):
    """A line that is no game which could be taken; ``code`` says why, by a text ``transfer.CODE`` of the words."""

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(f"{code} {data}" if data else code)
        self.code = code
        self.data = data


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of one line."""

    number: int
    """From 1."""
    outcome: str
    """ADDED, KNOWN (it is here already) or REFUSED."""
    name: str | None = None
    """By which the game is called here."""
    error: TransferError | None = None
    """Why it was refused."""


def written(
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
            yield name, playing.lines() if playing and playing.path == str(path) else lines_in(path)
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


def take(
    archive: Archive, rules: Game, source: Iterable[bytes], playing: Journal | None = None
) -> Iterator[Taken]:
    """Takes the games of a file, line by line, each wholly or not at all; tells what became of each.

    What is here already is left as it is: the same game, or one that has gone on from there, is known; another one of
    the same name keeps its name, and the new one gets a number.

    :raises JournalError: when a game cannot be written; those told before are there.
    """
    here = [found for _, found in _journals(archive, playing) if not isinstance(found, JournalError)]
    for number, text in enumerate(source, 1):
        if not text.strip():
            continue
        try:
            name, lines = game_in(rules, text)
        except TransferError as error:
            yield Taken(number, REFUSED, error=error)
            continue
        if any(there[: len(lines)] == lines for there in here):
            yield Taken(number, KNOWN, name)
            continue
        here.append(lines)
        yield Taken(number, ADDED, archive.add(name, lines))


def game_in(rules: Game, text: bytes) -> tuple[str, list[Line]]:
    """The game of one line: its name as a file's, and its journal's lines; it replays to the states it tells.

    :raises TransferError: when it is none, or does not.
    """
    try:
        game = json.loads(text.decode("utf-8-sig"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise TransferError("not_json") from error
    if not isinstance(game, dict) or game.get("format") != FORMAT:
        raise TransferError("no_game")
    version = game.get("version")
    if type(version) is not int or version not in VERSIONS:
        raise TransferError("other_version", version=str(version)[:20], newest=VERSION)
    try:
        lines = chained((r["at"], r["kind"], body_text(r["body"])) for r in game["records"])
        _check(rules, [line.record() for line in lines])
    except _UNREADABLE as error:
        raise TransferError("does_not_replay") from error
    if game.get("digest") != lines[-1].digest:
        raise TransferError("changed")
    return _file_name(game.get("name"), lines), lines


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


def _check(rules: Game, records: Sequence[Record]) -> None:
    """That these are a companion's records, and replay.

    :raises ValueError: when they are not; so do the other errors of :data:`_UNREADABLE`.
    """
    _demand(records[0].kind == "setup", records[0])
    for record in records:
        datetime.fromisoformat(record.at).astimezone(UTC)
        _demand(FIELDS[record.kind] <= record.body.keys(), record)
        if record.kind == "moves":
            _check_unit(rules, record)
        for name in record.body.get("names", {}).values():
            _demand(isinstance(name, str) and len(name) <= LONGEST_NAME, record)
    deque(replay(rules, records), maxlen=0)
    record_of(rules, list(records))


def _check_unit(rules: Game, record: Record) -> None:
    """Moves are checked by the rules; the rest is shown to people."""
    unit = unit_of(rules, record)
    _demand(not any(map(rules.beyond, unit.moves)), record)
    texts = (unit.by, unit.state_hash, *unit.options, *([] if unit.player is None else [unit.player]))
    _demand(all(isinstance(text, str) for text in texts), record)
    _demand(type(unit.probability) in (int, float) and 0 <= unit.probability <= 1, record)


def _demand(holds: bool, record: Record) -> None:
    if not holds:
        raise ValueError(f"record {record.seq} is none that a companion writes")


def _file_name(name: object, lines: Sequence[Line]) -> str:
    """*name* where it can be a file's, else the day on which the game began."""
    if isinstance(name, str) and _FILE_NAME.fullmatch(name) and len(name.encode()) <= LONGEST_FILE_NAME:
        return name
    return datetime.fromisoformat(lines[0].at).date().isoformat()


def counted(taken: Iterable[Taken]) -> tuple[Mapping[str, int], list[Taken]]:
    """How many lines had each outcome, and those that were refused."""
    count = dict.fromkeys((ADDED, KNOWN, REFUSED), 0)
    refused = []
    for one in taken:
        count[one.outcome] += 1
        if one.outcome == REFUSED:
            refused.append(one)
    return count, refused
