"""Checks while people play: quick ones at the start, the power supply from then on, and all on the page."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from companion.text.translator import Translator

from .examination import CHECKS, QUICK, examine
from .finding import FAULT, SKIPPED, Finding
from .machine import Machine
from .power import WEAK

POWER = next(check for check in CHECKS if check.name == "power")
PINS = next(check for check in CHECKS if check.name == "pins")
POWER_INTERVAL_S = 60.0
CACHE_S = 10.0
"""How long findings are reused, however many pages ask."""


class Health:
    """Represents the checks during one game. Thread-safe.

    *machine* returns the machine in its present state, with the devices as the game uses them.
    """

    def __init__(self, machine: Callable[[], Machine], clock: Callable[[], float] = time.monotonic) -> None:
        self._machine = machine
        self._clock = clock
        self._checking = threading.Lock()
        self._found: list[Finding] = []
        self._checked_at: float | None = None
        self._at_start: list[Finding] = []
        self._power: Finding | None = None
        self._next_power_check: float | None = clock()
        """`None` if this machine does not report the state of its power supply."""

    def start(self, report: Callable[[str], None], language: str) -> None:
        """Starts the quick checks in the background; *report* prints one line for each fault."""

        def run() -> None:
            faults = [one for one in examine(self._machine(), QUICK) if one.state == FAULT]
            self._at_start = [one for one in faults if one.check != POWER.name]
            for one in faults:
                report(line(one, Translator(language)))

        threading.Thread(target=run, name="doctor", daemon=True).start()

    def of_panel(self, language: str) -> str:
        """Returns one line that says whether the buttons work."""
        return line(next(examine(self._machine(), [PINS])), Translator(language))

    def notices(self) -> list[Finding]:
        """Returns what the players should know while they play."""
        self._check_power()
        weak = self._power is not None and self._power.code in WEAK
        return [*([self._power] if self._power and weak else []), *self._at_start]

    def findings(self) -> list[Finding]:
        """Returns the findings of all checks."""
        with self._checking:
            if self._checked_at is None or self._clock() - self._checked_at >= CACHE_S:
                self._found = list(examine(self._machine()))
                self._checked_at = self._clock()
            return self._found

    def _check_power(self) -> None:
        now = self._clock()
        if self._next_power_check is None or now < self._next_power_check:
            return
        self._next_power_check = now + POWER_INTERVAL_S  # set first, so that no other thread checks meanwhile
        self._power = next(examine(self._machine(), [POWER]))
        if self._power.state == SKIPPED:
            self._next_power_check = None


def line(finding: Finding, translator: Translator) -> str:
    """Returns a finding as one line: ``Disk: only 31 MB are free... Delete something.``"""
    cure = finding.cure(translator)
    text = translator(
        "doctor.line",
        check=translator(f"doctor.check.{finding.check}"),
        sentence=finding.sentence(translator),
    )
    return f"{text} {cure}" if cure else text
