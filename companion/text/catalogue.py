"""The texts of every language, from one file each (``languages/en.json``, ``languages/fr.json``)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES_FOLDER = Path(__file__).with_name("languages")
DEFAULT_LANGUAGE = "en"
LANGUAGES = tuple(sorted(path.stem for path in LANGUAGES_FOLDER.glob("*.json")))
"""Codes of the languages there are."""


class MissingTextError(KeyError):
    """A language lacks a text, or a text's fields need data that were not given."""


@cache
def texts(language: str) -> dict[str, str]:
    """Returns the texts of a language by dotted key (``move.take``).

    :raises LookupError: when there is no such language.
    """
    if language not in LANGUAGES:
        raise LookupError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")
    return dict(_flat(json.loads((LANGUAGES_FOLDER / f"{language}.json").read_text(encoding="utf-8"))))


def _flat(tree: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, str]]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value
