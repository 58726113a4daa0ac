"""The clock. The names of games rest on the date, and nothing else does."""

from __future__ import annotations

from datetime import UTC, datetime

from .finding import Finding, fault, ok, skipped, warning
from .machine import Machine

EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)
"""No right clock shows less: this companion is younger."""
HARDWARE_CLOCK = "sys/class/rtc/rtc0"
"""There where a clock goes on while the machine is unplugged: on a Raspberry Pi 5, and not on a 4."""
COMMAND = ("timedatectl", "show", "--property=NTPSynchronized", "--value")
TOLERANCE_S = 24 * 3600.0
"""By how much the latest game may lie ahead: it was played somewhere else in the world."""


def clock(machine: Machine) -> Finding:
    """Whether the date can be right, and what it is set by."""
    now = machine.now()
    shown = now.date().isoformat()
    if now < EARLIEST:
        return fault("clock_early", date=shown)
    latest = max((path.stat().st_mtime for path in machine.games()), default=0.0)
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
