"""The texts of every language: those that every game needs, with a game's own merged over them.

A folder of texts has one file per language (``en.json``, ``fr.json``). ``languages`` beside this file holds what every
game needs; the others belong to a game or one of its modules and are found through its :class:`.GamePlugin`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from calibration.errors import CompanionError
from companion.games.registry import default_plugin, plugin

LANGUAGES_FOLDER = Path(__file__).with_name("languages")
DEFAULT_LANGUAGE = "en"
LANGUAGES = tuple(sorted(path.stem for path in LANGUAGES_FOLDER.glob("*.json")))
"""Codes of the languages there are."""


class TextsError(CompanionError, LookupError):
    """A folder of texts cannot be used; the message names the file and the cure."""


class MissingTextError(KeyError):
    """A language lacks a text, or a text's fields need data that were not given."""


def texts(language: str, game: str | None = None) -> Mapping[str, str]:
    """Returns the texts of a language for a game by dotted key (``move.take``); None is the default game.

    What belongs to a game that is not written in the language is in :data:`DEFAULT_LANGUAGE`: better than no page.

    :raises LookupError: when there is no such language.
    :raises UnknownGameError: when the game is not installed.
    """
    found = default_plugin() if game is None else plugin(game)
    return merged_texts(language, (LANGUAGES_FOLDER, *found.text_folders()))


def common_texts(language: str) -> Mapping[str, str]:
    """Returns the texts of a language that every game needs.

    :raises LookupError: when there is no such language.
    """
    return merged_texts(language, (LANGUAGES_FOLDER,))


@cache
def merged_texts(language: str, folders: tuple[Path, ...]) -> Mapping[str, str]:
    """Returns the texts of several folders; where a key is in two of them, the later one has its text.

    :raises LookupError: when there is no such language.
    :raises TextsError: when a folder has no texts that can be read.
    """
    if language not in LANGUAGES:
        raise LookupError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")
    merged: dict[str, str] = {}
    for folder in folders:
        is_written = (folder / f"{language}.json").is_file()
        merged |= texts_in(folder, language if is_written else DEFAULT_LANGUAGE)
    return merged


def texts_in(folder: Path, language: str) -> dict[str, str]:
    """Returns what a folder of texts holds for a language.

    :raises TextsError: when it has no file for it, or one that cannot be read.
    """
    path = folder / f"{language}.json"
    try:
        content = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise TextsError(f"no texts in {language!r}: {path} is missing") from None
    try:
        return dict(_flat(json.loads(content)))
    except ValueError as error:
        raise TextsError(f"the texts in {path} are no JSON ({error}): correct them there") from None


def _flat(tree: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, str]]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value
