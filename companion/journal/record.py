"""Records, and the chain of digests by which each confirms the one before it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from calibration.documents import parse_json
from calibration.errors import CompanionError, Problem
from companion.games.player_text import cleaned, storable

from .form import fault

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
"""Kind of record -> keys that its body has at least (docs/journal.md). ``units`` are numbers of entries; ``aside``
quarantines entries that do not replay."""


MALFORMED_GAME = Problem("malformed")
"""What is stored is none of what a companion writes."""


class JournalError(CompanionError, ValueError):
    """The file is no journal, cannot be used, or does not replay; the message names the file and the remedy."""

    cause = "other"
    """One word for the cause; the translator has a text ``trouble.CAUSE``."""
    problem = MALFORMED_GAME


class DamagedError(JournalError):
    """The file does not hold what was written."""

    problem = Problem("damaged")


class NewerError(JournalError):
    """A later companion has written the file."""

    problem = Problem("newer")


class ReplayError(JournalError):
    """A move is not legal where it was recorded, or leads elsewhere than recorded."""

    problem = Problem("does_not_replay")


@dataclass(frozen=True, slots=True)
class Record:
    """One line of the journal."""

    seq: int
    at: str
    """UTC, ISO 8601; only shown to people, as a clock may jump."""
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
    """SHA-256 of the digest before and all of this line, hexadecimal."""

    def record(self) -> Record:
        return Record(self.seq, self.at, self.kind, json.loads(self.text))

    def checked_record(self) -> Record:
        """Returns the record of a line that somebody may have edited.

        :raises JournalError: when the body is none that a companion writes.
        """
        body = parse_json(self.text, f"record {self.seq}", JournalError)
        if (wrong := fault(body, FIELDS.get(self.kind, frozenset()))) is not None:
            raise JournalError(f"record {self.seq}: {wrong}")
        return Record(self.seq, self.at, self.kind, body)


def chained(stored: Iterable[tuple[str, str, str]], before: Sequence[Line] = ()) -> list[Line]:
    """Returns the lines for each stored (at, kind, text), continuing the lines *before*."""
    lines: list[Line] = []
    last, digest = len(before), before[-1].digest if before else ""
    for seq, (at, kind, text) in enumerate(stored, last + 1):
        digest = _digest(digest, seq, at, kind, text)
        lines.append(Line(seq, at, kind, text, digest))
    return lines


def valid_prefix(rows: Iterable[Sequence[Any]]) -> list[Line]:
    """Returns the lines of *rows* (seq, at, kind, text, digest) up to the first that is not what was written."""
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
    # JSON separates the fields, and its escapes make even the text of a damaged file encodable.
    return hashlib.sha256(json.dumps([before, *fields]).encode()).hexdigest()


def body_text(body: Mapping[str, Any]) -> str:
    """Returns a record's body as it is stored; its digest is computed from this text."""
    return storable(json.dumps(body, separators=(",", ":"), ensure_ascii=False))


def setup_of(records: Iterable[Record]) -> Mapping[str, Any] | None:
    """Returns the set-up that the journal begins with; ``None`` if it is empty."""
    return next((r.body for r in records if r.kind == "setup"), None)


def names_of(records: Iterable[Record]) -> dict[str, str]:
    """Returns the players' names by colour, without the control characters that old journals may contain."""
    names: dict[str, str] = {}
    for record in records:
        if record.kind in ("setup", "names"):
            names |= record.body.get("names", {})
    shown = ((colour, cleaned(name)) for colour, name in names.items())
    return {colour: name for colour, name in shown if name}
