"""Limits of the memory that glibc holds in reserve. Other C libraries are left alone."""

from __future__ import annotations

import ctypes
from typing import Any

# Of mallopt(3).
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8
HEAPS = 2
"""Number of heaps. By default each thread that serves pages gets its own, and none is ever returned to the system."""
APART = 1_000_000
"""Size in bytes from which memory is allocated outside the heap and returned to the system when it is freed: that of a
picture. Left alone, glibc soon puts pictures on the heap, and small objects between them keep it from shrinking."""


def limit_heaps() -> None:
    """Limits number and size of the heaps; call it before threads are started."""
    if (mallopt := _of_glibc("mallopt")) is not None:
        mallopt(_M_ARENA_MAX, HEAPS)
        mallopt(_M_MMAP_THRESHOLD, APART)


def give_back() -> None:
    """Returns freed memory to the system: about a hundred megabytes after a game."""
    if (malloc_trim := _of_glibc("malloc_trim")) is not None:
        malloc_trim(0)


def _of_glibc(name: str) -> Any:
    """Returns a function of the C library; None if there is none of that name."""
    return getattr(ctypes.CDLL(None), name, None)
