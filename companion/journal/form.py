"""The form of a record's body. A journal that somebody has edited may hold anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Check: TypeAlias = Callable[[Any], bool]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def _is_integer(value: Any) -> bool:
    return type(value) is int


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_list_of(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(check, value))


def _is_text_or_null(value: Any) -> bool:
    return value is None or _is_text(value)


def _has_texts(value: Any) -> bool:
    return _is_object(value) and all(map(_is_text, value.values()))


VALUES: Mapping[str, tuple[Check, str]] = {
    "players": (_is_list_of(_is_object), "a list of objects"),
    "by": (_is_text, "a text"),
    "player": (_is_text_or_null, "a text or null"),
    "moves": (_is_list_of(_is_text), "a list of texts"),
    "hash": (_is_text, "a text"),
    "probability": (_is_number, "a number"),
    "dice": (_is_list_of(_is_object), "a list of objects"),
    "options": (_is_list_of(_is_text), "a list of texts"),
    "amends": (_is_integer, "an integer"),
    "units": (_is_list_of(_is_integer), "a list of integers"),
    "again": (_is_list_of(_is_integer), "a list of integers"),
    "unit": (_is_integer, "an integer"),
    "names": (_has_texts, "an object with texts"),
    "reason": (_is_text, "a text"),
    "edition": (_is_text, "a text"),
}
"""Key of a body -> how its value is checked, and what it has to be; each means the same in all kinds of records."""


def fault(body: Any, required: frozenset[str]) -> str | None:
    """Returns what is wrong with a record's *body*, which must have the *required* keys; ``None`` if nothing is."""
    if not isinstance(body, dict):
        return "it is not an object"
    for key in sorted(required - body.keys()):
        return f"{key!r} is missing"
    for key, (check, kind) in VALUES.items():
        if key in body and not check(body[key]):
            return f"{key!r} has to be {kind}"
    return None
