"""Check of the power supply and of the Raspberry Pi's throttling."""

from __future__ import annotations

from .finding import Finding, fault, ok, skipped, warning
from .machine import Machine

FLAGS = "sys/devices/platform/soc*/soc*firmware/get_throttled"
"""File with the firmware's flags in hexadecimal; cheap enough to be read every minute."""
COMMAND = ("vcgencmd", "get_throttled")
"""The system's tool, if there is no such file; it prints ``throttled=0x50005``."""
UNDER_VOLTAGE, CAPPED, THROTTLED, HOT = (1 << bit for bit in range(4))
"""Bits of the present state, from Raspberry Pi's documentation of ``get_throttled``."""
SINCE_BOOT_SHIFT = 16
"""The same bits, shifted by this, for what has happened since the start."""
WEAK = ("under_voltage", "was_under_voltage")
"""Codes that are shown to the players: low voltage can corrupt files."""


def power(machine: Machine) -> Finding:
    """Checks what the firmware reports about power supply and temperature."""
    flags = throttled(machine)
    if flags is None:
        return skipped("no_throttle_flags")
    before = flags >> SINCE_BOOT_SHIFT
    if flags & UNDER_VOLTAGE:
        return fault("under_voltage")
    if before & UNDER_VOLTAGE:
        return warning("was_under_voltage")
    if flags & (CAPPED | THROTTLED | HOT):
        return warning("hot")
    if before & (CAPPED | THROTTLED | HOT):
        return warning("was_hot")
    return ok("power")


def throttled(machine: Machine) -> int | None:
    """Returns the firmware's flags; `None` if there is no such firmware.

    :raises ValueError: if they are not a number.
    """
    for path in sorted(machine.root.glob(FLAGS)):
        return int(path.read_text(encoding="ascii"), 16)
    output = machine.run_tool(*COMMAND)
    return None if output is None else int(output.rpartition("=")[2], 16)
