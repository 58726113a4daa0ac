"""Strict parsing of requests, so that nothing a browser sends causes a server error."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from flask import Flask, Request
from flask.json.provider import DefaultJSONProvider
from werkzeug.routing import MapAdapter

ANY_HOST = "localhost"
"""Pages link to each other without it; :mod:`.guard` checks which host a request names."""
MAX_DEPTH = 32
"""Levels of nested JSON; pages send six, and Python cannot serialise what is much deeper."""
MAX_NUMBER = 2**53
"""Larger integers are not exact in other programs (RFC 8259, section 6)."""


class StrictApp(Flask):
    """Parses all requests with this module.

    Its addresses do not depend on the host that a request names, which may be none at all: errors have pages, too.
    """

    def __init__(self, import_name: str) -> None:
        super().__init__(import_name)
        self.json = StrictJSONProvider(self)
        self.request_class = TextRequest

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        if request is None:
            return super().create_url_adapter(None)
        return self.url_map.bind_to_environ({**request.environ, "HTTP_HOST": ANY_HOST}, subdomain="")


class TextRequest(Request):
    """Represents a request whose query string is valid UTF-8: other bytes are replaced."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.query_string = self.query_string.decode(errors="replace").encode()


class StrictJSONProvider(DefaultJSONProvider):
    """Parses JSON as Flask does, but rejects what cannot be serialised or displayed again.

    That is a lone surrogate (RFC 8259, section 8.2), a number that is too large or NaN, and too many levels.
    """

    def loads(self, s: str | bytes, **options: Any) -> Any:
        try:
            parsed = super().loads(s, parse_constant=_refuse, **options)
        except RecursionError as error:
            raise ValueError("nested too deeply") from error
        _check(parsed)
        return parsed


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


def _check(parsed: Any) -> None:
    """Raises ValueError if something in *parsed* cannot be serialised or displayed again."""
    level: list[Any] = [parsed]
    for _ in range(MAX_DEPTH):
        for value in level:
            if isinstance(value, str):
                value.encode()  # a lone surrogate raises UnicodeEncodeError, which is a ValueError
            elif isinstance(value, int | float) and not -MAX_NUMBER <= value <= MAX_NUMBER:
                raise ValueError("a number is too large")
        level = [child for value in level for child in _children(value)]
        if not level:
            return
    raise ValueError("nested too deeply")


def _children(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return (*value, *value.values())
    return value if isinstance(value, list) else ()
