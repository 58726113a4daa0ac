"""What a service tells its manager, by systemd's protocol: ``READY=1``, ``WATCHDOG=1``, ``STATUS=...``."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping

Notify = Callable[[str], None]
"""Tells the manager one assignment."""

INTERVAL_SHARE = 1 / 3
"""Of the time after which the manager gives up: two in a row may be lost."""


def notifier(environment: Mapping[str, str] = os.environ) -> Notify | None:
    """What tells the manager that started this process; None when none listens.

    What cannot be told is not told again: the manager, who then hears nothing, knows what to do.
    """
    address = environment.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return None
    where = (
        "\0" + address[1:] if address.startswith("@") else address
    )  # systemd's sign for an abstract address

    def notify(assignment: str) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
            channel.setblocking(False)
            channel.sendto(assignment.encode(), where)

    return notify


def watchdog_interval(environment: Mapping[str, str] = os.environ) -> float | None:
    """How many seconds may lie between two signs of life; None when the manager expects none of this process."""
    limit = environment.get("WATCHDOG_USEC", "")
    meant = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(limit) / 1e6 * INTERVAL_SHARE if limit.isdecimal() and int(limit) and meant else None
