"""JSON that browsers send, read so that nothing they send is an error of the server."""

from __future__ import annotations

from typing import Any

from flask.json.provider import DefaultJSONProvider


class RequestJSON(DefaultJSONProvider):
    """Reads JSON as Flask does; what is nested too deeply to be read is no JSON either."""

    def loads(self, s: str | bytes, **options: Any) -> Any:
        try:
            return super().loads(s, **options)
        except RecursionError as error:
            raise ValueError("nested too deeply") from error
