"""How a session says no."""

from __future__ import annotations

from typing import Any

from calibration.errors import CompanionError

LONGEST_REPEATED = 100
"""Characters of what somebody sent that a refusal repeats."""


class CommandRejectedError(CompanionError, ValueError):
    """A press or tap that cannot be followed now; ``code`` and ``data`` say why in the page's words.

    What it repeats of a request is cut where it is long, and can be shown whatever it was.
    """

    def __init__(self, code: str, **data: Any) -> None:
        self.code = code
        self.data = {name: _shown(value) if isinstance(value, str) else value for name, value in data.items()}
        super().__init__(f"{code} {self.data}" if data else code)


def is_storable(text: str) -> bool:
    """Whether every character of *text* can be stored: JSON can bring half of one (``\\ud800``)."""
    return _stored(text) == text


def _shown(text: str) -> str:
    stored = _stored(text)
    return stored if len(stored) <= LONGEST_REPEATED else f"{stored[:LONGEST_REPEATED]}…"


def _stored(text: str) -> str:
    return text.encode(errors="replace").decode()
