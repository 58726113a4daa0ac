"""Switches the machine off from the table."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

REQUEST = "TABLE_COMPANION_POWER_OFF"
"""Environment variable that names the request file, if the installation allows switching off."""
COUNTDOWN_S = 3.0
"""How long switching off can be cancelled after a button was held by mistake."""

ON, COUNTING, LEAVING = "on", "counting", "leaving"


class PowerSwitch:
    """Represents the power switch of the machine. It has no clock: :meth:`update` gets the time.

    It creates the file *request*, which a systemd unit watches: the companion itself is not allowed to switch the
    machine off.
    """

    def __init__(self, request: Path) -> None:
        self.state = ON
        """``on``, ``counting`` while any press cancels it, or ``leaving`` when it cannot be cancelled any more."""
        self._request = request
        self._due: float | None = None

    def count_down(self, now: float) -> None:
        """Starts the countdown of :data:`COUNTDOWN_S`."""
        if self.state == ON:
            self.state, self._due = COUNTING, now + COUNTDOWN_S

    def cancel(self) -> None:
        """Cancels the countdown."""
        if self.state == COUNTING:
            self.state, self._due = ON, None

    def update(self, now: float) -> None:
        """Switches off when the countdown is over.

        :raises OSError: if the request file cannot be written; the machine stays on then.
        """
        if self._due is not None and now >= self._due:
            self.cancel()
            self.switch_off()

    def switch_off(self) -> None:
        """Switches off at once: systemd then stops this process and all others cleanly.

        :raises OSError: if the request file cannot be written.
        """
        self._request.touch()
        self.state, self._due = LEAVING, None


def power_switch(environment: Mapping[str, str] = os.environ) -> PowerSwitch | None:
    """Returns the switch of this machine; `None` if the companion may not use it."""
    request = environment.get(REQUEST)
    return PowerSwitch(Path(request)) if request else None
