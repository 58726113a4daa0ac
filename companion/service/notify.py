"""Notifies the service manager by systemd's protocol (sd_notify): ``READY=1``, ``WATCHDOG=1``, ``STATUS=...``."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping

Notify = Callable[[str], None]
"""Sends the manager one assignment."""

INTERVAL_SHARE = 1 / 3
"""Share of the watchdog timeout: two notifications in a row may be lost."""


def notifier(environment: Mapping[str, str] = os.environ) -> Notify | None:
    """Returns what notifies the manager that started this process; `None` if none listens.

    A notification that fails is not repeated: the manager acts when it hears nothing.
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
    """Returns the seconds between two watchdog notifications; `None` if the manager expects none from this process."""
    limit = environment.get("WATCHDOG_USEC", "")
    is_for_this_process = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return (
        int(limit) / 1e6 * INTERVAL_SHARE
        if limit.isdecimal() and int(limit) and is_for_this_process
        else None
    )
