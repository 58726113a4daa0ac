"""The doctor: whether everything that an evening at the table needs is in order, and the cure where it is not.

finding (what a check says), machine (what the checks look at), examination (all checks, each bounded in time), and
the checks themselves by what they look at: power, clock, storage, network, libraries, panel, camera. health is the
doctor at the table while people play.

A check is a function from a :class:`Machine` to a :class:`Finding`. Whatever it asks of the world, the machine
answers: so the same checks run before play (``companion doctor``), at its start and on the page, and without a
Raspberry Pi in tests.
"""

from __future__ import annotations

from .examination import CHECKS, QUICK, examine
from .finding import FAULT, OK, SKIPPED, STATES, WARNING, Finding
from .machine import Machine

__all__ = [
    "CHECKS",
    "FAULT",
    "OK",
    "QUICK",
    "SKIPPED",
    "STATES",
    "WARNING",
    "Finding",
    "Machine",
    "examine",
]
