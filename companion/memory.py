"""Memory that glibc keeps for later, which nobody at a table needs. Other C libraries are left alone."""

from __future__ import annotations

import ctypes
from typing import Any

_M_ARENA_MAX = -8
"""Of mallopt(3)."""
ARENAS = 2
"""Heaps: by default glibc lets each thread that serves pages have one of its own, and none is ever given back."""


def keep_few_heaps() -> None:
    """To be called before threads are started."""
    if (mallopt := _of_glibc("mallopt")) is not None:
        mallopt(_M_ARENA_MAX, ARENAS)


def give_back() -> None:
    """Gives the system what was freed: a game leaves a hundred megabytes behind."""
    if (malloc_trim := _of_glibc("malloc_trim")) is not None:
        malloc_trim(0)


def _of_glibc(name: str) -> Any:
    """A function of the C library; None where there is none of that name."""
    return getattr(ctypes.CDLL(None), name, None)
