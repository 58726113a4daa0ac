"""Switching the machine off, from the table."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

REQUEST = "TABLE_COMPANION_POWER_OFF"
"""The environment variable that names the file by which systemd is asked, where the installation provides for it."""
COUNTDOWN_S = 3.0
"""How long a button that was held by mistake can be taken back."""

ON, COUNTING, LEAVING = "on", "counting", "leaving"


class PowerSwitch:
    """Represents the switch of the machine. It has no clock of its own: :meth:`update` is told the time.

    What is asked is asked by making the file *request*, which a unit of systemd's watches: the companion itself has no
    right to switch anything off.
    """

    def __init__(self, request: Path) -> None:
        self.state = ON
        """``on``, ``counting`` while any press stops it, or ``leaving`` when nothing does any more."""
        self._request = request
        self._due: float | None = None

    def count_down(self, now: float) -> None:
        """Switches off in :data:`COUNTDOWN_S`, unless somebody wants to stay."""
        if self.state == ON:
            self.state, self._due = COUNTING, now + COUNTDOWN_S

    def cancel(self) -> None:
        """Ends the countdown."""
        if self.state == COUNTING:
            self.state, self._due = ON, None

    def update(self, now: float) -> None:
        """Switches off when the countdown is over.

        :raises OSError: when systemd cannot be asked; then it stays on.
        """
        if self._due is not None and now >= self._due:
            self.cancel()
            self.switch_off()

    def switch_off(self) -> None:
        """Switches off at once: systemd ends this process, and all others, in order.

        :raises OSError: when systemd cannot be asked.
        """
        self._request.touch()
        self.state, self._due = LEAVING, None


def power_switch(environment: Mapping[str, str] = os.environ) -> PowerSwitch | None:
    """The switch of this machine; None where the companion may not use it."""
    request = environment.get(REQUEST)
    return PowerSwitch(Path(request)) if request else None
