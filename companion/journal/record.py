"""What a journal holds: records, each chained to the one before by a digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from calibration.errors import CompanionError
from companion.games.player_text import cleaned

NewRecord: TypeAlias = tuple[str, Mapping[str, Any]]
"""Kind and body of a record to be written."""


FIELDS: Mapping[str, frozenset[str]] = {
    "setup": frozenset({"players"}),
    "moves": frozenset({"by", "moves", "hash"}),
    "undo": frozenset({"units"}),
    "redo": frozenset({"units"}),
    "settled": frozenset({"unit"}),
    "names": frozenset({"names"}),
    "aside": frozenset({"units", "reason"}),
}
"""Kind of record -> what its body holds at least (docs/journal.md); ``aside`` names units that do not replay."""


class JournalError(CompanionError, ValueError):
    """The file is no journal, cannot be used, or does not replay; the message names it and the cure."""

    cause = "other"
    """One word for it: a text ``trouble.CAUSE`` of the words."""


class DamagedError(JournalError):
    """The file holds something else than was written."""


@dataclass(frozen=True, slots=True)
class Record:
    """One line of the journal."""

    seq: int
    at: str
    """UTC, ISO 8601; told to people, and nothing depends on it: a clock may jump."""
    kind: str
    """One of :data:`FIELDS`."""
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """A record as it is stored."""

    seq: int
    """From 1, without a gap."""
    at: str
    kind: str
    text: str
    """The body, JSON."""
    digest: str
    """Of the line before and all of this one: SHA-256, hexadecimal."""

    def record(self) -> Record:
        return Record(self.seq, self.at, self.kind, json.loads(self.text))


def chained(stored: Iterable[tuple[str, str, str]], before: Sequence[Line] = ()) -> list[Line]:
    """Lines for (at, kind, text), to follow those *before*."""
    lines: list[Line] = []
    last, digest = len(before), before[-1].digest if before else ""
    for seq, (at, kind, text) in enumerate(stored, last + 1):
        digest = _digest(digest, seq, at, kind, text)
        lines.append(Line(seq, at, kind, text, digest))
    return lines


def valid_prefix(rows: Iterable[Sequence[Any]]) -> list[Line]:
    """The lines of *rows* (seq, at, kind, text, digest) from the first one on, as far as they are what was written."""
    lines: list[Line] = []
    digest = ""
    for row in rows:
        seq, *texts = row
        if seq != len(lines) + 1 or not all(isinstance(text, str) for text in texts):
            break
        digest = _digest(digest, seq, *texts[:3])
        if texts[3] != digest:
            break
        lines.append(Line(seq, *texts))
    return lines


def _digest(before: str, *fields: Any) -> str:
    # JSON keeps the fields apart; escapes make every text, whatever a damaged file holds, one that can be encoded.
    return hashlib.sha256(json.dumps([before, *fields]).encode()).hexdigest()


def setup_of(records: Iterable[Record]) -> Mapping[str, Any] | None:
    """The set-up that the journal begins with, None for an empty one."""
    return next((r.body for r in records if r.kind == "setup"), None)


def names_of(records: Iterable[Record]) -> dict[str, str]:
    """What the players are called, by colour; those without a name are left out.

    Journals of old may hold names with characters that control text: those are left out, too.
    """
    names: dict[str, str] = {}
    for record in records:
        if record.kind in ("setup", "names"):
            names |= record.body.get("names", {})
    shown = ((colour, cleaned(name)) for colour, name in names.items())
    return {colour: name for colour, name in shown if name}
