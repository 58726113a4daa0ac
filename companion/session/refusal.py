"""How a session says no."""

from __future__ import annotations

from typing import Any


class RefusedError(ValueError):
    """A press or tap that cannot be followed now; ``code`` and ``data`` say why in the page's words."""

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(f"{code} {data}" if data else code)
        self.code = code
        self.data = data
