"""The doctor: checks that everything a game needs works, and names the cure if it does not.

finding (the result of a check), machine (what the checks examine), examination (runs all checks, each with a time
limit), and the checks by subject: power, clock, storage, network, libraries, panel, camera. health runs checks while
people play.

A check is a function from a :class:`Machine` to a :class:`Finding`, and reaches the outside world only through the
machine. So the same checks run before play (``companion doctor``), at its start and on the page, and in tests without
a Raspberry Pi.
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
