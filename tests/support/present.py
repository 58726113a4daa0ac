"""Values that a test knows to be there."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def present(value: T | None) -> T:
    """Returns *value*; a test in which it is ``None`` fails here."""
    assert value is not None
    return value
