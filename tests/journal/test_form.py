"""A journal that somebody has edited by hand: one sentence names the record and what is wrong with it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli.main import main
from companion.journal import JournalError, read_records
from companion.journal.database import write_lines
from companion.journal.reading import read_lines
from companion.journal.record import FIELDS, Line, chained
from tests.support.paths import GOLDEN

FILE = GOLDEN / "version-2.journal"
PYTHON = re.compile("Error|Traceback|NoneType|object is not|has no attribute|indices|unpack|unhashable")
"""Words of Python's own messages."""


def edited(tmp_path: Path, seq: int, text: str, kind: str | None = None) -> Path:
    """Returns the path of a copy of a journal whose record *seq* has the body *text*, with digests that fit."""
    lines = read_lines(FILE)
    stored = [(line.at, line.kind, line.text) for line in lines]
    at, was, _ = stored[seq - 1]
    stored[seq - 1] = (at, kind or was, text)
    write_lines(tmp_path / "edited.journal", chained(stored))
    return tmp_path / "edited.journal"


def with_value(seq: int, path: Sequence[str | int], *value: object) -> str:
    """Returns the body of record *seq* with another *value* at *path*, without it if there is none."""
    body: Any = json.loads(read_lines(FILE)[seq - 1].text)
    at = body
    for key in path[:-1]:
        at = at[key]
    if value:
        at[path[-1]] = value[0]
    else:
        del at[path[-1]]
    return json.dumps(body)


def first(kind: str) -> Line:
    return next(line for line in read_lines(FILE) if line.kind == kind)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "it is not an object"),
        ("{", "is not valid JSON"),
        ('"x"', "it is not an object"),
        ('{"players": NaN}', "NaN is not a number"),
        ('{"players": "\\ud800"}', "half a character"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_body_that_is_no_object_is_named_by_file_and_record(tmp_path: Path, text: str, why: str) -> None:
    path = edited(tmp_path, 3, text)
    with pytest.raises(JournalError, match=rf"edited\.journal cannot be read: record 3\b.*{why}"):
        read_records(path)


@pytest.mark.parametrize(
    ("kind", "key"), [(kind, key) for kind, keys in FIELDS.items() for key in sorted(keys)]
)
def test_a_key_that_is_missing_is_named(tmp_path: Path, kind: str, key: str) -> None:
    body = {name: [] if name in ("players", "moves", "units") else "x" for name in FIELDS[kind] - {key}}
    path = edited(tmp_path, 2, json.dumps(body), kind)
    with pytest.raises(JournalError, match=f"record 2: '{key}' is missing"):
        read_records(path)


EDITS: tuple[tuple[str, list[str | int], tuple[object, ...]], ...] = (
    ("setup", ["players"], ({},)),
    ("setup", ["players", 0], (None,)),
    ("setup", ["players", 0, "colour"], ()),
    ("setup", ["players", 0, "duchy"], ()),
    ("setup", ["players", 0, "duchy"], ([],)),
    ("setup", ["edition"], ()),
    ("setup", ["edition"], (None,)),
    ("moves", ["by"], (1,)),
    ("moves", ["moves", 0], (None,)),
    ("moves", ["moves"], ("take",)),
    ("moves", ["hash"], (1,)),
    ("moves", ["dice"], ([{}],)),
    ("moves", ["probability"], ("x",)),
    ("moves", ["player"], ({},)),
)
"""Kind of the record, what is edited in it, and its new value; none where it is removed."""


@pytest.mark.parametrize(
    ("command", "kind", "path", "value"),
    [
        (command, *edit)
        for edit in EDITS
        for command in ("replay", "list", "export", "play")
        if (command, edit[0]) != ("play", "setup")  # is quarantined: see tests/runtime/test_resume.py
    ],
)
def test_no_message_of_python_is_shown_for_a_value_of_the_wrong_kind(
    tmp_path: Path,
    command: str,
    kind: str,
    path: Sequence[str | int],
    value: tuple[object, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TABLE_COMPANION_DATA", str(tmp_path / "data"))
    seq = first(kind).seq
    file = edited(tmp_path, seq, with_value(seq, path, *value))
    words = {
        "replay": ["replay", file],
        "list": ["games", "list", "--all", "--folder", tmp_path],
        "export": ["games", "export", "-", "--folder", tmp_path],
        "play": ["play", "--journal", file, "--port", "0"],
    }
    result = CliRunner().invoke(main, [str(word) for word in words[command]])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert not PYTHON.search(result.stderr)
    if command != "export":  # which writes what only a replay reveals
        assert "edited" in result.stderr and (f"record {seq}" in result.stderr or kind == "setup")


def test_a_journal_that_does_not_say_how_its_game_began_is_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLE_COMPANION_DATA", str(tmp_path / "data"))
    path = tmp_path / "no-setup.journal"
    write_lines(path, chained([(read_lines(FILE)[0].at, "names", '{"names": {"red": "Zoé"}}')]))
    game = ["play", "--journal", str(path), "--players", "red:se-1,blue:se-2", "--port", "0"]
    result = CliRunner().invoke(main, game)
    assert result.exit_code == 1 and "does not say how its game began; name another file" in result.stderr
    assert len(read_lines(path)) == 1
