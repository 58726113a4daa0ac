"""What browsers send, read so that nothing they send is an error of the server."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from flask import Flask, Request
from flask.json.provider import DefaultJSONProvider

MOST_NESTED = 32
"""Lists and objects within each other; pages send six, and what is much deeper cannot be written again."""
LARGEST_NUMBER = 2**53
"""Beyond it other programs hold another number (RFC 8259, section 6)."""


def read_safely(app: Flask) -> None:
    """Has *app* read all that it is sent so; to be called before its first request."""
    app.json = RequestJSON(app)
    app.request_class = TextRequest


class TextRequest(Request):
    """Represents a request in whose address bytes that are no text are read as such that are percent-encoded."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.query_string = self.query_string.decode(errors="replace").encode()


class RequestJSON(DefaultJSONProvider):
    """Reads JSON as Flask does, except for what nobody could write again or show.

    That is half a character (a lone surrogate, RFC 8259, section 8.2), a number too large or none at all, and what is
    nested too deeply.
    """

    def loads(self, s: str | bytes, **options: Any) -> Any:
        try:
            read = super().loads(s, parse_constant=_refuse, **options)
        except RecursionError as error:
            raise ValueError("nested too deeply") from error
        _check(read)
        return read


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


def _check(read: Any) -> None:
    """:raises ValueError: when something in *read* could not be written again or shown."""
    level: list[Any] = [read]
    for _ in range(MOST_NESTED):
        for value in level:
            if isinstance(value, str):
                value.encode()  # half a character raises UnicodeEncodeError
            elif isinstance(value, int | float) and not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
                raise ValueError("a number is too large")
        level = [part for value in level for part in _parts(value)]
        if not level:
            return
    raise ValueError("nested too deeply")


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return (*value, *value.values())
    return value if isinstance(value, list) else ()
