"""What was meant by a mistyped name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def cure(name: str, known: Iterable[str], otherwise: str) -> str:
    """Returns the second half of a sentence about an unknown *name*: the *known* one that it resembles, else what to
    do *otherwise*."""
    near = get_close_matches(name.lower(), sorted(known), n=1)
    return f"did you mean {near[0]!r}?" if near else otherwise
