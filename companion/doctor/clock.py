"""Check of the clock. Only the names of games depend on the date."""

from __future__ import annotations

from datetime import UTC, datetime

from .finding import Finding, fault, ok, skipped, warning
from .machine import Machine

EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)
"""A clock that shows an earlier time is wrong: this program did not exist then."""
HARDWARE_CLOCK = "sys/class/rtc/rtc0"
"""Exists if the machine has a battery-backed clock, as the Raspberry Pi 5 has and the 4 has not."""
COMMAND = ("timedatectl", "show", "--property=NTPSynchronized", "--value")
TOLERANCE_S = 24 * 3600.0
"""How far the latest game may be in the future: it may have been played in another time zone."""


def clock(machine: Machine) -> Finding:
    """Checks whether the date can be right, and what sets it."""
    now = machine.now()
    shown = now.date().isoformat()
    if now < EARLIEST:
        return fault("clock_early", date=shown)
    try:
        latest = max((path.stat().st_mtime for path in machine.games()), default=0.0)
    except PermissionError:  # another account's data; the check of the disk reports it
        latest = 0.0
    if latest - now.timestamp() > TOLERANCE_S:
        return fault("clock_back", date=shown, latest=datetime.fromtimestamp(latest, UTC).date().isoformat())
    synchronised = machine.run_tool(*COMMAND)
    if synchronised == "yes":
        return ok("clock_synchronised", date=shown)
    if (machine.root / HARDWARE_CLOCK).exists():
        return ok("clock_own", date=shown)
    if synchronised is None:
        return skipped("clock_untold", date=shown)
    return warning("clock_unset", date=shown)
