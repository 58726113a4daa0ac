"""Numbers of things in English messages."""

from __future__ import annotations


def counted(number: int, one: str, several: str | None = None) -> str:
    """Returns ``1 game`` or ``2 games``; *several* is given where it is not *one* with an s."""
    return f"{number} {one if number == 1 else several or one + 's'}"
