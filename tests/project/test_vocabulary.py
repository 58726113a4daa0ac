"""Names in the code are the field's terms: words that had to be learnt here first do not come back.

What counts is an identifier's words (``last_result``, ``LastResult``), in code alone: texts, keys of JSON and the
journal's kinds of records may say what they like, and so may the names of tests, which are sentences.
"""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from tests.support.paths import CHECKOUT

FOLDERS = ("companion", "vision", "hardware", "web", "calibration", "tests", ".ci")
BETTER = {
    "album": "picture store",
    "amiss": "mismatches",
    "belongings": "data paths",
    "chapter": "turn entry",
    "deed": "action",
    "deeds": "actions",
    "desk": "session context",
    "errand": "instruction",
    "fairs": "instructions",
    "evening": "game, run",
    "evenings": "games",
    "forced": "automatic",
    "heed": "follow",
    "insisted": "override confirmed",
    "jobs": "tasks",
    "joining": "connection",
    "judged": "evaluated",
    "keeping": "storage",
    "kept": "stored, saved",
    "lay": "place, set up",
    "lies": "is on, is at",
    "luck": "rng",
    "lying": "location",
    "meant": "intended",
    "mend": "correct, repair",
    "mending": "correction, repair",
    "night": "game runner, dark (of colours)",
    "objection": "illegal reason",
    "objections": "illegal reasons",
    "planned": "scripted",
    "proof": "evidence picture",
    "proofs": "evidence pictures",
    "puzzled": "unexplained",
    "quarrel": "conflict",
    "safekeeping": "backup",
    "said": "answered",
    "salvaged": "recovered",
    "say": "report, sentence",
    "says": "sentence",
    "seldom": "rarely",
    "settling": "commit",
    "shelf": "registry, plugin",
    "slip": "mismatch",
    "slips": "mismatches",
    "standing": "ranking",
    "stories": "turn logs",
    "story": "turn log",
    "surely": "certainly",
    "tally": "statistic",
    "tell": "report",
    "tellers": "formatters",
    "telling": "report, announcement",
    "tells": "reports",
    "told": "answered, reported",
    "traceless": "unobservable",
    "traces": "visible changes",
    "unfound": "not found",
    "unkept": "drifted",
    "unseen": "hidden",
    "unwell": "warnings",
    "wanted": "expected, required, requested",
    "wants": "requests",
    "whoever": "player",
    "whole": "complete",
    "wish": "next game",
    "witness": "reference",
}
"""Word -> what the field calls it."""
ALLOWED: dict[str, str] = {}
"""Identifier -> why it may be called so."""

PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def words_of(identifier: str) -> set[str]:
    """Returns the words of an identifier in small letters: those of ``_LastResult`` are last and result."""
    return {part.lower() for part in PARTS.findall(identifier)}


def identifiers(source: str) -> Iterator[tuple[int, str]]:
    """Yields line and name of each identifier in *source* that is no test."""
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.type == tokenize.NAME and not token.string.startswith("test_"):
            yield token.start[0], token.string


def banned_in(source: str) -> Iterator[tuple[int, str, str]]:
    """Yields line, identifier and better word for each banned identifier in *source*."""
    for line, name in identifiers(source):
        for word in sorted(words_of(name) & BETTER.keys()):
            if name not in ALLOWED:
                yield line, name, BETTER[word]


def python_files() -> list[Path]:
    return sorted(path for folder in FOLDERS for path in (CHECKOUT / folder).rglob("*.py"))


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_identifier_uses_a_word_that_the_field_does_not(folder: str) -> None:
    found = [
        f"{path.relative_to(CHECKOUT)}:{line}: {name} (better: {better})"
        for path in sorted((CHECKOUT / folder).rglob("*.py"))
        for line, name, better in banned_in(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_module_is_named_by_a_word_that_the_field_does_not_use(folder: str) -> None:
    modules = [path for path in (CHECKOUT / folder).rglob("*.py") if not path.name.startswith("test_")]
    assert [str(path) for path in modules if words_of(path.stem) & BETTER.keys()] == []


def test_every_exception_is_still_needed_and_has_its_reason() -> None:
    names = {name for path in python_files() for _, name in identifiers(path.read_text(encoding="utf-8"))}
    assert ALLOWED.keys() <= names
    assert all(words_of(name) & BETTER.keys() and reason for name, reason in ALLOWED.items())


@pytest.mark.parametrize(
    "name", ["desk", "_desk", "DESK_MM", "DeskOfTwo", "deskOfTwo", "at_the_desk", "HTTPDesk"]
)
def test_a_banned_word_is_found_in_any_spelling(name: str) -> None:
    assert list(banned_in(f"class A:\n    {name} = 1\n")) == [(2, name, "session context")]


@pytest.mark.parametrize("source", ['a = "desk"', "# desk", "desktop = 1", "def test_the_desk(): pass"])
def test_texts_comments_longer_words_and_names_of_tests_are_free(source: str) -> None:
    assert list(banned_in(source)) == []
