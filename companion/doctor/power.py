"""The power supply, and what the Raspberry Pi does to bear a weak one or the heat."""

from __future__ import annotations

from .finding import Finding, fault, ok, skipped, warning
from .machine import Machine

FLAGS = "sys/devices/platform/soc*/soc*firmware/get_throttled"
"""Where Linux tells the firmware's flags, in hexadecimal. The page asks it every minute: it costs a read of a file."""
COMMAND = ("vcgencmd", "get_throttled")
"""The system's own tool, where Linux does not tell them: it answers ``throttled=0x50005``."""
UNDER_VOLTAGE, CAPPED, THROTTLED, HOT = (1 << bit for bit in range(4))
"""What is so now, as Raspberry Pi's documentation of ``get_throttled`` has it."""
SINCE_BOOT_SHIFT = 16
"""By so many bits further up stands what has been so since the start."""
WEAK = ("under_voltage", "was_under_voltage")
"""Codes that people are told of while they play: files are garbled by it."""


def power(machine: Machine) -> Finding:
    """What the firmware says of the power supply and of the temperature."""
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
    """The firmware's flags; None where there is no such firmware.

    :raises ValueError: when what it says is no number.
    """
    for path in sorted(machine.root.glob(FLAGS)):
        return int(path.read_text(encoding="ascii"), 16)
    told = machine.run_tool(*COMMAND)
    return None if told is None else int(told.rpartition("=")[2], 16)
