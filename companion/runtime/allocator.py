"""Memory that glibc keeps for later, which nobody at a table needs. Other C libraries are left alone."""

from __future__ import annotations

import ctypes
from typing import Any

# Of mallopt(3).
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8
HEAPS = 2
"""By default glibc lets each thread that serves pages have a heap of its own, and none is ever given back."""
APART = 1_000_000
"""Bytes from which something is kept apart from the heap and given back when it is freed, as pictures are. Left alone,
glibc puts them on the heap after the first ones, and what is small is strewn over all the room between them."""


def limit_heaps() -> None:
    """To be called before threads are started."""
    if (mallopt := _of_glibc("mallopt")) is not None:
        mallopt(_M_ARENA_MAX, HEAPS)
        mallopt(_M_MMAP_THRESHOLD, APART)


def give_back() -> None:
    """Gives the system what was freed: a game leaves a hundred megabytes behind."""
    if (malloc_trim := _of_glibc("malloc_trim")) is not None:
        malloc_trim(0)


def _of_glibc(name: str) -> Any:
    """A function of the C library; None where there is none of that name."""
    return getattr(ctypes.CDLL(None), name, None)
