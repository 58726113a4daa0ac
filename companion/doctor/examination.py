"""Runs all checks in turn, each with a time limit; one that fails does not stop the others."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from . import camera, clock, libraries, network, panel, power, storage
from .finding import Finding, fault
from .machine import Machine

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Check:
    """One check."""

    name: str
    """Key of its title: text ``doctor.check.NAME``."""
    look: Callable[[Machine], Finding]
    seconds: float = 10.0
    """Time limit."""
    is_quick: bool = False
    """Whether it runs in the background at the start of every game."""


CHECKS = (
    Check("camera", camera.camera, seconds=30.0),
    Check("settings", camera.settings),
    Check("focus", camera.focus),
    Check("light", camera.light),
    Check("glare", camera.glare),
    Check("markers", camera.markers),
    Check("boards", camera.boards, seconds=30.0),
    Check("pins", panel.pins),
    Check("power", power.power, is_quick=True),
    Check("memory", storage.memory, is_quick=True),
    Check("disk", storage.disk, is_quick=True),
    Check("games", storage.games, seconds=60.0),
    Check("backup", storage.backup, is_quick=True),
    Check("clock", clock.clock, is_quick=True),
    Check("network", network.network, is_quick=True),
    Check("name", network.name),
    Check("port", network.port),
    Check("libraries", libraries.libraries, seconds=30.0, is_quick=True),
    Check("versions", libraries.versions, is_quick=True),
)
QUICK = tuple(check for check in CHECKS if check.is_quick)


def examine(machine: Machine, checks: Sequence[Check] = CHECKS) -> Iterator[Finding]:
    """Yields the finding of each check as soon as it is known."""
    for check in checks:
        yield replace(_run(check, machine), check=check.name)


def _run(check: Check, machine: Machine) -> Finding:
    """Returns the finding of *check*; if it raises an error or takes too long, that is a finding too."""
    found: list[Finding] = []

    def look() -> None:
        try:
            found.append(check.look(machine))
        except Exception as error:  # a bug in a check: the traceback is logged, and the other checks run
            log.exception("the check %s failed", check.name)
            found.append(fault("check_failed", why=f"{type(error).__name__}: {error}"))

    # A driver that hangs cannot be interrupted: its thread keeps running until the program exits.
    thread = threading.Thread(target=look, name=f"doctor {check.name}", daemon=True)
    thread.start()
    thread.join(check.seconds)
    return found[0] if found else fault("check_hung", seconds=round(check.seconds))
