"""How a session rejects a command."""

from __future__ import annotations

from typing import Any

from calibration.errors import CompanionError
from companion.games.player_text import storable

LONGEST_REPEATED = 100
"""Longest text of a request that a rejection repeats, in characters."""


class CommandRejectedError(CompanionError, ValueError):
    """A press or tap that cannot be carried out now; ``code`` and ``data`` select the sentence that says why.

    Texts repeated from a request are cut if they are long, and can always be shown.
    """

    def __init__(self, code: str, **data: Any) -> None:
        self.code = code
        self.data = {name: _shown(value) if isinstance(value, str) else value for name, value in data.items()}
        super().__init__(f"{code} {self.data}" if data else code)


def _shown(text: str) -> str:
    shown = storable(text)
    return shown if len(shown) <= LONGEST_REPEATED else f"{shown[:LONGEST_REPEATED]}…"
