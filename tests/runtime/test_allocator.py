"""What is freed goes back to the system, where the C library is glibc."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "gnu_get_libc_version"), reason="the C library is not glibc"
)

PROGRAM = """
import os, sys
import numpy as np
from companion.runtime.allocator import give_back, limit_heaps

def mb():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

if "kept small" in sys.argv:
    limit_heaps()
for _ in range(4):
    np.ones(30_000_000, np.uint8)  # after that glibc would keep what is smaller on the heap
before = mb()
pictures, small = [], []
for _ in range(40):
    pictures.append(np.ones(2_000_000, np.uint8))
    small.append(bytes(2000))  # and what lies behind cannot be cut off
del pictures
if "given back" in sys.argv:
    give_back()
print(mb() - before)
"""


def grown_mb(*ways: str) -> float:
    run = subprocess.run([sys.executable, "-c", PROGRAM, *ways], capture_output=True, text=True, check=True)
    return float(run.stdout)


def test_pictures_that_are_freed_leave_nothing_behind() -> None:
    assert grown_mb() > 40  # without, so that the measure is known to see it
    assert grown_mb("kept small") < 5


def test_freed_memory_on_the_heap_is_given_back() -> None:
    assert grown_mb("given back") < 5
