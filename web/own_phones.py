"""The phones of the players: who has joined, and by which codes others can."""

from __future__ import annotations

import secrets
import threading

CODE_DIGITS = 4


class OwnPhones:
    """Represents the phones on which players see pages of their own. Thread-safe.

    A code lets one phone in. Nothing is stored, so that phones join again after a restart.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._codes: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        """Player -> key of the phone that has joined."""

    def code(self, player: str) -> str | None:
        """Returns the code that lets a phone in for *player*; None if one has joined."""
        with self._lock:
            if player in self._keys:
                return None
            return self._codes.setdefault(player, _new_code())

    def join(self, player: str, code: str) -> str | None:
        """Returns the key of a phone that sends the player's *code*, which is used up; None if it is another."""
        with self._lock:
            expected = self._codes.get(player)
            if expected is None or not secrets.compare_digest(code.encode(), expected.encode()):
                return None
            del self._codes[player]
            self._keys[player] = secrets.token_urlsafe(16)
            return self._keys[player]

    def admits(self, player: str, key: str) -> bool:
        """Returns whether the phone with this key is the player's."""
        with self._lock:
            expected = self._keys.get(player)
        return expected is not None and secrets.compare_digest(key.encode(), expected.encode())

    def renew(self, player: str) -> None:
        """Shuts out the player's phone; a new code lets the next one in."""
        with self._lock:
            self._keys.pop(player, None)
            self._codes[player] = _new_code()


def _new_code() -> str:
    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"
